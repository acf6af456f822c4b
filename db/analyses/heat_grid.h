// Thread accesses to an array by row and column, in at most 64 x 64 cells.
#pragma once

#include <cstdint>
#include <vector>

#include "db/analyses/access_lanes.h"
#include "db/analyses/analyses.h"
#include "db/analyses/array_shape.h"
#include "db/analyses/divider.h"

namespace cui::db {

class HeatGrid {
 public:
  HeatGrid(const Object& object, const ArrayShape& shape);
  /// An access of which all lanes begin in the object; `span` is its bytes, relative to the object.
  void count(const AccessRecord& record, const Object& object, const Span& span, std::uint64_t lanes) {
    const std::uint64_t first = cellOf(span.low), last = cellOf(span.high - record.bytes);
    if (first == last &&
        span.high - span.low <= cellBytes_.by())  // and not to the same columns of the next row
      cells_[first] += lanes;
    else
      eachLane(record, [&](std::uint64_t address) { ++cells_[cellOf(address - object.address)]; });
  }
  void count(std::uint64_t offset) { ++cells_[cellOf(offset)]; }
  Grid picture() const;

 private:
  std::uint64_t cellOf(std::uint64_t offset) const {
    const std::uint64_t line = linesOf_(offset);
    const std::uint64_t inLine = offset - line * linesOf_.by();
    const std::uint64_t inRow = inLine - rowsOf_(inLine) * rowsOf_.by();
    return line * columns_ + cellBytes_(inRow);
  }

  Divider linesOf_, rowsOf_, cellBytes_;  ///< bytes in a line of cells, in a row, in a row of a cell
  std::uint64_t rowsPerCell_, columns_, rows_, elementBytes_;
  const char* origin_;
  std::vector<std::uint64_t> cells_;
};

}  // namespace cui::db
