// What a record of an access says lane by lane, for tests to compare with.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "cuinstrument/format/record.h"

namespace cui::test {

/// Of the header's lanes; 0 of those that took no part. Its payload follows it. Not of rows.
inline std::array<std::uint64_t, 32> laneAddresses(const format::WarpRecord& header) {
  std::array<std::uint64_t, 32> addresses = {};
  const auto* payload = reinterpret_cast<const unsigned char*>(&header + 1);
  const auto first = static_cast<std::int64_t>(std::countr_zero(header.activeMask));
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((header.activeMask >> lane & 1u) == 0) continue;
    std::int64_t offset = header.stride * (lane - first);
    switch (format::formOf(header.flags)) {
      case format::AddressForm::full64:
        std::memcpy(&addresses[lane], payload + std::size_t{8} * lane, 8);
        continue;
      case format::AddressForm::offsets32: {
        std::int32_t narrow;
        std::memcpy(&narrow, payload + std::size_t{4} * lane, 4);
        offset = narrow;
        break;
      }
      default:
        break;
    }
    addresses[lane] = header.address + static_cast<std::uint64_t>(offset);
  }
  return addresses;
}

/// Lane i's at i times the size; empty if there are none.
inline std::vector<unsigned char> laneValues(const format::WarpRecord& header) {
  if (!format::hasValues(header.flags)) return {};
  const std::size_t bytes = format::bytesOf(header);
  const auto* end = reinterpret_cast<const unsigned char*>(
      &header + 1 + format::payloadSlots(header.flags, format::bytesOf(header)));
  return {end - 32 * bytes, end};
}

}  // namespace cui::test
