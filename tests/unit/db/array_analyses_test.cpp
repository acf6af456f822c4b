// Analyses of arrays and values, on traces made by hand.
#include <gtest/gtest.h>

#include "tests/unit/db/analyses_fixture.h"

namespace cui::db {
namespace {

using namespace test;

using HotSectors = AccessAnalyses;

TEST_F(HotSectors, OneSectorThatTakesAQuarter) {
  allocate(0x10000, 4096, 10);
  Slots slots;
  for (std::uint32_t i = 0; i < 4096; ++i)  // every fourth request is for the sector at offset 64
    slots.push_back(
        header(i % 4 == 0 ? 1 : 0, 0x10000 + (i % 4 == 0 ? 64 : 128 + i % 64 * 32), 4, 1, 4, Space::global));
  launch(1, slots);
  const std::vector<Finding> findings = run("hot_sectors");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict,
            "hot sector: the 32 bytes at offset 64 of d_in take 1024 of 4096 requests (25 %) in launch 1");
  EXPECT_EQ(findings[0].severity, Finding::Severity::warning);  // they are stores
  EXPECT_EQ(findings[0].expression, "out[i]");
}

TEST_F(HotSectors, RequestsOfOtherLaunchesDoNotAddUp) {
  allocate(0x10000, 4096, 10);
  const Slots slots(512, header(0, 0x10000, 4, 1, 4, Space::global));
  for (std::uint64_t id = 1; id <= 4; ++id) launch(id, slots);
  EXPECT_TRUE(run("hot_sectors").empty());
}

using PeakMemory = AccessAnalyses;

TEST_F(PeakMemory, WhatIsAliveAtThePeakForNothing) {
  // a (1,000 bytes) is used before c comes, and freed after; b (3,000) is used only when a is gone.
  allocate(0x10000, 1000, 10);
  allocate(0x20000, 3000, 20);
  launch(1, {header(1, 0x10000, 4, ~0u, 4, Space::global)});
  allocate(0x30000, 2000, 2000);
  launch(3, {header(1, 0x30000, 4, ~0u, 4, Space::global)});
  EXPECT_OK(writer_->setFreed(0x10000, "cudaFree", 4000));
  EXPECT_OK(writer_->setFreed(0x30000, "cudaFree", 4100));
  launch(5, {header(1, 0x20000, 4, ~0u, 4, Space::global)});
  EXPECT_OK(writer_->setFreed(0x20000, "cudaFree", 6000));
  std::vector<Finding> findings = run("lifetimes");
  std::erase_if(findings, [](const Finding& each) { return each.verdict.find("peak") == std::string::npos; });
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].verdict,
            "allocated early: d_in (3000 bytes) takes part of the peak of 6000 bytes, and is not used before "
            "somebody "
            "else is freed");
  EXPECT_EQ(
      findings[1].verdict,
      "freed late: d_in (1000 bytes) takes part of the peak of 6000 bytes, and is not used any more by then");
  // At most one of them at a time.
  EXPECT_EQ(findings[0].numbers[2], (std::pair<std::string, double>("lowest_peak_bytes", 3000)));
}

TEST_F(PeakMemory, NothingToGainWhereAllIsUsedAtThePeak) {
  allocate(0x10000, 1000, 10);
  allocate(0x20000, 3000, 20);
  launch(1, {header(1, 0x10000, 4, ~0u, 4, Space::global), header(0, 0x20000, 4, ~0u, 4, Space::global)});
  EXPECT_OK(writer_->setFreed(0x10000, "cudaFree", 4000));
  EXPECT_OK(writer_->setFreed(0x20000, "cudaFree", 4000));
  for (const Finding& finding : run("lifetimes")) EXPECT_EQ(finding.verdict.find("peak"), std::string::npos);
}

using Values = AccessAnalyses;

TEST_F(Values, FewAndMostlyZero) {
  Slots slots;
  std::vector<float> few(32), sparse(32);
  for (int i = 0; i < 32; ++i) few[static_cast<std::size_t>(i)] = 1.1f + static_cast<float>(i % 3);
  sparse[5] = 2;
  for (int i = 0; i < 32; ++i) appendWithValues(slots, 0, 0x10000, few);    // 1,024 of 3 values
  for (int i = 0; i < 2; ++i) appendWithValues(slots, 1, 0x20000, sparse);  // 62 of 64 are 0
  launch(1, slots);
  const std::vector<Finding> findings = run("values");
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].verdict, "few values: 3 different ones among 1024 loaded");
  EXPECT_EQ(findings[1].verdict, "mostly zero: 97 % of 64 stored values");
}

TEST_F(Values, FloatsThatHalfWouldHold) {
  Slots slots;
  std::vector<float> narrow(32), wide(32);
  for (std::size_t i = 0; i < 32; ++i) {
    narrow[i] = 0.5f + 3.0f * static_cast<float>(i);  // at most 8 bits
    wide[i] = 4097.0f + static_cast<float>(i);        // half has 11 bits
  }
  appendWithValues(slots, 0, 0x10000, narrow);
  appendWithValues(slots, 1, 0x20000, wide);
  launch(1, slots);
  const std::vector<Finding> findings = run("values");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict, "narrow: each of 32 loaded values fits in 2 of 4 bytes");
}

TEST_F(Values, OneForEachWarp) {
  Slots slots;
  for (float i = 0; i < 40; ++i) appendWithValues(slots, 0, 0x10000, std::vector<float>(32, 1.1f * i));
  launch(1, slots);
  const std::vector<Finding> findings = run("values");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict,
            "duplicated: in each of 40 requests all lanes have one value, at several addresses");
}

TEST_F(Values, AreSaidToBeMissing) {
  launch(1, {header(0, 0x10000, 4, ~0u, 4, Space::global)});
  const std::vector<Finding> findings = run("values");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].severity, Finding::Severity::info);
}

}  // namespace
}  // namespace cui::db
