#include "hostlib/rows.h"

#include <array>
#include <bit>
#include <cstdint>

namespace cui::hostlib {
namespace {

/// What such a record says.
struct Rows {
  std::uint64_t address;  ///< the lowest active lane's
  std::uint32_t mask;
  std::uint32_t log2Width;
  std::int64_t stride, rowStride;

  /// Bytes from where lane 0 is, or would be.
  std::int64_t offset(std::uint32_t lane) const {
    return stride * (lane & ((1u << log2Width) - 1)) + rowStride * (lane >> log2Width);
  }
};

Rows rowsOf(const Slot& header) {
  const std::uint64_t where = format::addressWithoutRows(header.word[0]);
  Rows rows = {where, 0xffffffffu, format::log2WidthOf(header.word[0]),
               static_cast<std::int32_t>(numberOf(header)), static_cast<std::int32_t>(activeMaskOf(header))};
  if ((header.word[0] & format::partOfRows) == 0) return rows;
  constexpr unsigned above = 64 - format::rowStrideShift - format::rowStrideBits;
  rows.address = where & ((std::uint64_t{1} << format::rowStrideShift) - 1);
  rows.mask = activeMaskOf(header);
  rows.rowStride = static_cast<std::int64_t>(where << above) >> (64 - format::rowStrideBits);
  return rows;
}

/// Payload behind a header, as slots.
template <class Table>
void append(const Table& table, std::vector<Slot>& out) {
  const auto payload = std::bit_cast<std::array<Slot, sizeof(Table) / sizeof(Slot)>>(table);
  out.insert(out.end(), payload.begin(), payload.end());
}

}  // namespace

bool hasRows(const Slot& header) {
  const std::uint8_t flags = flagsOf(header);
  return format::typeOf(flags) == format::RecordType::access &&
         format::formOf(flags) == format::AddressForm::rows;
}

std::uint32_t lanesOfAccess(const Slot& header) {
  return hasRows(header) ? rowsOf(header).mask : activeMaskOf(header);
}

void expandRows(const Slot& header, std::vector<Slot>& out) {
  const Rows rows = rowsOf(header);
  const std::int64_t first = rows.offset(static_cast<std::uint32_t>(std::countr_zero(rows.mask)));
  std::array<std::int64_t, format::lanesPerWarp> offsets = {};
  bool near = true;
  for (std::uint32_t lane = 0; lane < format::lanesPerWarp; ++lane) {
    if ((rows.mask >> lane & 1u) == 0) continue;
    offsets[lane] = rows.offset(lane) - first;
    near &= offsets[lane] == static_cast<std::int32_t>(offsets[lane]);
  }
  const bool alone = std::has_single_bit(rows.mask);
  const auto form = alone  ? format::AddressForm::affine
                    : near ? format::AddressForm::offsets32
                           : format::AddressForm::full64;
  const std::uint64_t newFlags =
      format::makeFlags(format::RecordType::access, form, format::spaceOf(flagsOf(header)), false);
  Slot plain = header;
  plain.word[0] = rows.address;
  plain.word[1] = (header.word[1] & 0xff00ffff00000000u) | newFlags << 48 | rows.mask;
  plain.word[3] = blockOf(header);
  out.push_back(plain);
  if (alone) return;
  if (near) {
    std::array<std::int32_t, format::lanesPerWarp> table;
    for (std::size_t lane = 0; lane < table.size(); ++lane)
      table[lane] = static_cast<std::int32_t>(offsets[lane]);
    append(table, out);
  } else {
    std::array<std::uint64_t, format::lanesPerWarp> table;
    for (std::size_t lane = 0; lane < table.size(); ++lane)
      table[lane] = rows.address + static_cast<std::uint64_t>(offsets[lane]);
    append(table, out);
  }
}

}  // namespace cui::hostlib
