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

inline bool isAffine(const WarpAccess& record) {
  return format::formOf(record.flags) == format::AddressForm::affine;
}

struct AccessColumn {
  const char* name;
  const char* type;
  AccessField field;
};

/// What a row is: a warp access, a thread access, or what several warp accesses add up to.
enum class AccessForm : std::uint8_t { records, lanes, totals };

struct AccessTableShape {
  const char* name;
  AccessForm form;
  std::span<const AccessColumn> columns;
};
std::span<const AccessTableShape> accessTableShapes();
/// A field that a record itself has.
Value fieldOf(AccessField field, const WarpAccess& record, const LaunchShape& launch, const SiteInfo& site);
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
    if (wantsAll_ && lanes_) {
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
        value = static_cast<std::int64_t>(lanes_ ? laneAddress(now, lane_) : now.address);
        return true;
      default:
        return false;
    }
  }
  std::int64_t rowId() const;

  /// For who takes the rows by chunks: hands over those left of this chunk, if they are decoded, and goes on
  /// to the next chunk. How many there were.
  template <class Take>
  std::int64_t takeChunk(Take&& take) {
    std::int64_t taken = decode_ ? 0 : endIndex_ - index_;
    for (; decode_ && index_ < endIndex_; ++index_) {
      if (!wantsAll_ && !matches(record())) continue;
      take(record());
      ++taken;
    }
    if (nextChunk()) findRecord();
    return taken;
  }
  const ChunkHeader& chunkHeader() const { return header_; }
  const DecodedChunk* chunk() const { return chunk_.get(); }
  const LaunchShape& launch() const { return launch_; }

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
  const bool lanes_;
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
