// Rows of access_chunk, and of access_chunk_site: what lets a look-up skip chunks.
#pragma once

#include <cstdint>
#include <functional>
#include <map>

#include "db/store/chunk_encoder.h"
#include "db/store/integer_insert.h"
#include "db/store/lazy_statement.h"
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
  explicit ChunkIndexWriter(Database& database);
  /// Of a chunk behind those before. Rows are written with write(), or as they become many.
  void add(std::int64_t chunkId, const SiteTotals& totals);
  /// Writes those added: site by site, as they lie in the table.
  void write();

 private:
  Database& database_;
  IntegerInsert insert_;
  std::map<std::uint32_t, IntegerRows> rows_;  ///< by site, in the order of the chunks
  std::size_t count_ = 0;
};

/// Chunks with their index.
class ChunkWriter {
 public:
  explicit ChunkWriter(Database& database);
  void add(const EncodedChunk& chunk);
  /// Writes what is left of the index.
  void write() { index_.write(); }

 private:
  Database& database_;
  LazyStatement insert_;
  ChunkIndexWriter index_;
};

/// Makes the index of a trace that has none. Throws; `proceed` false: ErrorCode::cancelled.
void indexChunks(Database& database, const std::function<bool(std::uint64_t done)>& proceed);

}  // namespace cui::db
