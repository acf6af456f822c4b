// Takes warp records: measures each, appends it to its launch's chunk, and writes chunks and metrics to
// the database. The hot path of the store: one record costs some tens of nanoseconds, no allocation.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "db/store/chunk_codec.h"
#include "db/store/metrics.h"
#include "db/store/sqlite.h"
#include "db/store/stats.h"
#include "db/store/units.h"

namespace cui::db {

class RecordSink {
 public:
  struct Limits {
    std::uint32_t chunkRecords;
    std::uint64_t bufferedBytes;
  };
  RecordSink(Database& database, Units& units, Stats& stats, Limits limits);
  ~RecordSink();

  void add(std::uint64_t launchId, const std::uint8_t* slots, std::size_t slotCount);
  /// Writes everything buffered. Between two flushes only full chunks are written.
  void flush();
  std::uint64_t recordCount() const { return recordCount_; }

 private:
  struct SiteState;
  struct LaunchState;

  LaunchState& stateOf(std::uint64_t launchId);
  SiteState& siteOf(LaunchState& launch, std::uint32_t siteNumber);
  void addAccess(LaunchState& launch, const format::WarpRecord& record, const std::uint8_t* payload);
  void addSharedVariable(std::uint64_t launchId, const format::WarpRecord& record);
  void addKernelEntry(std::uint64_t launchId, const format::WarpRecord& record);
  void writeChunk(LaunchState& launch);
  void writeMetrics(LaunchState& launch);
  void retire(LaunchState& launch);
  void relieve();

  Database& database_;
  Units& units_;
  Stats& stats_;
  Limits limits_;
  Statement insertChunk_, addMetric_, addShared_, enterLaunch_;
  std::unordered_map<std::uint64_t, std::unique_ptr<LaunchState>> open_;  ///< launches with buffered records
  std::unordered_map<std::uint64_t, std::uint64_t> sequences_;            ///< the others' next sequence
  LaunchState* last_ = nullptr;
  std::uint64_t recordCount_ = 0, useClock_ = 0;
};

}  // namespace cui::db
