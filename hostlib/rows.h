// Records of narrow blocks' rows (format::AddressForm::rows), which only a GPU's recorder makes, as the
// offsets32 that everything behind the drain reads.
#pragma once

#include <cstddef>
#include <vector>

#include "hostlib/slot.h"

namespace cui::hostlib {

bool hasRows(const Slot& header);

/// Appends to `out` the record of `header`, which has rows: five slots.
void expandRows(const Slot& header, std::vector<Slot>& out);

}  // namespace cui::hostlib
