// What kernels add to a site's tally in place of a call, run lane by lane (ptx_warp.h): what accesses cost,
// whichever way finds it out.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "cli/compile/tally_text.h"
#include "cuinstrument/format/access_key.h"
#include "ptx_warp.h"

namespace cui::cli::tally_run {
namespace {

constexpr std::uint64_t memory = 0x7ffe00000000;
constexpr std::uint32_t all = 0xffffffffu;

/// Of requests together.
struct Cost {
  std::uint64_t requests = 0, accesses = 0, sectors = 0, idealSectors = 0, places = 0;
  std::uint64_t first = ~std::uint64_t{0}, last = 0;
  bool operator==(const Cost&) const = default;
};

class Site {
 public:
  explicit Site(unsigned bytes) : tally_{0, 41, bytes, false, false}, warp_(text()) {
    warp_.constants = {{format::firstKeyAt, 4096 << format::keyShift}};
    warp_.call = [this](const std::string& function, std::uint32_t who) { called(function, who); };
    for (unsigned lane = 0; lane < warpLanes; ++lane) {
      warp_.at("%cuil", lane) = (1u << lane) - 1;
      warp_.at("%laneid", lane) = lane;
      warp_.at("%cuiw0", lane) = warp_.at("%cuia0", lane) = all;
    }
  }

  void access(std::uint32_t lanes, const std::array<std::uint64_t, warpLanes>& places) {
    for (unsigned lane = 0; lane < warpLanes; ++lane) warp_.at("%rd1", lane) = places[lane];
    ASSERT_EQ(warp_.run(lanes), "");
    add(lanes, places);
  }
  Cost expected() const { return expected_; }
  /// What all lanes' tallies say.
  Cost tallied() {
    constexpr std::uint64_t mask = (std::uint64_t{1} << format::tallyBits) - 1;
    Cost cost;
    for (unsigned lane = 0; lane < warpLanes; ++lane) {
      const std::uint64_t n = warp_.at("%cuin0", lane), c = warp_.at("%cuic64s0", lane);
      cost.accesses += n & 0xffffu;
      cost.requests += n >> 16;
      cost.sectors += c & mask;
      cost.idealSectors += c >> format::tallyBits & mask;
      cost.places += c >> (2 * format::tallyBits);
      cost.first = std::min(cost.first, memory | warp_.at("%cuia0", lane));
      if (n != 0) cost.last = std::max(cost.last, memory | warp_.at("%cuib0", lane));
    }
    return cost;
  }
  /// How many have been asked for so, of all accesses.
  unsigned asked(const std::string& question) { return warp_.asked[question]; }
  const std::vector<std::string>& calls() const { return calls_; }

 private:
  std::string text() const {
    const TallyText text("state", 7);
    const TalliedAccess access{0, "%r1", "%rd1"};
    return text.access(tally_, access) + "bra.uni $end;\n" + text.otherwise(tally_, access, {}) + "$end:\n";
  }
  void called(const std::string& function, std::uint32_t) { calls_.push_back(function); }
  void add(std::uint32_t lanes, const std::array<std::uint64_t, warpLanes>& places) {
    std::set<std::uint64_t> sectors, different;
    for (unsigned lane = 0; lane < warpLanes; ++lane) {
      if ((lanes >> lane & 1) == 0) continue;
      ++expected_.accesses;
      sectors.insert(places[lane] / 32);
      different.insert(places[lane]);
    }
    ++expected_.requests;
    expected_.sectors += sectors.size();
    expected_.places += different.size();
    expected_.idealSectors += (different.size() * tally_.bytes + 31) / 32;
    expected_.first = std::min(expected_.first, *different.begin());
    expected_.last = std::max(expected_.last, *different.rbegin());
  }

  Tally tally_;
  PtxWarp warp_;
  std::vector<std::string> calls_;
  Cost expected_;
};

class TallyRun : public testing::TestWithParam<unsigned> {
 protected:
  /// Some lanes at places of so many, many times.
  void run(Site& site, unsigned ofPlaces, unsigned times = 200) {
    std::mt19937 numbers(ofPlaces);
    for (unsigned time = 0; time < times; ++time) {
      const std::uint32_t lanes = time % 3 == 0 ? all : time % 3 == 1 ? numbers() | 1 : 1u << numbers() % 32;
      std::array<std::uint64_t, warpLanes> places{};
      const std::uint64_t base = memory + std::uint64_t{GetParam()} * (numbers() % 100000);
      for (std::uint64_t& place : places) place = base + std::uint64_t{GetParam()} * (numbers() % ofPlaces);
      site.access(lanes, places);
      ASSERT_EQ(site.tallied(), site.expected()) << ofPlaces << " places, time " << time;
    }
    EXPECT_TRUE(site.calls().empty());
  }
};

TEST_P(TallyRun, CostsAreThoseOfSectorsAndPlaces) {
  Site site(GetParam());
  for (const unsigned places : {1u, 2u, 5u, 31u, 32u, 33u, 64u, 100u, 127u, 128u, 129u, 200u, 5000u})
    run(site, places);
}

TEST_P(TallyRun, PlacesNearOneAnotherAreNotSorted) {
  Site near(GetParam()), further(GetParam()), far(GetParam());
  run(near, std::min(128u, 31 * 32 / GetParam()));
  EXPECT_EQ(near.asked("match.any") + near.asked("shfl"), 0u);
  run(further, 255 * 32 / GetParam());
  EXPECT_EQ(further.asked("match.any") + further.asked("shfl"), 0u);
  run(far, 65536);
  EXPECT_GT(far.asked("match.any"), 0u);
  EXPECT_GT(far.asked("shfl"), 0u);
}

TEST_P(TallyRun, WhatIsNotAlignedIsRecorded) {
  if (GetParam() == 1) return;
  Site site(GetParam());
  std::array<std::uint64_t, warpLanes> places{};
  places.fill(memory);
  places[7] += 1;
  site.access(all, places);
  ASSERT_EQ(site.calls().size(), 2u);  // what there is is added first
  EXPECT_NE(site.calls()[0].find("8addTally"), std::string::npos);
  EXPECT_NE(site.calls()[1].find("15recordUntallied"), std::string::npos);
  EXPECT_EQ(site.tallied().accesses, 0u);
}

INSTANTIATE_TEST_SUITE_P(Bytes, TallyRun, testing::Values(1u, 2u, 4u, 8u, 16u),
                         [](const auto& one) { return std::to_string(one.param); });

}  // namespace
}  // namespace cui::cli::tally_run
