#include "hostlib/device_forms.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

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

using Addresses = std::array<std::uint64_t, format::lanesPerWarp>;

/// What stands in an access's header beside its form: word 0 is the lowest active lane's address.
struct Place {
  std::uint64_t address;
  std::uint32_t mask;
};
Slot withForm(const Slot& header, const Place& place, format::AddressForm form, std::int32_t stride) {
  const std::uint64_t flags =
      format::makeFlags(format::RecordType::access, form, format::spaceOf(flagsOf(header)), false);
  Slot plain = header;
  plain.word[0] = place.address;
  plain.word[1] = (header.word[1] & 0xff00ffff00000000u) | flags << 48 | place.mask;
  plain.word[3] = blockOf(header) | std::uint64_t{static_cast<std::uint32_t>(stride)} << 32;
  return plain;
}

/// A record whose lanes are not in line. `offsets`: from the lowest active lane, 0 of those that are not.
void appendTable(const Slot& header, const Place& place,
                 const std::array<std::int64_t, format::lanesPerWarp>& offsets, std::vector<Slot>& out) {
  const bool near = std::all_of(offsets.begin(), offsets.end(), [](std::int64_t offset) {
    return offset == static_cast<std::int32_t>(offset);
  });
  if (near) {
    out.push_back(withForm(header, place, format::AddressForm::offsets32, 0));
    std::array<std::int32_t, format::lanesPerWarp> table;
    for (std::size_t lane = 0; lane < table.size(); ++lane)
      table[lane] = static_cast<std::int32_t>(offsets[lane]);
    append(table, out);
  } else {
    out.push_back(withForm(header, place, format::AddressForm::full64, 0));
    Addresses table;
    for (std::size_t lane = 0; lane < table.size(); ++lane)
      table[lane] = place.address + static_cast<std::uint64_t>(offsets[lane]);
    append(table, out);
  }
}

void expandRows(const Slot& header, std::vector<Slot>& out) {
  const Rows rows = rowsOf(header);
  const Place place = {rows.address, rows.mask};
  if (std::has_single_bit(rows.mask)) {
    out.push_back(withForm(header, place, format::AddressForm::affine, 0));
    return;
  }
  const std::int64_t first = rows.offset(static_cast<std::uint32_t>(std::countr_zero(rows.mask)));
  std::array<std::int64_t, format::lanesPerWarp> offsets = {};
  for (std::uint32_t lane = 0; lane < format::lanesPerWarp; ++lane)
    if ((rows.mask >> lane & 1u) != 0) offsets[lane] = rows.offset(lane) - first;
  appendTable(header, place, offsets, out);
}

/// Bytes from each active lane to the next, if they are all as far apart, and that is a number of 32 bits.
std::optional<std::int32_t> strideOf(const std::array<std::int64_t, format::lanesPerWarp>& offsets,
                                     std::uint32_t mask) {
  const std::uint32_t others = mask & (mask - 1);
  if (others == 0) return 0;
  const int first = std::countr_zero(mask), second = std::countr_zero(others);
  const std::int64_t stride = offsets[static_cast<std::size_t>(second)] / (second - first);
  if (stride != static_cast<std::int32_t>(stride)) return std::nullopt;
  bool follows = true;
  for (int lane = 0; lane < static_cast<int>(offsets.size()); ++lane)
    follows &= (mask >> lane & 1u) == 0 || offsets[static_cast<std::size_t>(lane)] == stride * (lane - first);
  return follows ? std::optional(static_cast<std::int32_t>(stride)) : std::nullopt;
}

}  // namespace

void appendPlaces(const Slot& header, std::uint32_t mask, const Addresses& addresses,
                  std::vector<Slot>& out) {
  const Place place = {addresses[static_cast<std::size_t>(std::countr_zero(mask)) % addresses.size()], mask};
  std::array<std::int64_t, format::lanesPerWarp> offsets;
  for (std::size_t lane = 0; lane < offsets.size(); ++lane)
    offsets[lane] = (mask >> lane & 1u) != 0 ? static_cast<std::int64_t>(addresses[lane] - place.address) : 0;
  if (const auto stride = strideOf(offsets, mask))
    out.push_back(withForm(header, place, format::AddressForm::affine, *stride));
  else
    appendTable(header, place, offsets, out);
}

std::uint32_t lanesOfAccess(const Slot& header) {
  return hasDeviceForm(header) ? rowsOf(header).mask : activeMaskOf(header);
}

void expandDeviceForm(const Slot* record, std::vector<Slot>& out) {
  expandRows(*record, out);
}

}  // namespace cui::hostlib
