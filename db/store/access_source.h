// Where the virtual tables get single accesses from: one trace's chunks, found by the chunk index and kept
// decoded for a while. One per trace and connection, shared by its tables. Throws StoreFailure.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "db/store/access_filter.h"
#include "db/store/chunk_codec.h"
#include "db/store/site_info.h"
#include "db/store/sqlite.h"

namespace cui::db {

struct LaunchShape {
  std::int64_t gridX = 1, gridY = 1, gridZ = 1, blockX = 1, blockY = 1;
  std::string kernel;
  /// Where in the grid a block is.
  std::int64_t xOf(std::int64_t block) const { return block % gridX; }
  std::int64_t yOf(std::int64_t block) const { return block / gridX % gridY; }
  std::int64_t zOf(std::int64_t block) const { return block / (gridX * gridY); }
};

/// A row of access_chunk without its data.
struct ChunkHeader {
  std::int64_t id = 0, launchId = 0, firstSequence = 0, recordCount = 0, codecVersion = 0, minBlock = 0,
               maxBlock = 0;
};

class AccessSource {
 public:
  /// Cancels a query when it returns true; asked before each chunk is read.
  using Cancel = std::function<bool()>;

  /// `schema`: the attached database the trace is in. Refuses what is no trace of this schema version.
  AccessSource(sqlite3* connection, std::string schema, const Cancel* cancel);

  /// The query that finds the chunks in which `filter` can have matches, in order of launch and sequence.
  /// The columns are ChunkHeader's.
  Statement findChunks(const AccessFilter& filter);
  static ChunkHeader headerOf(const Statement& row);

  /// Decoded; from memory if it was asked for lately. Checks the records against the trace's sites.
  std::shared_ptr<const DecodedChunk> load(const ChunkHeader& header);
  /// A chunk in memory that holds this record; null: not in memory.
  std::shared_ptr<const DecodedChunk> recall(std::int64_t launchId, std::int64_t sequence,
                                             ChunkHeader& header);

  const std::vector<SiteInfo>& sites() const { return sites_; }
  /// Valid until another launch is asked for.
  const LaunchShape& shapeOf(std::int64_t launchId);

  std::int64_t estimatedRecords() const { return estimatedRecords_; }
  std::int64_t estimatedLaunches() const { return estimatedLaunches_; }

  /// What is in memory is valid while a cursor is open: that keeps SQLite's read transaction.
  void enter() { ++cursors_; }
  void leave();

 private:
  struct Kept {
    ChunkHeader header;
    std::shared_ptr<const DecodedChunk> chunk;
  };
  void loadTraceSites();
  std::vector<std::uint32_t> siteNumbers(const AccessFilter& filter);

  Database database_;
  const std::string schema_;  ///< quoted
  const std::string plainSchema_;
  const Cancel* const cancel_;
  Statement data_, launch_, chunkBefore_;
  ChunkReader reader_;
  std::vector<SiteInfo> sites_;
  std::vector<Kept> kept_;  ///< latest last
  std::unordered_map<std::int64_t, LaunchShape> shapes_;
  std::int64_t estimatedRecords_ = 1, estimatedLaunches_ = 1;
  int cursors_ = 0;
};

}  // namespace cui::db
