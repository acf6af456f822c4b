// Kernels for traces that write the records of their loops themselves, beside those that call the recorder
// for each (docs/adr/0023-records-in-place.md). Such a kernel is made of the same PTX, under the user's name
// and a suffix. In its loops stands, for each call of the recorder, what writes the record
// (cuinstrument/backend/cuda/in_place.h). All warps of its blocks are recorded, without times and barriers:
// it asks for neither, nor for the mode.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cli/compile/room_beside.h"

namespace cui::cli {

constexpr std::string_view inPlaceSuffix = "$cuiInPlace", loggedSuffix = "$cuiLogged";

/// What goes behind a unit's PTX for its kernels to have these beside them, and the functions that they call
/// declared; empty if there are none. `room`: for how much of it. Its kernels may begin with what
/// split_prologue.h adds.
std::string inPlaceKernels(std::string_view ptx, std::size_t room = mostTextBeside);

}  // namespace cui::cli
