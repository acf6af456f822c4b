// The lanes of one access, seen as addresses.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "db/store/chunk_codec.h"

namespace cui::db {

constexpr std::uint64_t sectorBytes = 32;

struct Span {
  std::uint64_t low = 0, high = 0;  ///< high is exclusive
};

/// The bytes from the lowest lane's first to the highest lane's last.
inline Span spanOf(const AccessRecord& record) {
  Span span{record.lane[static_cast<std::size_t>(std::countr_zero(record.mask))], 0};
  if (format::formOf(record.flags) == format::AddressForm::affine) {
    const std::uint64_t last = record.lane[static_cast<std::size_t>(31 - std::countl_zero(record.mask))];
    return {std::min(span.low, last), std::max(span.low, last) + record.bytes};
  }
  for (std::uint32_t rest = record.mask; rest != 0; rest &= rest - 1) {
    const std::uint64_t address = record.lane[static_cast<std::size_t>(std::countr_zero(rest))];
    span.low = std::min(span.low, address);
    span.high = std::max(span.high, address);
  }
  span.high += record.bytes;
  return span;
}

/// True if the active lanes' bytes are all those of their span.
inline bool isDense(const AccessRecord& record) {
  const std::uint32_t lanes = record.mask >> std::countr_zero(record.mask);
  return format::formOf(record.flags) == format::AddressForm::affine && (lanes & (lanes + 1)) == 0 &&
         static_cast<std::uint64_t>(std::abs(std::int64_t{record.stride})) <= record.bytes;
}

/// Calls action(address) for each active lane, the lowest first.
template <class Action>
void eachLane(const AccessRecord& record, Action action) {
  for (std::uint32_t rest = record.mask; rest != 0; rest &= rest - 1)
    action(record.lane[static_cast<std::size_t>(std::countr_zero(rest))]);
}

/// Calls action(sector) for each 32-byte sector that the lanes at `lane` touch: once, ascending.
template <class Action>
void eachSector(const AccessRecord& record, const std::array<std::uint64_t, format::lanesPerWarp>& lane,
                Action action) {
  if (record.bytes == 0) return;
  std::array<std::uint64_t, format::lanesPerWarp> firsts;
  std::size_t count = 0;
  for (std::uint32_t rest = record.mask; rest != 0; rest &= rest - 1)
    firsts[count++] = lane[static_cast<std::size_t>(std::countr_zero(rest))];
  const auto end = firsts.begin() + static_cast<std::ptrdiff_t>(count);
  if (!std::is_sorted(firsts.begin(), end)) std::sort(firsts.begin(), end);
  std::uint64_t next = 0;  // sectors below are done
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t stop = (firsts[i] + record.bytes - 1) / sectorBytes + 1;
    for (std::uint64_t sector = std::max(next, firsts[i] / sectorBytes); sector < stop; ++sector)
      action(sector);
    next = std::max(next, stop);
  }
}
template <class Action>
void eachSector(const AccessRecord& record, Action action) {
  if (record.bytes == 0 || !isDense(record)) return eachSector(record, record.lane, action);
  const Span span = spanOf(record);
  const std::uint64_t last = (span.high - 1) / sectorBytes;
  for (std::uint64_t sector = span.low / sectorBytes; sector <= last; ++sector) action(sector);
}

}  // namespace cui::db
