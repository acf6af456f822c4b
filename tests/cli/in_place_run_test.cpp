// What kernels write in place of calls, run lane by lane (ptx_warp.h): each record says what its lanes
// accessed, whatever they are to each other, and no question is put to lanes that do not come.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "cli/compile/in_place_text.h"
#include "cuinstrument/format/access_key.h"
#include "cuinstrument/format/held_chunk.h"
#include "hostlib/device_forms.h"
#include "ptx_warp.h"
#include "warp_access.h"

namespace cui::cli::in_place_run {
namespace {

using Places = std::array<std::uint64_t, warpLanes>;

using Access = WarpAccess;

constexpr std::uint64_t poolBegin = 0x7f0000000000;
constexpr unsigned sites = 4, firstSite = 4096, tag = 0x5a, warpInBlock = 3, launch = 77, block = 9;

/// Accesses in place, one behind the other, of one kernel whose lanes go on with what they have.
class Kernel {
 public:
  Kernel(bool sample, bool givesChunks, unsigned counted) : sample_(sample), givesChunks_(givesChunks) {
    for (unsigned site = 0; site < sites; ++site) {
      kept_["%cuihc" + std::to_string(site)].fill(std::uint64_t{counted} << format::ledShift);
      inPlace_ += warpLanes * (std::uint64_t{counted} << format::ledShift);
    }
  }

  /// What stands for these accesses, as far as they are pairs as such.
  void add(std::vector<WrittenAccess> accesses) {
    std::string text = text_.question(accesses.front().call), behind;
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      const bool pair = i + 1 < accesses.size() && InPlaceText::arePair(accesses[i], accesses[i + 1]);
      text += pair ? text_.pair(accesses[i], accesses[i + 1]) : text_.access(accesses[i]);
      behind += pair ? text_.pairOtherwise(accesses[i], accesses[i + 1]) : text_.otherwise(accesses[i]);
      i += pair ? 1 : 0;
    }
    parts_.push_back({accesses, PtxWarp(text + "bra.uni $end;\n" + behind + "$end:\n")});
    PtxWarp& warp = parts_.back().warp;
    warp.constants = {
        {format::poolAt, poolBegin}, {format::firstSiteAt, firstSite}, {format::firstKeyAt, firstSite << 3}};
  }

  /// Runs that part with these lanes at these places, one for each access. Returns what it writes, in order.
  std::vector<Access> run(std::size_t part, std::uint32_t lanes, const std::vector<Places>& places) {
    auto& [accesses, warp] = parts_[part];
    copyTo(warp);
    byRecorder_.clear();
    for (std::size_t i = 0; i < accesses.size(); ++i)
      for (unsigned lane = 0; lane < warpLanes; ++lane)
        warp.at(std::string(accesses[i].address), lane) = places[i][lane];
    warp.call = [this, &warp = warp](const std::string& function, std::uint32_t who) {
      called(warp, function, who);
    };
    wrong_ = warp.run(lanes);
    copyFrom(warp);
    std::vector<Access> all = recordsIn(warp);
    for (const Access& access : all)
      inPlace_ += (1u << format::ledShift) + static_cast<unsigned>(std::popcount(access.lanes));
    all.insert(all.end(), byRecorder_.begin(), byRecorder_.end());
    return all;
  }
  const std::string& wrong() const { return wrong_; }
  /// Of all sites and lanes: records << format::ledShift | lanes that took part in them.
  std::uint64_t counted() const {
    std::uint64_t all = counted_;
    for (const auto& [name, values] : kept_)
      if (name.starts_with("%cuihc"))
        for (const std::uint64_t value : values) all += value;
    return all;
  }
  std::uint64_t inPlace() const { return inPlace_; }

 private:
  struct Part {
    std::vector<WrittenAccess> accesses;
    PtxWarp warp;
  };

  /// What lanes have in registers from one part to the next.
  static bool isKept(const std::string& name) {
    return name == "%cuihn" || name == "%cuihr" || name.starts_with("%cuihc") || name.starts_with("%cuihk");
  }
  void copyTo(PtxWarp& warp) {
    for (unsigned lane = 0; lane < warpLanes; ++lane) {
      warp.at("%cuihlane", lane) = lane;
      warp.at("%cuihbelow", lane) = (1u << lane) - 1;
      warp.at("%cuihlaunch", lane) = launch;
      warp.at("%cuihblock", lane) = block;
      warp.at("%cuihwarp", lane) = warpInBlock | (sample_ ? 0x80000000u : 0);
      for (unsigned rule = 0; rule < 12; ++rule) {
        const std::string name = "%cuihk" + std::to_string(rule);
        if (kept_.count(name) == 0) kept_[name].fill(0xffffffffu);
      }
      for (auto& [name, values] : kept_) warp.at(name, lane) = values[lane];
    }
  }
  void copyFrom(PtxWarp& warp) {
    for (const std::string& name : warp.names())
      if (isKept(name))
        for (unsigned lane = 0; lane < warpLanes; ++lane) kept_[name][lane] = warp.at(name, lane);
  }

  void called(PtxWarp& warp, const std::string& function, std::uint32_t who) {
    const unsigned leader = static_cast<unsigned>(std::countr_zero(who));
    if (function.find("13recordAndHold") != std::string::npos) {
      Access access = {static_cast<unsigned>(warp.at("param1", leader) >> 3) - firstSite, who, {}};
      for (unsigned lane = 0; lane < warpLanes; ++lane)
        if ((who >> lane & 1) != 0) access.places[lane] = warp.at("param2", lane);
      byRecorder_.push_back(access);
      for (unsigned lane = 0; lane < warpLanes; ++lane)
        if ((who >> lane & 1) != 0) counted_ += warp.at("param5", lane);
      // Its functions keep few registers: what lanes hold in registers is given to it and taken back.
      for (unsigned lane = 0; lane < warpLanes; ++lane) warp.at("retval0", lane) = 0;
      return;
    }
    ASSERT_NE(function.find("8holdAnew"), std::string::npos) << function;
    for (unsigned lane = 0; lane < warpLanes; ++lane) {
      if ((who >> lane & 1) == 0) continue;
      const bool large = sample_ && lane == leader;
      const std::uint64_t room = large ? 40 : 8;  // few, or they would last too long
      const std::uint64_t above = room << format::heldRoomShift | (large ? format::heldLarge : 0) | tag;
      warp.at("retval0", lane) = givesChunks_ ? above << 32 | nextSlot_ : 0;
      for (std::uint64_t slot = 0; slot < room; ++slot) free_.insert(nextSlot_ + slot);
      nextSlot_ += room;
    }
  }

  std::vector<Access> recordsIn(const PtxWarp& warp) {
    std::map<std::uint64_t, hostlib::Slot> slots;
    for (const auto& [address, value] : warp.stored) {
      const std::uint64_t at = address - poolBegin;
      std::uint64_t& word = slots[at / format::slotBytes].word[at % format::slotBytes / 8];
      word |= std::uint64_t{value} << (at % 8 * 8);
    }
    std::vector<Access> all;
    for (const auto& [number, slot] : slots) EXPECT_TRUE(free_.erase(number) == 1) << "slot " << number;
    for (auto slot = slots.begin(); slot != slots.end();) {
      const std::uint64_t first = slot->first;
      const hostlib::Slot& header = slot->second;
      const std::uint32_t payload = format::payloadSlots(hostlib::flagsOf(header), hostlib::bytesOf(header));
      std::vector<hostlib::Slot> record;
      for (std::uint64_t i = 0; i <= payload; ++i)
        record.push_back(slots.count(first + i) != 0 ? slots.at(first + i) : hostlib::Slot{});
      all.push_back(accessOf(record));
      slot = slots.upper_bound(first + payload);
    }
    return all;
  }
  static Access accessOf(std::vector<hostlib::Slot> record) {
    EXPECT_EQ(hostlib::generationA(record[0].word[1]), tag);
    EXPECT_EQ(hostlib::generationB(record[0].word[2]), tag);
    EXPECT_EQ(hostlib::warpOf(record[0]), warpInBlock);
    EXPECT_EQ(hostlib::launchKeyOf(record[0]), launch);
    EXPECT_EQ(record[0].word[3] & 0xffffffffu, block);
    if (hostlib::hasDeviceForm(record[0])) {
      std::vector<hostlib::Slot> known;
      hostlib::expandDeviceForm(record.data(), known);
      record = known;
    }
    return accessIn(record.data(), firstSite);
  }

  InPlaceText text_{"state", 7};
  bool sample_, givesChunks_;
  std::vector<Part> parts_;
  std::map<std::string, Places> kept_;
  std::vector<Access> byRecorder_;
  std::uint64_t nextSlot_ = 100;
  std::set<std::uint64_t> free_;  ///< slots of chunks, to which nothing has been written
  std::uint64_t counted_ = 0, inPlace_ = 0;
  std::string wrong_;
};

WrittenAccess accessOf(unsigned number, unsigned call, const char* address, format::Space space) {
  const unsigned key = number << format::keyShift | static_cast<unsigned>(space);
  WrittenAccess access;
  access.site = {number, key};
  access.number = number;
  access.call = call;
  access.address = address;
  access.bytes = 4;
  access.space = space;
  return access;
}

class Choice {
 public:
  explicit Choice(unsigned seed) : numbers_(seed) {}
  unsigned below(unsigned end) { return static_cast<unsigned>(numbers_() % end); }

  std::uint32_t lanes() {
    switch (below(4)) {
      case 0:
        return 1u << below(32);
      case 1:
        return std::max(1u, static_cast<std::uint32_t>(numbers_()));
      case 2:
        return 0xffffffffu >> below(32);
      default:
        return 0xffffffffu;
    }
  }
  Places places(format::Space space) {
    Places result = {};
    const bool shared = space == format::Space::shared;
    const std::uint64_t base = shared ? 8192 + words(2048) : 0x7ffe12340000 + words(4096);
    const std::uint64_t stride = words(5), row = words(200);
    const unsigned how = below(6), bits = 1 + below(4);
    for (unsigned lane = 0; lane < warpLanes; ++lane) {
      std::uint64_t offset = 0;
      if (how == 0 || how == 1) offset = stride * lane;
      if (how == 2 || how == 3) offset = stride * (lane & ((1u << bits) - 1)) + row * (lane >> bits);
      if (how == 4) offset = words(2000);
      if (how == 5) offset = shared ? words(3) : numbers_() * std::uint64_t{256};  // also too far for 32 bits
      result[lane] = base + offset;
    }
    return result;
  }
  std::uint64_t words(unsigned end) { return std::uint64_t{4} * below(end); }

 private:
  std::mt19937 numbers_;
};

Access madeBy(const WrittenAccess& access, std::uint32_t lanes, const Places& places) {
  Access made = {access.number, lanes, {}};
  for (unsigned lane = 0; lane < warpLanes; ++lane)
    if ((lanes >> lane & 1) != 0) made.places[lane] = places[lane];
  return made;
}

/// Whether it records what is accessed. Its sites' counts are somewhere in between.
void expectRecords(Kernel& kernel, const std::vector<std::vector<WrittenAccess>>& parts, unsigned seed) {
  Choice choice(seed);
  std::vector<Places> before;
  for (unsigned time = 0; time < 400; ++time) {
    const bool again = !before.empty() && choice.below(2) == 0;  // at the places of the part in front
    const std::uint32_t first = choice.lanes();
    for (std::size_t part = 0; part < parts.size(); ++part) {
      const std::uint32_t lanes = part == 0              ? first
                                  : choice.below(2) == 0 ? first
                                                         : std::max(1u, first & choice.lanes());
      std::vector<Places> places;
      std::vector<Access> made;
      for (std::size_t i = 0; i < parts[part].size(); ++i) {
        const bool same = part != 0 && choice.below(4) != 0;
        places.push_back(same                 ? before[i]
                         : again && part == 0 ? before[i]
                                              : choice.places(parts[part][i].space));
        made.push_back(madeBy(parts[part][i], lanes, places[i]));
      }
      if (part == 0) before = places;
      std::vector<Access> recorded = kernel.run(part, lanes, places);
      ASSERT_EQ(kernel.wrong(), "") << "time " << time << ", part " << part;
      std::sort(made.begin(), made.end());
      std::sort(recorded.begin(), recorded.end());
      ASSERT_EQ(recorded.size(), made.size()) << "time " << time << ", part " << part;
      for (std::size_t i = 0; i < made.size(); ++i)
        ASSERT_TRUE(recorded[i] == made[i])
            << "time " << time << ", part " << part << ", site " << made[i].site << ", lanes "
            << made[i].lanes << " recorded " << recorded[i].lanes;
    }
  }
  EXPECT_EQ(kernel.counted(), kernel.inPlace());
}

struct Case {
  const char* name;
  bool sample, gives;
  unsigned counted = 0;  ///< records that each lane has led at each site before
};
class InPlaceRun : public testing::TestWithParam<Case> {
 protected:
  void expect(const std::vector<std::vector<WrittenAccess>>& parts) {
    Kernel kernel(GetParam().sample, GetParam().gives, GetParam().counted);
    for (const auto& part : parts) kernel.add(part);
    expectRecords(kernel, parts, static_cast<unsigned>(parts.size()));
  }
};

TEST_P(InPlaceRun, OfOneAccess) {
  for (const format::Space space : {format::Space::global, format::Space::shared, format::Space::generic}) {
    WrittenAccess access = accessOf(0, 0, "%rd1", space);
    expect({{access}});
  }
}

TEST_P(InPlaceRun, OfTwo) {
  expect({{accessOf(0, 0, "%rd1", format::Space::shared), accessOf(1, 0, "%rd2", format::Space::shared)}});
  expect({{accessOf(0, 0, "%rd1", format::Space::global), accessOf(1, 0, "%rd2", format::Space::shared),
           accessOf(2, 0, "%rd3", format::Space::shared)}});
}

TEST_P(InPlaceRun, OfWhatWasAccessedBefore) {
  std::vector<WrittenAccess> loads, stores;
  for (unsigned i = 0; i < 2; ++i) {
    const char* const address = i == 0 ? "%rd1" : "%rd2";
    loads.push_back(accessOf(i, 0, address, format::Space::shared));
    loads.back().keeps = i;
    loads.back().rules = 2;
    stores.push_back(accessOf(2 + i, 1, address, format::Space::shared));
    stores.back().asks = i;
    stores.back().rules = 2;
  }
  expect({loads, stores});
  expect({{loads[0]}, {stores[0]}});
}

constexpr Case cases[] = {{"Trace", false, true},
                          {"Sample", true, true},
                          {"NoChunks", false, false},
                          {"CountsNearlyFull", true, true, 4090}};
INSTANTIATE_TEST_SUITE_P(All, InPlaceRun, testing::ValuesIn(cases),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace cui::cli::in_place_run
