// Writes batches of rows. Nobody else may use the database meanwhile.
#pragma once

#include <cstdint>

#include "db/store/chunk_index.h"
#include "db/store/event_writer.h"
#include "db/store/integer_insert.h"
#include "db/store/lazy_statement.h"
#include "db/store/row_batch.h"
#include "db/store/sqlite.h"
#include "db/store/units.h"

namespace cui::db {

class BatchWriter {
 public:
  struct Limits {
    std::uint64_t fileBytes;  ///< 0: none
    bool storeAccesses;       ///< false: chunks are for metrics only
  };
  BatchWriter(Database& database, const Units& units, Limits limits);

  /// Throws StoreFailure.
  void write(RowBatch& batch);

 private:
  void writeLaunch(const LaunchValues& launch);
  void writeChange(const LaunchChange& change);
  void writeStats(const StatRows& stats);
  bool reachesLimit(std::uint64_t more);

  Database& database_;
  const Units& units_;
  const Limits limits_;
  std::int64_t process_ = 0;  ///< 0: not asked yet
  std::uint64_t pageSize_ = 0;
  bool full_ = false;
  LazyStatement addLaunch_, endLaunch_, timeLaunch_, enterLaunch_, addStat_;
  Statement pageCount_;
  EventWriter events_;
  ChunkWriter chunks_;
  IntegerInsert metrics_, counters_, sharedVariables_, barriers_, warpBarriers_, warpTimes_, accessTimes_;
};

/// The columns of site_metric.
void appendMetrics(IntegerRows& rows, std::uint64_t launchId, std::int64_t siteId, const SiteTotals& totals);

}  // namespace cui::db
