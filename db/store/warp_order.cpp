// See warp_order.h.
#include "db/store/warp_order.h"

#include <algorithm>
#include <bit>

namespace cui::db {

namespace {
constexpr unsigned digitBits = 11;  // 8 KiB of counts
}

std::span<const std::uint32_t> WarpOrder::of(const format::WarpRecord* begin, const format::WarpRecord* end) {
  warps_.clear();
  order_.clear();
  std::uint64_t low = ~std::uint64_t{0}, high = 0, before = ~std::uint64_t{0}, changes = 0;
  for (const format::WarpRecord* record = begin; record != end;) {
    const std::uint64_t warp = std::uint64_t{record->block} << 5 | format::warpOf(*record);
    warps_.push_back(warp);
    order_.push_back(static_cast<std::uint32_t>(record - begin));
    changes += warp != before;
    before = warp;
    low = std::min(low, warp);
    high = std::max(high, warp);
    record += 1 + format::payloadSlots(record->flags, format::bytesOf(*record));
  }
  if (changes < 2 || changes * 8 < order_.size() || (high - low) >> 32 != 0) return {};
  entries_.resize(order_.size());
  for (std::size_t i = 0; i < order_.size(); ++i)
    entries_[i] = {static_cast<std::uint32_t>(warps_[i] - low), order_[i]};
  sort(static_cast<unsigned>(std::bit_width(high - low)));
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
