// Analyses of arrays and values, and the pass they share, on traces made by hand.
#include <gtest/gtest.h>

#include <random>

#include "db/analyses/access_scan.h"
#include "db/analyses/trace_model.h"
#include "tests/unit/db/analyses_fixture.h"

namespace cui::db {
namespace {

using namespace test;

/// Lanes from `address` on, as many as `values` has.
template <class Value>
void appendWithValues(Slots& slots, std::uint32_t site, std::uint64_t address,
                      const std::vector<Value>& values) {
  const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << values.size()) - 1);
  slots.push_back(
      header(site, address, sizeof(Value), mask, sizeof(Value), Space::global, AddressForm::affine, true));
  appendBytes(slots, values.data(), 32 * sizeof(Value));
}

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

/// Several chunks, launches and spaces; some accesses with values.
class Scan : public AccessAnalyses {
 protected:
  void record() {
    std::mt19937 random(11);
    allocate(0x100000, 1 << 20, 10);
    for (std::uint64_t id = 1; id <= 3; ++id) {
      Slots slots;
      for (int i = 0; i < 20'000; ++i) {
        const std::uint32_t block = random() % 16, warp = random() % 4, site = random() % 2;
        const std::uint64_t address = 0x100000 + random() % 0x3fc0 * 4;
        if (i % 50 == 0)
          appendWithValues(slots, site, address, std::vector<float>(32, static_cast<float>(random() % 4)));
        else
          slots.push_back(header(i % 7 == 0 ? 2 : site, i % 7 == 0 ? random() % 64 * 4 : address, 4,
                                 random() | 1, 4, i % 7 == 0 ? Space::shared : Space::global,
                                 AddressForm::affine, false, block, warp));
      }
      launch(id, slots, 16, 128);
    }
    EXPECT_OK(writer_->close());
  }
  std::string everything(unsigned threads) const {
    const auto reader = openReader(path_);
    std::vector<const Analysis*> all;
    for (const Analysis& each : analyses()) all.push_back(&each);
    AnalysisOptions options;
    options.threads = threads;
    std::vector<AnalysisResult> results;
    EXPECT_OK(runAnalyses(all, *reader, options, results));
    std::string text;
    for (const AnalysisResult& result : results)
      for (const Finding& finding : result.findings) {
        text += result.name + "|" + finding.expression + "|" + finding.verdict + "|" + finding.why;
        for (const auto& [name, value] : finding.numbers) text += "|" + name + "=" + std::to_string(value);
        for (const Series& series : finding.series)
          for (const auto& [label, value] : series.bars) text += "|" + label + ":" + std::to_string(value);
        text += "\n";
      }
    return text;
  }
};

TEST_F(Scan, FindsTheSameWithAnyNumberOfThreads) {
  record();
  const std::string one = everything(1);
  EXPECT_GT(one.size(), 1000u);
  EXPECT_EQ(everything(2), one);
  EXPECT_EQ(everything(9), one);
}

class Counter : public AccessVisitor {
 public:
  explicit Counter(std::uint64_t failAt = 0) : failAt_(failAt) {}
  void beginLaunch(const Launch& launch) override {
    EXPECT_EQ(open_, 0);
    open_ = launch.id;
    next_ = 0;
  }
  void access(const Access& access) override {
    EXPECT_EQ(access.launch.id, open_);
    EXPECT_EQ(access.sequence, next_++);
    if (++count == failAt_) throw std::runtime_error("visitor");
  }
  void endLaunch(const Launch& launch) override {
    EXPECT_EQ(open_, launch.id);
    open_ = 0;
    ++launches;
  }
  std::uint64_t count = 0, launches = 0;

 private:
  std::uint64_t failAt_, next_ = 0;
  std::int64_t open_ = 0;
};

TEST_F(Scan, ShowsEachVisitorEachAccessInOrder) {
  record();
  const auto reader = openReader(path_);
  TraceModel model;
  EXPECT_OK(TraceModel::load(*reader, model));
  for (const unsigned threads : {1u, 2u, 5u}) {
    std::array<Counter, 3> counters;
    ScanOptions options;
    options.threads = threads;
    std::uint64_t scanned = 0;
    EXPECT_OK(scanAccesses(*reader, model, options, {&counters[0], &counters[1], &counters[2]}, scanned));
    EXPECT_EQ(scanned, 60'000u);
    for (const Counter& counter : counters) EXPECT_EQ(counter.count, 60'000u);
    for (const Counter& counter : counters) EXPECT_EQ(counter.launches, 3u);
  }
}

TEST_F(Scan, EndsWhereAVisitorThrows) {
  record();
  const auto reader = openReader(path_);
  TraceModel model;
  EXPECT_OK(TraceModel::load(*reader, model));
  for (const unsigned threads : {1u, 3u}) {
    Counter good, bad(5000);
    ScanOptions options;
    options.threads = threads;
    std::uint64_t scanned = 0;
    const Error error = scanAccesses(*reader, model, options, {&good, &bad}, scanned);
    EXPECT_EQ(error.code, ErrorCode::internal);
    EXPECT_NE(error.message.find("visitor"), std::string::npos) << error.message;
    EXPECT_EQ(bad.count, 5000u);
  }
}

TEST_F(Scan, IsCancelled) {
  record();
  const auto reader = openReader(path_);
  TraceModel model;
  EXPECT_OK(TraceModel::load(*reader, model));
  Counter counter;
  ScanOptions options;
  options.progress = [](std::uint64_t done, std::uint64_t total) {
    EXPECT_EQ(total, 60'000u);
    return done > 20'000;
  };
  std::uint64_t scanned = 0;
  EXPECT_EQ(scanAccesses(*reader, model, options, {&counter}, scanned).code, ErrorCode::cancelled);
  EXPECT_LT(scanned, 60'000u);
}

}  // namespace
}  // namespace cui::db
