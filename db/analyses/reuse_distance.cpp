// See reuse_distance.h.
#include "db/analyses/reuse_distance.h"

#include <algorithm>

namespace cui::db {

namespace {
constexpr std::size_t leastTimes = 1 << 10;  // cleared at each launch, and there may be very many small ones
}

void ReuseDistance::add(std::size_t time, int change) {
  for (; time < tree_.size(); time += time & -time) tree_[time] += static_cast<std::uint32_t>(change);
}

std::uint64_t ReuseDistance::usedUpTo(std::size_t time) const {
  std::uint64_t sum = 0;
  for (; time > 0; time &= time - 1) sum += tree_[time];
  return sum;
}

std::uint64_t ReuseDistance::use(std::uint64_t cell) {
  if (cellAt_.size() >= tree_.size()) compact();
  std::uint32_t* const last = lastUse_.make(cell);
  if (!last) return never;
  std::uint64_t distance = never;
  if (*last != 0) {
    distance = cells_ - usedUpTo(*last);
    add(*last, -1);
    cellAt_[*last] = never;
  } else {
    ++cells_;
  }
  *last = static_cast<std::uint32_t>(cellAt_.size());
  add(*last, 1);
  cellAt_.push_back(cell);
  return distance;
}

/// Times are used up: numbers those that count from 1 again, and makes room for as many more. Each use pays
/// for this a constant on average.
void ReuseDistance::compact() {
  std::vector<std::uint64_t> kept = {never};  // time 0 is no time
  for (const std::uint64_t cell : cellAt_) {
    if (cell == never) continue;
    *lastUse_.find(cell) = static_cast<std::uint32_t>(kept.size());
    kept.push_back(cell);
  }
  cellAt_ = std::move(kept);
  tree_.assign(std::max(leastTimes, 2 * cellAt_.size()), 0);
  for (std::size_t time = 1; time < cellAt_.size(); ++time) tree_[time] = 1;
  for (std::size_t time = 1; time < tree_.size(); ++time) {
    const std::size_t parent = time + (time & -time);
    if (parent < tree_.size()) tree_[parent] += tree_[time];
  }
}

void ReuseDistance::clear() {
  lastUse_.clear();
  cellAt_.clear();
  tree_.clear();
  cells_ = 0;
}

}  // namespace cui::db
