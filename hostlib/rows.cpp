#include "hostlib/rows.h"

#include <array>
#include <bit>
#include <cstdint>

namespace cui::hostlib {

bool hasRows(const Slot& header) {
  const std::uint8_t flags = flagsOf(header);
  return format::typeOf(flags) == format::RecordType::access &&
         format::formOf(flags) == format::AddressForm::rows;
}

void expandRows(const Slot& header, std::vector<Slot>& out) {
  const std::uint32_t log2Width = format::log2WidthOf(header.word[0]);
  const std::int64_t rowStride = static_cast<std::int32_t>(activeMaskOf(header));
  const std::int64_t stride = static_cast<std::int32_t>(numberOf(header));
  std::array<std::int64_t, format::lanesPerWarp> offsets;
  bool near = true;
  for (std::uint32_t lane = 0; lane < format::lanesPerWarp; ++lane) {
    offsets[lane] = stride * (lane & ((1u << log2Width) - 1)) + rowStride * (lane >> log2Width);
    near &= offsets[lane] == static_cast<std::int32_t>(offsets[lane]);
  }
  const std::uint8_t flags = flagsOf(header);
  const std::uint64_t newFlags = format::makeFlags(
      format::RecordType::access, near ? format::AddressForm::offsets32 : format::AddressForm::full64,
      format::spaceOf(flags), false);
  const std::uint64_t address = format::addressWithoutRows(header.word[0]);
  Slot plain = header;
  plain.word[0] = address;
  plain.word[1] = (header.word[1] & 0xff00ffff00000000u) | newFlags << 48 | 0xffffffffu;
  plain.word[3] = blockOf(header);
  out.push_back(plain);
  if (near) {
    std::array<std::int32_t, format::lanesPerWarp> table;
    for (std::size_t lane = 0; lane < table.size(); ++lane)
      table[lane] = static_cast<std::int32_t>(offsets[lane]);
    const auto payload = std::bit_cast<std::array<Slot, 4>>(table);
    out.insert(out.end(), payload.begin(), payload.end());
  } else {
    std::array<std::uint64_t, format::lanesPerWarp> table;
    for (std::size_t lane = 0; lane < table.size(); ++lane)
      table[lane] = address + static_cast<std::uint64_t>(offsets[lane]);
    const auto payload = std::bit_cast<std::array<Slot, 8>>(table);
    out.insert(out.end(), payload.begin(), payload.end());
  }
}

}  // namespace cui::hostlib
