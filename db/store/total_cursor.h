// Adds up the accesses of each chunk that agree in the fields a statement names. What it names decides what a
// row is; its sums do not depend on that.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "db/store/access_cursor.h"
#include "db/store/access_module.h"

namespace cui::db {

class TotalCursor {
 public:
  TotalCursor(const AccessTableShape& shape, std::shared_ptr<AccessSource> source);

  void start(AccessFilter filter, AccessPlan plan);
  void next();
  bool atEnd() const { return at_ == totals_.size(); }
  /// Text lives until the next call.
  Value column(std::size_t index) const;
  std::int64_t rowId() const;

 private:
  struct Total {
    std::uint64_t key = 0;
    WarpAccess first;  ///< what all have that are added up, it has
    std::int64_t requests = 0, threadAccesses = 0;
    /// The lowest and the highest byte, if they are wanted; with a sign, as SQL compares addresses.
    std::int64_t low = std::numeric_limits<std::int64_t>::max(),
                 high = std::numeric_limits<std::int64_t>::min();
  };
  /// The totals of the next chunk that has a row.
  void fill();
  void add(const WarpAccess& record);
  void widen(Total& total, const WarpAccess& record) const;
  void chooseKey();
  /// A number that is equal for equal values of the field, of at most widthOf() bits.
  std::uint64_t part(AccessField field, const WarpAccess& record) const;
  int widthOf(AccessField field) const;
  std::uint64_t keyOf(const WarpAccess& record) const;
  /// Of records whose keys are equal.
  bool agree(const WarpAccess& a, const WarpAccess& b) const;
  void grow();

  const AccessTableShape& shape_;
  const std::shared_ptr<AccessSource> source_;
  AccessCursor records_;
  std::vector<AccessField> fields_;  ///< that tell totals apart; the launch is the chunk's
  bool wantsExtent_ = false;
  bool exact_ = false;       ///< they fit in a key side by side, else it is a hash
  std::vector<int> widths_;  ///< of fields_
  ChunkHeader header_;       ///< of the chunk that the totals are of
  LaunchShape launch_;
  const DecodedChunk* chunk_ = nullptr;  ///< while its records are added
  std::vector<Total> totals_;
  std::vector<std::uint32_t> slots_;  ///< a hash table of totals: number + 1, 0 where there is none
  std::size_t at_ = 0;
};

}  // namespace cui::db
