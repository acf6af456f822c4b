// The pass that analyses of single accesses share, on one thread and on several.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <stdexcept>
#include <thread>

#include "db/analyses/access_scan.h"
#include "db/analyses/trace_model.h"
#include "tests/unit/db/analyses_fixture.h"

namespace cui::db {
namespace {

using namespace test;

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

TEST_F(Scan, AReaderRefusesASecondThread) {
  record();
  const auto reader = openReader(path_);
  Error inside, outside;
  const Error error = reader->query("SELECT 1", [&](Row) {
    std::int64_t launches = reader->integer("SELECT count(*) FROM launch", inside);  // the same thread may
    EXPECT_EQ(launches, 3);
    std::thread([&] { reader->integer("SELECT count(*) FROM launch", outside); }).join();
    return true;
  });
  EXPECT_OK(error);
  EXPECT_OK(inside);
  EXPECT_EQ(outside.code, ErrorCode::internal);
  EXPECT_NE(outside.message.find("two threads"), std::string::npos) << outside.message;
  std::thread([&] { reader->integer("SELECT count(*) FROM launch", outside); }).join();  // now it may
  EXPECT_OK(outside);
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
