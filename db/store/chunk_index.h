// Rows of access_chunk_site: what lets a look-up skip chunks.
#pragma once

#include <cstdint>
#include <functional>

#include "db/store/chunk_encoder.h"
#include "db/store/sqlite.h"

namespace cui::db {

/// A site's row in the index: its ranges as SQL's numbers, which have a sign.
struct ChunkSiteRow {
  std::int64_t recordCount = 0, minBlock = 0, maxBlock = 0, minAddress = 0, maxAddress = 0;
  bool operator==(const ChunkSiteRow&) const = default;
};
ChunkSiteRow chunkSiteRow(const SiteTotals& totals);

class ChunkIndexWriter {
 public:
  explicit ChunkIndexWriter(Database& database) : database_(database) {}
  void add(std::int64_t chunkId, const SiteTotals& totals);

 private:
  Database& database_;
  Statement insert_;
};

/// Makes the index of a trace that has none. Throws; `proceed` false: ErrorCode::cancelled.
void indexChunks(Database& database, const std::function<bool(std::uint64_t done)>& proceed);

}  // namespace cui::db
