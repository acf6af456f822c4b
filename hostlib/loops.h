// Records of loops (format::Mark::loop), which only a GPU's recorder makes, as the accesses that everything
// behind the drain reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "hostlib/slot.h"

namespace cui::hostlib {

bool isLoop(const Slot& header);

/// Times round that a loop's record is of.
std::uint64_t timesOf(const Slot& header);

/// Passes on, part by part, the records of the loop whose record is at `header`: each access the first time
/// round, then each of them the second time. `buffer` is used on the way.
void expandLoop(const Slot* header, std::vector<Slot>& buffer,
                const std::function<void(const Slot* slots, std::size_t count)>& pass);

}  // namespace cui::hostlib
