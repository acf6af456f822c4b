// Walks the accesses that a filter leaves, in order of launch, sequence and lane. No SQLite in sight of a
// row.
#pragma once

#include <bit>
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
  /// Called for each row of a query, as are atEnd and number: what they cost is what a scan costs.
  void next() {
    if (wantsAll_ && shape_.lanes) {
      lanesLeft_ &= lanesLeft_ - 1;
      if (lanesLeft_ == 0) return findNext();
      lane_ = static_cast<std::uint32_t>(std::countr_zero(lanesLeft_));
    } else if (!wantsAll_ || ++index_ >= endIndex_) {
      findNext();
    }
  }
  bool atEnd() const { return atEnd_; }
  /// Text and bytes live until the next call.
  Value column(std::size_t index) const;
  /// The columns that scans ask for most, without a detour; false: ask column().
  bool number(std::size_t index, std::int64_t& value) const {
    if (!decode_) return false;
    const WarpAccess& now = record();
    switch (shape_.columns[index].field) {
      case AccessField::launchId:
        value = header_.launchId;
        return true;
      case AccessField::sequence:
        value = header_.firstSequence + index_;
        return true;
      case AccessField::siteId:
        value = source_->sites()[now.siteNumber].id;
        return true;
      case AccessField::lane:
        value = lane_;
        return true;
      case AccessField::warp:
        value = now.warp;
        return true;
      case AccessField::activeMask:
        value = now.mask;
        return true;
      case AccessField::bytes:
        value = now.bytes;
        return true;
      case AccessField::address:
        value = static_cast<std::int64_t>(shape_.lanes ? laneAddress(now, lane_) : now.address);
        return true;
      default:
        return false;
    }
  }
  std::int64_t rowId() const;

 private:
  /// next() where the row after this one is not it.
  void findNext();
  bool nextChunk();
  void enterChunk();
  bool mayMatch(const ChunkHeader& header);
  void findRecord();
  bool findLane();
  bool matches(const WarpAccess& record) const;
  bool matchesBlock(std::uint32_t block) const;
  static bool isAffine(const WarpAccess& record) {
    return format::formOf(record.flags) == format::AddressForm::affine;
  }
  std::uint64_t laneAddress(const WarpAccess& record, std::uint32_t lane) const {
    if (isAffine(record))
      return record.address +
             static_cast<std::uint64_t>(std::int64_t{record.stride} *
                                        (std::int64_t{lane} - std::countr_zero(record.mask)));
    const std::uint32_t before = record.mask & ((std::uint32_t{1} << lane) - 1);
    return record.address + chunk_->lanes[record.laneAt + static_cast<std::size_t>(std::popcount(before))];
  }
  Value valueOfLane(const WarpAccess& record) const;
  std::int64_t thread() const { return std::int64_t{record().warp} * 32 + lane_; }
  const WarpAccess& record() const { return records_[index_]; }

  const AccessTableShape& shape_;
  const std::shared_ptr<AccessSource> source_;
  AccessFilter filter_;
  Statement chunks_;
  ChunkHeader header_;
  std::shared_ptr<const DecodedChunk> chunk_;
  const WarpAccess* records_ = nullptr;  ///< chunk_'s
  LaunchShape launch_;
  std::vector<bool> siteWanted_;
  std::int64_t index_ = 0, endIndex_ = 0;
  std::uint32_t lanesLeft_ = 0, lane_ = 0;
  bool decode_ = true, atEnd_ = true;
  bool wantsAll_ = false;  ///< no condition on single records or lanes
  bool limitsSites_ = false, limitsBlocks_ = false, limitsWarps_ = false, limitsAddresses_ = false;
};

}  // namespace cui::db
