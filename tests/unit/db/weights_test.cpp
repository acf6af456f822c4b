// How much a finding is worth: what a change would save of its launches' work, on traces made by hand.
#include <gtest/gtest.h>

#include "tests/unit/db/analyses_fixture.h"

namespace cui::db {
namespace {

using namespace test;

class WeightsOfFindings : public AccessAnalyses {
 protected:
  static void add(Slots& slots, std::uint32_t site, std::uint32_t block, std::uint32_t warp,
                  std::uint32_t mask = ~0u) {
    slots.push_back(
        header(site, 0x10000, 4, mask, 4, Space::global, AddressForm::affine, false, block, warp));
  }
  static double numberOf(const Finding& finding, const std::string& name) {
    for (const auto& [each, value] : finding.numbers)
      if (each == name) return value;
    throw std::runtime_error(name);
  }
};

TEST_F(WeightsOfFindings, OneThreadOfABlockWritesItsResult) {
  Slots slots;  // 4 blocks of 8 warps: each warp loads, thread 0 stores
  for (std::uint32_t block = 0; block < 4; ++block)
    for (std::uint32_t warp = 0; warp < 8; ++warp) {
      add(slots, 0, block, warp);
      if (warp == 0) add(slots, 1, block, warp, 1);
    }
  launch(1, slots, 4, 256);
  const std::vector<Finding> findings = run("divergence");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].expression, "out[i]");
  EXPECT_EQ(findings[0].severity, Finding::Severity::info);
  EXPECT_EQ(findings[0].saving, 0);
  EXPECT_EQ(numberOf(findings[0], "fewest_requests"), 4);
}

TEST_F(WeightsOfFindings, OneThreadOfEachWarpDoesItOnce) {
  Slots slots;
  for (std::uint32_t warp = 0; warp < 8; ++warp) {
    add(slots, 0, 0, warp);
    add(slots, 1, 0, warp, 1);
  }
  launch(1, slots, 1, 256);
  const std::vector<Finding> findings = run("divergence");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].severity, Finding::Severity::info);
  EXPECT_EQ(numberOf(findings[0], "fewest_requests"), 8);
}

TEST_F(WeightsOfFindings, OneThreadThatLoopsIsAProblem) {
  Slots slots;  // 32 requests of one thread each, beside 8 full ones
  for (std::uint32_t warp = 0; warp < 8; ++warp) add(slots, 0, 0, warp);
  for (int i = 0; i < 32; ++i) add(slots, 1, 0, 0, 1);
  launch(1, slots, 1, 256);
  const std::vector<Finding> findings = run("divergence");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].severity, Finding::Severity::problem);
  // Eight warps that choose one thread each could do with as few; that this is one warp, totals do not tell.
  EXPECT_EQ(numberOf(findings[0], "fewest_requests"), 8);
  EXPECT_EQ(findings[0].saving, 24.0 / 40);
  EXPECT_NE(findings[0].suggestion, "");
}

TEST_F(WeightsOfFindings, ARareBranchIsNoProblem) {
  Slots slots;  // 2 of 101 requests have 16 threads: one less is 1 %
  for (int i = 0; i < 99; ++i) add(slots, 0, 0, 0);
  for (int i = 0; i < 2; ++i) add(slots, 1, 0, 0, 0xffff);
  launch(1, slots, 1, 32);
  const std::vector<Finding> findings = run("divergence");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].severity, Finding::Severity::info);
  EXPECT_EQ(findings[0].saving, 1.0 / 101);
}

TEST_F(WeightsOfFindings, BlocksSmallerThanAWarpAreNoChoiceOfThreads) {
  Slots slots;  // 16 blocks of 8 threads: 4 warps could
  for (std::uint32_t block = 0; block < 16; ++block) add(slots, 0, block, 0, 0xff);
  launch(1, slots, 16, 8);
  const std::vector<Finding> findings = run("divergence");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].severity, Finding::Severity::problem);
  EXPECT_EQ(numberOf(findings[0], "fewest_requests"), 4);
  EXPECT_EQ(findings[0].suggestion.rfind("blocks have 8 threads", 0), 0u) << findings[0].suggestion;
}

TEST_F(WeightsOfFindings, BlocksOfOneThreadAreNone) {
  Slots slots;
  for (std::uint32_t block = 0; block < 64; ++block) add(slots, 0, block, 0, 1);
  launch(1, slots, 64, 1);
  const std::vector<Finding> findings = run("divergence");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].severity, Finding::Severity::problem);
  EXPECT_EQ(numberOf(findings[0], "fewest_requests"), 2);
}

TEST_F(WeightsOfFindings, ResultsOfBlocksSideBySideAreNoFalseSharing) {
  Slots slots;  // a word for each of 8 blocks, all in one sector
  for (std::uint32_t block = 0; block < 8; ++block)
    slots.push_back(
        header(1, 0x10000 + 4 * block, 4, 1, 4, Space::global, AddressForm::affine, false, block));
  launch(1, slots, 8, 256);
  EXPECT_TRUE(run("contention").empty());
}

TEST_F(WeightsOfFindings, BlocksThatTakeTurnsInASectorAreFalseSharing) {
  Slots slots;
  for (std::uint32_t block = 0; block < 8; ++block)
    slots.push_back(
        header(1, 0x10000 + 4 * block, 32, ~0u, 4, Space::global, AddressForm::affine, false, block));
  launch(1, slots, 8, 32);
  const std::vector<Finding> findings = run("contention");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict,
            "false sharing: 32 of 32 sectors are written by several blocks, each its own bytes");
  EXPECT_EQ(findings[0].severity, Finding::Severity::warning);
}

TEST_F(WeightsOfFindings, AWordForAllOfAWarpIsNoWorseInL1ThanInSharedMemory) {
  Slots slots;  // each of 8 warps: site 0 the same word, site 4 the same 32 doubles
  for (std::uint32_t warp = 0; warp < 8; ++warp) {
    slots.push_back(header(0, 0x10000, 0, ~0u, 4, Space::global, AddressForm::affine, false, 0, warp));
    slots.push_back(header(4, 0x20000, 8, ~0u, 8, Space::global, AddressForm::affine, false, 0, warp));
  }
  launch(1, slots, 1, 256);
  const std::vector<Finding> findings = run("redundancy");
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].expression, "d[i]");
  EXPECT_EQ(findings[0].severity, Finding::Severity::warning);
  EXPECT_EQ(findings[1].expression, "in[i]");
  EXPECT_EQ(findings[1].severity, Finding::Severity::info);
}

TEST_F(WeightsOfFindings, ALaunchCountsByItsPartOfTheTrace) {
  // out[i], 32 sectors for 4, is all of the small launch, and one in nine of what the trace moves.
  launch(1, {header(1, 0, 4096, ~0u, 4, Space::global)});
  launch(2, Slots(64, header(0, 0, 4, ~0u, 4, Space::global)));
  const std::vector<Finding> findings = run("coalescing");
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].expression, "out[i]");
  EXPECT_EQ(findings[0].severity, Finding::Severity::problem);
  EXPECT_DOUBLE_EQ(findings[0].saving, 28.0 / 32 * 32 / (32 + 256));
}

TEST_F(WeightsOfFindings, WhatCostsNextToNothingIsNoProblem) {
  Slots slots(400, header(0, 0, 4, ~0u, 4, Space::global));    // 1,600 sectors
  slots.push_back(header(1, 0, 4096, ~0u, 4, Space::global));  // 32 for 4: 28 of 1,632 are 1.7 %
  launch(1, slots);
  const std::vector<Finding> findings = run("coalescing");
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].verdict, "uncoalesced: 32.0 sectors/request, ideal 4.0");
  EXPECT_EQ(findings[0].severity, Finding::Severity::info);
  EXPECT_DOUBLE_EQ(findings[0].saving, 28.0 / 1632);
}

}  // namespace
}  // namespace cui::db
