// What kernels add to tallies of shared memory in place of calls, run lane by lane (ptx_warp.h): of an access
// by itself and of several that the same lanes make one after the other.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "cli/compile/tally_text.h"
#include "cuinstrument/format/access_key.h"
#include "ptx_warp.h"

namespace cui::cli::tally_shared_run {
namespace {

constexpr std::uint32_t all = 0xffffffffu;
constexpr std::uint32_t memory = 0x1000400;  // 32 bits, of which a row of the banks begins here
constexpr unsigned bytes = 4;

using Places = std::array<std::uint32_t, warpLanes>;

/// Different words of the bank that has most.
unsigned wavefrontsOf(std::uint32_t lanes, const Places& places) {
  std::map<std::uint32_t, std::set<std::uint32_t>> words;
  for (unsigned lane = 0; lane < warpLanes; ++lane)
    if ((lanes >> lane & 1) != 0) words[places[lane] / 4 % 32].insert(places[lane] / 4);
  std::size_t most = 0;
  for (const auto& [bank, different] : words) most = std::max(most, different.size());
  return static_cast<unsigned>(most);
}

struct Sums {
  std::uint64_t accesses = 0, requests = 0, wavefronts = 0;
  std::uint32_t first = ~0u, last = 0;
  bool operator==(const Sums&) const = default;
};

/// Accesses one after the other, of these tallies.
class Accesses {
 public:
  explicit Accesses(std::vector<unsigned> tallies)
      : tallies_(std::move(tallies)),
        warp_(text()),
        expected_(1 + *std::max_element(tallies_.begin(), tallies_.end())) {
    warp_.constants = {{format::firstKeyAt, 4096 << format::keyShift}};
    warp_.call = [this](const std::string& function, std::uint32_t lanes) { called(function, lanes); };
    for (unsigned lane = 0; lane < warpLanes; ++lane) {
      warp_.at("%cuil", lane) = (1u << lane) - 1;
      for (std::size_t tally = 0; tally < expected_.size(); ++tally)
        warp_.at("%cuia" + std::to_string(tally), lane) = all;
    }
  }
  /// `places`: of each access.
  void make(std::uint32_t lanes, const std::vector<Places>& places) {
    for (std::size_t i = 0; i < places.size(); ++i)
      for (unsigned lane = 0; lane < warpLanes; ++lane)
        warp_.at("%rd" + std::to_string(i), lane) = places[i][lane];
    ASSERT_EQ(warp_.run(lanes), "");
    for (std::size_t i = 0; i < places.size(); ++i) {
      Sums& sums = expected_[tallies_[i]];
      ++sums.requests;
      sums.wavefronts += wavefrontsOf(lanes, places[i]);
      for (unsigned lane = 0; lane < warpLanes; ++lane) {
        if ((lanes >> lane & 1) == 0) continue;
        ++sums.accesses;
        sums.first = std::min(sums.first, places[i][lane]);
        sums.last = std::max(sums.last, places[i][lane]);
      }
    }
  }
  const std::vector<Sums>& expected() const { return expected_; }
  std::vector<Sums> tallied() {
    std::vector<Sums> sums(expected_.size());
    for (std::size_t i = 0; i < sums.size(); ++i)
      for (unsigned lane = 0; lane < warpLanes; ++lane) {
        const auto of = [&](const char* kind) { return warp_.at("%cui" + (kind + std::to_string(i)), lane); };
        sums[i].accesses += of("n") & 0xffffu;
        sums[i].requests += of("n") >> 16;
        sums[i].wavefronts += of("c32s");
        sums[i].first = std::min(sums[i].first, static_cast<std::uint32_t>(of("a")));
        if (of("n") != 0) sums[i].last = std::max(sums[i].last, static_cast<std::uint32_t>(of("b")));
      }
    return sums;
  }
  void setAccesses(unsigned tally, unsigned lane, unsigned accesses) {
    warp_.at("%cuin" + std::to_string(tally), lane) = accesses;
  }
  /// By which function; the question for wavefronts is none of these.
  const std::vector<std::string>& calls() const { return calls_; }
  unsigned wavefrontsAsked() const { return wavefrontsAsked_; }
  unsigned votes() { return warp_.asked["vote"]; }

 private:
  std::string text() const {
    const TallyText text("state", 7);
    std::vector<AccessOfTally> accesses;
    std::vector<std::string> names;  // operands are views
    names.reserve(tallies_.size());
    for (const unsigned number : tallies_) {
      const auto i = static_cast<unsigned>(accesses.size());
      names.push_back("%rd" + std::to_string(i));
      accesses.push_back({{number, 8 * number + 2, bytes, true, true}, {i, "%r1", names.back()}});
    }
    if (accesses.size() == 1)
      return text.access(accesses[0].tally, accesses[0].access) + "bra.uni $end;\n" +
             text.otherwise(accesses[0].tally, accesses[0].access, {}) + "$end:\n";
    return text.together(accesses) + "bra.uni $end;\n" + text.otherwiseTogether(accesses, {}) + "$end:\n";
  }
  void called(const std::string& function, std::uint32_t lanes) {
    if (function.find("15tallyWavefronts") == std::string::npos) return calls_.push_back(function);
    ++wavefrontsAsked_;
    Places places{};
    for (unsigned lane = 0; lane < warpLanes; ++lane)
      places[lane] = static_cast<std::uint32_t>(warp_.at("param0", lane));
    for (unsigned lane = 0; lane < warpLanes; ++lane) warp_.at("retval0", lane) = wavefrontsOf(lanes, places);
  }

  std::vector<unsigned> tallies_;
  PtxWarp warp_;
  std::vector<Sums> expected_;
  std::vector<std::string> calls_;
  unsigned wavefrontsAsked_ = 0;
};

/// By the tallies of accesses that are together.
class TallyOfSharedRun : public testing::TestWithParam<std::vector<unsigned>> {
 protected:
  /// Of each access, words less than so many behind a place.
  std::vector<Places> among(unsigned words) {
    std::vector<Places> each(GetParam().size());
    for (Places& places : each) {
      const std::uint32_t base = memory + 4 * (numbers_() % 500);
      for (std::uint32_t& place : places) place = base + 4 * (numbers_() % words);
    }
    return each;
  }
  std::uint32_t someLanes(unsigned time) {
    return time % 3 == 0 ? all : time % 3 == 1 ? numbers_() | 1 : 1u << numbers_() % 32;
  }
  std::mt19937 numbers_{1};
};

TEST_P(TallyOfSharedRun, CostsAreWavefronts) {
  for (const unsigned words : {1u, 2u, 31u, 32u, 33u, 64u, 65u, 100u, 2000u}) {
    Accesses accesses(GetParam());
    for (unsigned time = 0; time < 100; ++time) {
      accesses.make(someLanes(time), among(words));
      ASSERT_EQ(accesses.tallied(), accesses.expected()) << words << " words, time " << time;
    }
    EXPECT_TRUE(accesses.calls().empty());
    if (words <= 33) {
      EXPECT_EQ(accesses.wavefrontsAsked(), 0u) << words;
    } else if (words >= 2000) {
      EXPECT_GT(accesses.wavefrontsAsked(), 0u);
    }
  }
}

TEST_P(TallyOfSharedRun, OneVoteIsForAll) {
  Accesses accesses(GetParam());
  accesses.make(all, among(32));
  EXPECT_EQ(accesses.votes(), 1u);
}

TEST_P(TallyOfSharedRun, WhatIsNotAlignedIsRecordedAndTheOthersTallied) {
  Accesses accesses(GetParam());
  std::vector<Places> places = among(32);
  places.back()[7] += 1;
  accesses.make(all, places);
  ASSERT_EQ(accesses.calls().size(), 2u);  // what there is is added first
  EXPECT_NE(accesses.calls()[0].find("8addTally"), std::string::npos);
  EXPECT_NE(accesses.calls()[1].find("15recordUntallied"), std::string::npos);
  const std::vector<Sums> sums = accesses.tallied();
  EXPECT_EQ(sums[GetParam().back()].accesses, 0u);
  for (std::size_t tally = 0; tally < sums.size(); ++tally)
    if (tally != GetParam().back()) {
      EXPECT_EQ(sums[tally].accesses, accesses.expected()[tally].accesses);
    }
}

TEST_P(TallyOfSharedRun, AFullTallyIsAddedFirst) {
  Accesses accesses(GetParam());
  accesses.setAccesses(GetParam().front(), 3, 32768);
  accesses.make(all, among(32));
  ASSERT_GE(accesses.calls().size(), 2u);
  EXPECT_NE(accesses.calls()[0].find("8addTally"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Together, TallyOfSharedRun,
                         testing::Values(std::vector<unsigned>{0}, std::vector<unsigned>{0, 1},
                                         std::vector<unsigned>{0, 0}, std::vector<unsigned>{0, 1, 0},
                                         std::vector<unsigned>{0, 1, 2, 3}));

}  // namespace
}  // namespace cui::cli::tally_shared_run
