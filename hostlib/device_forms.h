// Forms of records that only a GPU's recorder makes, as those that everything behind the drain reads: rows of
// narrow blocks (format::AddressForm::rows), and tables that nobody has looked at (format::plainTable).
#pragma once

#include <cstddef>
#include <vector>

#include "hostlib/slot.h"

namespace cui::hostlib {

/// The lanes that take part in an access, whatever its form.
std::uint32_t lanesOfAccess(const Slot& header);

/// Appends to `out` the record at `record`, whose form is a device's (hasDeviceForm()), with all of its
/// payload: one slot if its lanes are in line, five, or nine where they are far apart.
void expandDeviceForm(const Slot* record, std::vector<Slot>& out);

}  // namespace cui::hostlib
