// See warp_order.h.
#include "db/store/warp_order.h"

#include <algorithm>
#include <bit>

#include "db/store/chunk_codec.h"

namespace cui::db {

namespace {
constexpr unsigned digitBits = 11;  // 8 KiB of counts

std::uint64_t warpInGrid(const format::WarpRecord& record) {
  return std::uint64_t{record.block} << 5 | format::warpOf(record);
}
}  // namespace

std::span<const std::uint32_t> WarpOrder::of(const format::WarpRecord* begin, const format::WarpRecord* end) {
  std::uint64_t low = ~std::uint64_t{0}, high = 0, before = ~std::uint64_t{0};
  std::size_t records = 0, changes = 0;
  for (const format::WarpRecord* record = begin; record != end; record = nextRecord(record)) {
    const std::uint64_t warp = warpInGrid(*record);
    ++records;
    changes += warp != before;
    before = warp;
    low = std::min(low, warp);
    high = std::max(high, warp);
  }
  if (changes < 2 || changes * 8 < records || (high - low) >> 32 != 0) return {};
  entries_.clear();
  for (const format::WarpRecord* record = begin; record != end; record = nextRecord(record))
    entries_.push_back(
        {static_cast<std::uint32_t>(warpInGrid(*record) - low), static_cast<std::uint32_t>(record - begin)});
  sort(static_cast<unsigned>(std::bit_width(high - low)));
  order_.resize(records);
  std::transform(entries_.begin(), entries_.end(), order_.begin(), [](const Entry& e) { return e.at; });
  return order_;
}

/// By the lowest `bits` of the warp's number, digit by digit from the lowest on, each pass a stable one.
void WarpOrder::sort(unsigned bits) {
  sorted_.resize(entries_.size());
  for (unsigned shift = 0; shift < bits; shift += digitBits) {
    std::array<std::uint32_t, 1u << digitBits> next{};
    const auto digitOf = [&](const Entry& e) { return e.warp >> shift & (next.size() - 1); };
    for (const Entry& e : entries_) ++next[digitOf(e)];
    std::uint32_t sum = 0;
    for (std::uint32_t& count : next) {
      const std::uint32_t here = count;
      count = sum;
      sum += here;
    }
    for (const Entry& e : entries_) sorted_[next[digitOf(e)]++] = e;
    entries_.swap(sorted_);
  }
}

}  // namespace cui::db
