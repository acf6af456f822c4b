// What only a GPU's recorder says of an access, as the forms that everything behind the drain reads: rows of
// narrow blocks (format::AddressForm::rows), and places of lanes that nobody has looked at (lane_logs.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hostlib/slot.h"

namespace cui::hostlib {

/// The lanes that take part in an access, whatever its form.
std::uint32_t lanesOfAccess(const Slot& header);

/// Appends to `out` the record at `record`, whose form is a device's (hasDeviceForm()), with all of its
/// payload: one slot if its lanes are in line, five, or nine where they are far apart.
void expandDeviceForm(const Slot* record, std::vector<Slot>& out);

/// Appends an access whose lanes' places are known, of which the rest of the header is given: one slot if its
/// lanes are in line, else with a table.
void appendPlaces(const Slot& header, std::uint32_t mask,
                  const std::array<std::uint64_t, format::lanesPerWarp>& addresses, std::vector<Slot>& out);

}  // namespace cui::hostlib
