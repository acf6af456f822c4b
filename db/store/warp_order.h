// The order in which a segment's records are stored where that is free: warp by warp. A ring has the records
// of all resident warps mixed; what one warp does in a loop is a line or two of a chunk when it is together.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cuinstrument/format/record.h"

namespace cui::db {

class WarpOrder {
 public:
  /// Where the records between `begin` and `end` start, counted in slots from `begin`: by block and warp,
  /// those of one warp in their own order. Valid until the next call. Empty where sorting them would not
  /// pay: few records follow one of another warp.
  std::span<const std::uint32_t> of(const format::WarpRecord* begin, const format::WarpRecord* end);

 private:
  struct Entry {
    std::uint32_t warp;  ///< relative to the lowest
    std::uint32_t at;
  };
  void sort(unsigned bits);

  std::vector<Entry> entries_, sorted_;
  std::vector<std::uint32_t> order_;
};

}  // namespace cui::db
