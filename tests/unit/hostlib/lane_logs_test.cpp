#include "hostlib/lane_logs.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <memory>
#include <random>

#include "cuinstrument/format/access_key.h"

namespace cui::hostlib {
namespace {

constexpr std::uint32_t launch = 0x12345678, block = 5, warp = 2, firstSite = 40;

/// One warp's logs, which its lanes fill, each for itself.
class Logs {
 public:
  Logs() { begin(); }

  /// What these lanes access: lane i `address + step * i`, by the access of that number.
  void access(std::uint32_t lanes, std::uint32_t number, std::uint64_t address, std::int64_t step) {
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      if ((lanes >> lane & 1u) == 0) continue;
      const std::uint64_t at = address + static_cast<std::uint64_t>(step * lane);
      write(lane, {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at >> 32), lanes,
                   launch << format::logLaunchShift | number});
    }
  }
  /// Of two of shared memory, the second one 4 bytes on.
  void accessTwo(std::uint32_t lanes, std::uint32_t number, std::uint32_t address) {
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      if ((lanes >> lane & 1u) != 0)
        write(lane,
              {address, address + 4, lanes, launch << format::logLaunchShift | format::logPair | number});
  }
  using Entry = std::array<std::uint32_t, 4>;
  void write(std::uint32_t lane, const Entry& entry) {
    std::pair<std::size_t, std::uint32_t>& place = next_[lane];
    if (place.second == format::logRows(isLong(place.first))) {
      place = {place.first + 1, 0};
      if (place.first == all_.size()) begin();
    }
    char* const bytes = reinterpret_cast<char*>(all_[place.first]->data());
    std::memcpy(bytes + (1 + place.second) * format::logRowBytes + lane * sizeof entry, &entry, sizeof entry);
    setRows(lane, place.first, static_cast<std::uint16_t>(++place.second));
  }
  void setRows(std::uint32_t lane, std::size_t log, std::uint16_t rows) {
    char* const bytes = reinterpret_cast<char*>(all_[log]->data());
    std::memcpy(bytes + format::logLaneRowsAt + lane * sizeof rows, &rows, sizeof rows);
  }
  std::uint64_t take(std::vector<Slot>& records) {
    LaneLogs logs;
    for (const auto& log : all_) logs.add(log);
    const std::uint64_t lost = logs.take([&records](const std::vector<Slot>& some) {
      for (std::size_t i = 0; i < some.size(); i += slotsOf(some[i])) records.push_back(some[i]);
    });
    return lost;
  }

 private:
  static bool isLong(std::size_t log) { return log != 0; }
  void begin() {
    const bool isLong = Logs::isLong(all_.size());
    const std::size_t bytes = format::logBytes(isLong);
    all_.push_back(std::make_shared<std::vector<Slot>>(bytes / sizeof(Slot)));
    std::memset(all_.back()->data(), 0xff, bytes);
    format::LaneLog head{};
    head.launch = launch;
    head.block = block;
    head.warp = warp;
    head.firstSite = firstSite;
    head.accessCount = 4;
    head.isLong = isLong ? 1 : 0;
    for (std::uint32_t i = 0; i < 4; ++i)
      head.accesses[i] = std::uint64_t{4} << format::logAccessBytesShift |
                         (i << format::keyShift | static_cast<std::uint32_t>(format::Space::global));
    std::memcpy(all_.back()->data(), &head, sizeof head);
  }

  std::vector<std::shared_ptr<std::vector<Slot>>> all_;
  std::array<std::pair<std::size_t, std::uint32_t>, 32> next_{};
};

TEST(LaneLogs, SayWhoseAndWhat) {
  Logs logs;
  logs.access(0xffff, 2, 0x7f0000001000, 8);
  std::vector<Slot> records;
  EXPECT_EQ(logs.take(records), 0u);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(siteOf(records[0]), firstSite + 2);
  EXPECT_EQ(launchKeyOf(records[0]), launch);
  EXPECT_EQ(blockOf(records[0]), block);
  EXPECT_EQ(warpOf(records[0]), warp);
  EXPECT_EQ(bytesOf(records[0]), 4u);
  EXPECT_EQ(activeMaskOf(records[0]), 0xffffu);
  EXPECT_EQ(records[0].word[0], 0x7f0000001000u);
  EXPECT_EQ(numberOf(records[0]), 8u);
  EXPECT_EQ(format::spaceOf(flagsOf(records[0])), format::Space::global);
  EXPECT_TRUE(isPlain(records[0]));
}

TEST(LaneLogs, HaveTwoAccessesInOneEntry) {
  Logs logs;
  logs.accessTwo(0xf0, 1, 512);
  std::vector<Slot> records;
  EXPECT_EQ(logs.take(records), 0u);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(siteOf(records[0]), firstSite + 1);
  EXPECT_EQ(siteOf(records[1]), firstSite + 2);
  EXPECT_EQ(records[0].word[0], 512u);
  EXPECT_EQ(records[1].word[0], 516u);
}

/// Parts of a warp that go their own ways, and meet: each record once, each lane's in order.
TEST(LaneLogs, AreReadInTheOrderInWhichLanesCame) {
  std::mt19937 numbers(3);
  Logs logs;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> made;
  for (std::uint64_t time = 0; time < 3000; ++time) {
    std::uint32_t lanes = numbers() % 3 == 0 ? ~0u : static_cast<std::uint32_t>(numbers());
    if (numbers() % 4 == 0) lanes &= 0xff;  // the first lanes do more
    if (lanes == 0) continue;
    logs.access(lanes, 0, time << 20, 4);
    made.emplace_back(lanes, time);
  }
  std::vector<Slot> records;
  EXPECT_EQ(logs.take(records), 0u);
  ASSERT_EQ(records.size(), made.size());
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    std::uint64_t last = 0;
    for (const Slot& record : records) {
      if ((activeMaskOf(record) >> lane & 1u) == 0) continue;
      EXPECT_LE(last, record.word[0] >> 20) << lane;
      last = record.word[0] >> 20;
    }
  }
  std::sort(records.begin(), records.end(),
            [](const Slot& a, const Slot& b) { return a.word[0] < b.word[0]; });
  for (std::size_t i = 0; i < made.size(); ++i) EXPECT_EQ(activeMaskOf(records[i]), made[i].first);
}

/// Lanes that were at it when the device failed: their entries tell how far they came.
TEST(LaneLogs, OfLanesThatHaveNotLeft) {
  Logs logs;
  for (int i = 0; i < 5; ++i) logs.access(~0u, 0, 4096, 4);
  for (std::uint32_t lane = 0; lane < 32; ++lane) logs.setRows(lane, 0, format::logIsOpen);
  std::vector<Slot> records;
  EXPECT_EQ(logs.take(records), 0u);
  EXPECT_EQ(records.size(), 5u);
}

TEST(LaneLogs, CountWhatIsNoEntryThoughItShouldBe) {
  Logs logs;
  logs.access(0x1, 0, 4096, 4);
  logs.write(0, {0, 0, 0x1, (launch + 1) << format::logLaunchShift});  // another launch's
  logs.write(1, {0, 0, 0x2, launch << format::logLaunchShift | 31u});  // an access that the kernel has not
  logs.write(2, {0, 0, 0x2, launch << format::logLaunchShift});        // another lane's
  std::vector<Slot> records;
  EXPECT_EQ(logs.take(records), 3u);
  EXPECT_EQ(records.size(), 1u);
}

TEST(LaneLogs, SayHowManyEntriesAreOfNoRecord) {
  Logs logs;
  logs.access(~0u, 0, 4096, 4);
  logs.access(0x3, 0, 8192, 4);
  logs.access(0xc, 0, 8192, 4);
  logs.setRows(1, 0, 1);  // what lane 1 had to say has not arrived
  std::vector<Slot> records;
  EXPECT_EQ(logs.take(records), 1u);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(activeMaskOf(records[0]), ~0u);
  EXPECT_EQ(activeMaskOf(records[1]), 0xcu);
}

}  // namespace
}  // namespace cui::hostlib
