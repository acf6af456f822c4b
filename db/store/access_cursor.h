// Walks the accesses that a filter leaves, in order of launch, sequence and lane. No SQLite in sight of a
// row.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "db/store/access_source.h"

namespace cui::db {

struct AccessColumn {
  const char* name;
  const char* type;
  AccessField field;
};

/// A table: one row a warp access, or one a thread access.
struct AccessTableShape {
  const char* name;
  bool lanes;
  std::span<const AccessColumn> columns;
};
std::span<const AccessTableShape> accessTableShapes();
std::string declarationOf(const AccessTableShape& shape);

class AccessCursor {
 public:
  AccessCursor(const AccessTableShape& shape, std::shared_ptr<AccessSource> source);
  ~AccessCursor();
  AccessCursor(const AccessCursor&) = delete;
  AccessCursor& operator=(const AccessCursor&) = delete;

  /// To the first row. Without `decode` only launch_id and sequence are known.
  void start(AccessFilter filter, bool decode);
  void next();
  bool atEnd() const { return atEnd_; }
  /// Text and bytes live until the next call.
  Value column(std::size_t index) const;
  std::int64_t rowId() const;

 private:
  bool nextChunk();
  void enterChunk();
  bool mayMatch(const ChunkHeader& header);
  void findRecord();
  bool findLane();
  bool matches(const WarpAccess& record) const;
  bool matchesBlock(std::uint32_t block) const;
  std::uint64_t laneAddress(const WarpAccess& record, std::uint32_t lane) const;
  Value valueOfLane(const WarpAccess& record) const;
  std::int64_t thread() const { return std::int64_t{record().warp} * 32 + lane_; }
  const WarpAccess& record() const { return chunk_->records[static_cast<std::size_t>(index_)]; }

  const AccessTableShape& shape_;
  const std::shared_ptr<AccessSource> source_;
  AccessFilter filter_;
  Statement chunks_;
  ChunkHeader header_;
  std::shared_ptr<const DecodedChunk> chunk_;
  LaunchShape launch_;
  std::vector<bool> siteWanted_;
  std::int64_t index_ = 0, endIndex_ = 0;
  std::uint32_t lanesLeft_ = 0, lane_ = 0;
  bool decode_ = true, atEnd_ = true;
  bool limitsSites_ = false, limitsBlocks_ = false, limitsWarps_ = false, limitsAddresses_ = false;
};

}  // namespace cui::db
