// What kernels for samples write in place of calls, run lane by lane (ptx_warp.h), and read as hostlib does:
// each access is there once, in its warp's order, whatever lanes come and wherever their logs end, and
// nothing is asked of other lanes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "cli/compile/in_place_text.h"
#include "cuinstrument/format/access_key.h"
#include "cuinstrument/format/held_chunk.h"
#include "cuinstrument/format/lane_log.h"
#include "hostlib/lane_logs.h"
#include "ptx_warp.h"
#include "warp_access.h"

namespace cui::cli::logged_run {
namespace {

using Places = std::array<std::uint64_t, warpLanes>;

using Access = WarpAccess;

constexpr std::uint64_t poolBegin = 0x7f0000000000;
constexpr unsigned firstSite = 4096, warpInBlock = 3, launch = 0x1234567, block = 9;

Access accessOf(const hostlib::Slot* record) {
  const hostlib::Slot& header = *record;
  EXPECT_EQ(hostlib::launchKeyOf(header), launch);
  EXPECT_EQ(hostlib::blockOf(header), block);
  EXPECT_EQ(hostlib::warpOf(header), warpInBlock);
  EXPECT_EQ(hostlib::bytesOf(header), 4u);
  return accessIn(record, firstSite);
}

/// Groups of accesses, each of which the same lanes come to, of one kernel.
class Kernel {
 public:
  explicit Kernel(unsigned logs) : logs_(logs) {
    counts_.siteKeys = {0, 8, 16, 24};
    counts_.accesses = 4;
    counts_.table = "accesses";
  }

  void add(const std::vector<WrittenAccess>& accesses) {
    const std::string text = text_.question(accesses.front().call) + text_.logged(accesses);
    const std::string behind = text_.loggedOtherwise(accesses, counts_);
    parts_.push_back({accesses, PtxWarp(text + "bra.uni $end;\n" + behind + "$end:\n")});
    parts_.back().warp.constants = {{format::poolAt, poolBegin},
                                    {format::firstSiteAt, firstSite},
                                    {format::firstKeyAt, firstSite << format::keyShift},
                                    {format::notesBarriersAt, 0}};
    for (const WrittenAccess& access : accesses)
      what_[access.number] = std::uint64_t{access.bytes} << format::logAccessBytesShift | access.site.siteKey;
  }

  /// Runs that part with these lanes at these places, one for each access.
  void run(std::size_t part, std::uint32_t lanes, const std::vector<Places>& places) {
    auto& [accesses, warp] = parts_[part];
    for (unsigned lane = 0; lane < warpLanes; ++lane) {
      warp.at("%cuihlane", lane) = lane;
      warp.at("%cuihbelow", lane) = (1u << lane) - 1;
      warp.at("%cuihtag", lane) = launch << format::logLaunchShift & 0xffffffffu;
      warp.at("%cuihrows", lane) = poolBegin + lane * format::logEntryBytes;
      for (auto& [name, values] : kept_) warp.at(name, lane) = values[lane];
    }
    for (std::size_t i = 0; i < accesses.size(); ++i)
      for (unsigned lane = 0; lane < warpLanes; ++lane)
        warp.at(std::string(accesses[i].address), lane) = places[i][lane];
    warp.call = [this, &warp = warp](const std::string& function, std::uint32_t who) {
      called(warp, function, who);
    };
    wrong_ = warp.run(lanes);
    for (const std::string& name : warp.names())
      if (name == "%cuihlog" || name.starts_with("%cuihc"))
        for (unsigned lane = 0; lane < warpLanes; ++lane) kept_[name][lane] = warp.at(name, lane);
    for (const auto& [address, value] : warp.stored) memory_[address - poolBegin] = value;
    warp.stored.clear();
    asked_ += warp.asked.size();
  }
  const std::string& wrong() const { return wrong_; }
  std::size_t asked() const { return asked_; }
  const std::vector<Access>& byRecorder() const { return byRecorder_; }

  /// All that its lanes have logged.
  std::vector<Access> logged() {
    for (unsigned lane = 0; lane < warpLanes; ++lane) leave(lane);
    std::vector<Access> all;
    hostlib::LaneLogs logs;
    for (auto& [begin, head] : heads_) {
      const std::size_t bytes = format::logBytes(head.isLong != 0);
      const auto slots = std::make_shared<std::vector<hostlib::Slot>>(bytes / sizeof(hostlib::Slot));
      char* const to = reinterpret_cast<char*>(slots->data());
      std::memset(to, 0xa5, bytes);  // what was there before
      const std::uint64_t at = std::uint64_t{begin} * format::logRowBytes;
      for (auto word = memory_.lower_bound(at); word != memory_.end() && word->first < at + bytes; ++word)
        std::memcpy(to + (word->first - at), &word->second, sizeof word->second);
      std::memcpy(to, &head, sizeof head);
      logs.add(slots);
    }
    const std::uint64_t lost = logs.take([&](const std::vector<hostlib::Slot>& records) {
      for (std::size_t i = 0; i < records.size(); i += hostlib::slotsOf(records[i]))
        all.push_back(accessOf(&records[i]));
    });
    EXPECT_EQ(lost, 0u);
    return all;
  }
  /// Of all sites and lanes: records << format::ledShift | lanes that took part in them.
  std::uint64_t counted() const {
    std::uint64_t all = 0;
    for (const auto& [name, values] : kept_)
      if (name.starts_with("%cuihc"))
        for (const std::uint64_t value : values) all += value;
    return all + givenAway_;
  }

 private:
  struct Part {
    std::vector<WrittenAccess> accesses;
    PtxWarp warp;
  };

  void leave(unsigned lane) {
    const auto log = static_cast<std::uint32_t>(kept_["%cuihlog"][lane]);
    if (log == 0) return;
    const unsigned rows = format::logRows((log & format::logIsLong) != 0) - (log & format::logLeftMask);
    heads_.at((log >> format::logRowShift) - rows - 1).rows[lane] = static_cast<std::uint16_t>(rows);
  }
  void called(PtxWarp& warp, const std::string& function, std::uint32_t who) {
    if (function.find("13recordAndHold") != std::string::npos) {
      Access access = {
          static_cast<unsigned>(warp.at("param1", static_cast<unsigned>(std::countr_zero(who))) >> 3) -
              firstSite,
          who,
          {}};
      for (unsigned lane = 0; lane < warpLanes; ++lane) {
        if ((who >> lane & 1) == 0) continue;
        access.places[lane] = warp.at("param2", lane);
        givenAway_ += warp.at("param5", lane);
        warp.at("retval0", lane) = 0;
      }
      byRecorder_.push_back(access);
      return;
    }
    ASSERT_NE(function.find("7logAnew"), std::string::npos) << function;
    EXPECT_EQ(warp.at("param4", static_cast<unsigned>(std::countr_zero(who))), 4u);
    const bool gives = given_ < logs_;
    const unsigned begin = next_;
    const bool isLong = given_ % 3 == 2;
    if (gives) {
      format::LaneLog head{};
      head.launch = launch;
      head.block = block;
      head.warp = warpInBlock;
      head.firstSite = firstSite;
      head.accessCount = 4;
      head.isLong = isLong ? 1 : 0;
      std::copy(what_.begin(), what_.end(), head.accesses);
      heads_[begin] = head;
      next_ += 1 + format::logRows(isLong);
      ++given_;
    }
    for (unsigned lane = 0; lane < warpLanes; ++lane) {
      if ((who >> lane & 1) == 0) continue;
      const std::uint64_t log = warp.at("param1", lane);
      kept_["%cuihlog"][lane] = log;
      if (gives) leave(lane);
      const std::uint64_t begins = std::uint64_t{begin + 1} << format::logRowShift |
                                   (isLong ? format::logIsLong : 0) | format::logRows(isLong);
      warp.at("retval0", lane) = gives ? begins : log;
    }
  }

  InPlaceText text_{"state", 7};
  InPlaceText::Counts counts_;
  unsigned logs_, given_ = 0, next_ = 40;
  std::array<std::uint64_t, 4> what_{};
  std::vector<Part> parts_;
  std::map<std::string, Places> kept_;
  std::map<std::uint64_t, std::uint32_t> memory_;
  std::map<unsigned, format::LaneLog> heads_;  ///< by their rows in the pool
  std::vector<Access> byRecorder_;
  std::uint64_t givenAway_ = 0;
  std::size_t asked_ = 0;
  std::string wrong_;
};

WrittenAccess written(unsigned number, unsigned call, const char* address, format::Space space) {
  WrittenAccess access;
  access.site = {number, number << format::keyShift | static_cast<unsigned>(space)};
  access.number = number;
  access.call = call;
  access.address = address;
  access.bytes = 4;
  access.space = space;
  return access;
}

/// Groups of the kernel's that parts of a warp come to, in any order. `logs`: that there are.
void expectAllThere(unsigned logs, unsigned seed) {
  using format::Space;
  const std::vector<std::vector<WrittenAccess>> parts = {
      {written(0, 0, "%rd1", Space::shared), written(1, 0, "%rd2", Space::shared)},
      {written(2, 1, "%rd3", Space::global), written(3, 1, "%rd4", Space::shared)}};
  Kernel kernel(logs);
  for (const auto& part : parts) kernel.add(part);
  std::mt19937 numbers(seed);
  std::vector<Access> made;
  std::uint64_t counted = 0;
  for (unsigned time = 0; time < 500; ++time) {
    const std::size_t part = numbers() % 2;
    const std::uint32_t some = static_cast<std::uint32_t>(numbers()),
                        two = std::uint32_t{1} << numbers() % 32;
    const std::uint32_t lanes = numbers() % 3 == 0 ? ~0u : numbers() % 2 == 0 ? some | two : two;
    std::vector<Places> places(2);
    for (std::size_t i = 0; i < 2; ++i) {
      const bool shared = parts[part][i].space == Space::shared, line = numbers() % 2 == 0;
      Access access = {parts[part][i].number, lanes, {}};
      for (unsigned lane = 0; lane < warpLanes; ++lane) {
        const std::uint64_t offset = 4 * (line ? lane : numbers() % (shared ? 4096 : 1u << 30));
        places[i][lane] = (shared ? 1024 : 0x7ffe12340000) + offset;
        if ((lanes >> lane & 1) != 0) access.places[lane] = places[i][lane];
      }
      made.push_back(access);
      counted += (1u << format::ledShift) + static_cast<unsigned>(std::popcount(lanes));
    }
    const std::size_t before = kernel.byRecorder().size();
    kernel.run(part, lanes, places);
    ASSERT_EQ(kernel.wrong(), "") << "time " << time;
    // The recorder counts by itself what it is handed.
    for (std::size_t i = before; i < kernel.byRecorder().size(); ++i)
      counted -=
          (1u << format::ledShift) + static_cast<unsigned>(std::popcount(kernel.byRecorder()[i].lanes));
  }
  EXPECT_EQ(kernel.asked(), 0u);
  EXPECT_EQ(kernel.counted(), counted);
  std::vector<Access> all = kernel.logged();
  EXPECT_EQ(kernel.byRecorder().empty(), logs > 100);
  all.insert(all.end(), kernel.byRecorder().begin(), kernel.byRecorder().end());
  // Of each lane in order, those that are logged in front.
  for (unsigned lane = 0; lane < warpLanes; ++lane) {
    const auto ofLane = [lane](const std::vector<Access>& from) {
      std::vector<std::pair<unsigned, std::uint64_t>> result;
      for (const Access& access : from)
        if ((access.lanes >> lane & 1) != 0) result.emplace_back(access.site, access.places[lane]);
      return result;
    };
    auto of = ofLane(made), got = ofLane(all);
    if (!kernel.byRecorder().empty()) {
      std::sort(of.begin(), of.end());
      std::sort(got.begin(), got.end());
    }
    ASSERT_EQ(of, got) << "lane " << lane;
  }
  std::sort(made.begin(), made.end());
  std::sort(all.begin(), all.end());
  EXPECT_TRUE(made == all);
}

TEST(LoggedRun, LogsEachAccessOnce) {
  for (unsigned seed = 1; seed < 6; ++seed) expectAllThere(100000, seed);
}
TEST(LoggedRun, HandsTheRecorderWhatNoLogIsThereFor) {
  for (const unsigned logs : {0u, 1u, 4u}) expectAllThere(logs, 7 + logs);
}

}  // namespace
}  // namespace cui::cli::logged_run
