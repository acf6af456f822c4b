// A trace made by hand, and what an analysis finds in it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "db/analyses/analyses.h"
#include "tests/unit/db/read_back.h"
#include "tests/unit/db/trace_fixture.h"

namespace cui::db::test {

/// Lanes from `address` on, as many as `values` has.
template <class Value>
void appendWithValues(Slots& slots, std::uint32_t site, std::uint64_t address,
                      const std::vector<Value>& values) {
  const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << values.size()) - 1);
  slots.push_back(
      header(site, address, sizeof(Value), mask, sizeof(Value), Space::global, AddressForm::affine, true));
  appendBytes(slots, values.data(), 32 * sizeof(Value));
}

class AccessAnalyses : public testing::Test {
 protected:
  void SetUp() override {
    WriterOptions options;
    options.backend = "cpu";
    writer_ = openWriter(path_, options);
  }

  /// d_in of the fixture's unit, `bytes` at `address`.
  void allocate(std::uint64_t address, std::uint64_t bytes, std::int64_t timeNs, std::uint64_t pitch = 0) {
    AllocationRow row;
    row.unit = &unit;
    row.api = "cudaMalloc";
    row.address = address;
    row.bytes = bytes;
    row.pitch = pitch;
    row.timeNs = timeNs;
    EXPECT_OK(writer_->addAllocation(row));
  }
  void fill(std::uint64_t address, std::uint64_t bytes, std::int64_t timeNs) {
    MemoryOperationRow row;
    row.unit = &unit;
    row.entry = 1;
    row.api = "cudaMemset";
    row.direction = -1;
    row.destination = address;
    row.bytes = bytes;
    row.beginNs = row.endNs = timeNs;
    EXPECT_OK(writer_->addMemoryOperation(row));
  }
  /// Launch `id` begins at id * 1000 ns.
  void launch(std::uint64_t id, const Slots& slots, std::uint32_t blocks = 1, std::uint32_t threads = 32) {
    EXPECT_OK(writer_->addLaunch(launchRow(id, blocks, threads)));
    EXPECT_OK(writer_->updateLaunch(id, static_cast<std::int64_t>(1000 * id + 500), 0, ""));
    EXPECT_OK(writer_->addRecords(id, slots.data(), slots.size()));
  }
  std::vector<Finding> run(const char* name, std::uint64_t memoryBytes = 512 << 20, std::string path = "") {
    EXPECT_OK(writer_->close());
    const auto reader = openReader(path.empty() ? path_ : path);
    const Analysis* analysis = findAnalysis(name);
    if (!analysis) throw std::runtime_error(name);
    AnalysisOptions options;
    options.memoryBytes = memoryBytes;
    options.threads = threads_;
    std::vector<AnalysisResult> results;
    EXPECT_OK(runAnalyses({&analysis, 1}, *reader, options, results));
    return results.at(0).findings;
  }
  TemporaryFolder folder_;
  const std::string path_ = folder_.file("a.db");
  std::unique_ptr<TraceWriter> writer_;
  unsigned threads_ = 0;
};

}  // namespace cui::db::test
