// Records of narrow blocks' rows (format::AddressForm::rows), which only a GPU's recorder makes, as the
// offsets32 that everything behind the drain reads.
#pragma once

#include <cstddef>
#include <vector>

#include "hostlib/slot.h"

namespace cui::hostlib {

bool hasRows(const Slot& header);
/// The lanes that take part in an access, whatever its form.
std::uint32_t lanesOfAccess(const Slot& header);

/// Appends to `out` the record of `header`, which has rows: five slots, of a lone lane one, and nine where
/// they are far apart.
void expandRows(const Slot& header, std::vector<Slot>& out);

}  // namespace cui::hostlib
