// See heat_grid.h.
#include "db/analyses/heat_grid.h"

#include <algorithm>
#include <string>

namespace cui::db {

namespace {

constexpr std::uint64_t mostCells = 64;  // along either side

constexpr std::uint64_t quotientUp(std::uint64_t a, std::uint64_t b) {
  return (a + b - 1) / b;
}

}  // namespace

HeatGrid::HeatGrid(const Object& object, const ArrayShape& shape) : origin_(shape.origin) {
  elementBytes_ = std::max(1u, object.elementBytes);
  rows_ = quotientUp(object.bytes, shape.rowBytes);
  rowsPerCell_ = quotientUp(rows_, mostCells);
  const std::uint64_t cellBytes =
      quotientUp(quotientUp(shape.rowBytes, mostCells), elementBytes_) * elementBytes_;
  columns_ = quotientUp(shape.rowBytes, cellBytes);
  linesOf_ = Divider(rowsPerCell_ * shape.rowBytes);
  rowsOf_ = Divider(shape.rowBytes);
  cellBytes_ = Divider(cellBytes);
  cells_.resize(quotientUp(rows_, rowsPerCell_) * columns_);
}

Grid HeatGrid::picture() const {
  Grid grid;
  grid.title = "thread accesses by row and column; rows of " + std::to_string(rowsOf_.by()) +
               " bytes, known from " + origin_;
  const std::uint64_t elements = std::max<std::uint64_t>(1, rowsOf_.by() / elementBytes_);
  const std::uint64_t perCell = std::max<std::uint64_t>(1, cellBytes_.by() / elementBytes_);
  for (std::uint64_t row = 0; row < rows_; row += rowsPerCell_)
    grid.rows.push_back({row, std::min(row + rowsPerCell_, rows_) - 1});
  for (std::uint64_t column = 0; column < columns_; ++column)
    grid.columns.push_back({column * perCell, std::min((column + 1) * perCell, elements) - 1});
  grid.cells.assign(cells_.begin(), cells_.end());
  return grid;
}

}  // namespace cui::db
