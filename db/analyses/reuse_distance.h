// How many different cells were used between two uses of one: Olken's algorithm, on a Fenwick tree over time.
#pragma once

#include <cstdint>
#include <vector>

#include "db/analyses/paged_cells.h"

namespace cui::db {

class ReuseDistance {
 public:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  /// `memoryBytes`: beyond it, cells that are new are no longer followed.
  explicit ReuseDistance(std::uint64_t memoryBytes) : lastUse_(memoryBytes) {}

  /// Different other cells used since this one's last use; `never`: it has none. Logarithmic in the number of
  /// cells.
  std::uint64_t use(std::uint64_t cell);
  void clear();
  bool full() const { return lastUse_.full(); }

 private:
  void add(std::size_t time, int change);
  std::uint64_t usedUpTo(std::size_t time) const;
  void compact();

  PagedCells<std::uint32_t> lastUse_;  ///< by cell: its time, from 1; 0: none
  std::vector<std::uint64_t> cellAt_;  ///< by time: whose last use that was; `never`: no longer
  std::vector<std::uint32_t> tree_;    ///< how many last uses lie in a range of times
  std::uint64_t cells_ = 0;
};

}  // namespace cui::db
