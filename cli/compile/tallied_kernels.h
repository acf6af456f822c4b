// Kernels for profiles that keep sums of what their sites access in registers, beside those that record
// (docs/adr/0022-sums-in-registers.md). Such a kernel is made of the same PTX, under the user's name and a
// suffix. In its loops stands, for each call of the recorder, what the access costs its lanes' tallies
// (cuinstrument/backend/cuda/tally.h), which are added to the profile where the kernel ends. All of its
// blocks are recorded, and all warps, so that it asks for neither, nor for the mode.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cli/compile/room_beside.h"

namespace cui::cli {

constexpr std::string_view talliedSuffix = "$cuiTallied";

/// What goes behind a unit's PTX for its kernels to have these beside them, and the functions that they call
/// declared; empty if there are none. `room`: for how much of it.
std::string talliedKernels(std::string_view ptx, std::size_t room = mostTextBeside);

}  // namespace cui::cli
