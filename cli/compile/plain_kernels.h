// Kernels without the recorder in the image that has those with it: what a launch runs that is not to be
// recorded, and the blocks that a sample leaves out (devlib's plain_launch.h). Such a kernel is made of the
// same PTX, has two parameters more, and is known to nobody else: it has the user's own name and a suffix.
//
// What a sample takes is then a launch of its own, of so many blocks, in front of the others. In it a kernel
// gets its place in the grid from a table (format/split_launch.h).
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "cli/compile/room_beside.h"

namespace cui::cli {

/// Of a kernel whose blocks must all be of one launch, and of others.
constexpr std::string_view wholeSuffix = "$cuiWhole", restSuffix = "$cuiRest";

/// A unit with such kernels beside those that record, and others for one mode (mode_kernels.h). Not of
/// kernels that call functions through pointers, or have no room for the parameters. `room`: for those of
/// each of two kinds (room_beside.h).
std::string withOtherKernels(std::string_view ptx, std::size_t room = mostTextBeside);

/// The names of both, in machine code or PTX.
std::set<std::string> otherKernelsIn(std::string_view image);

/// What ptxas and nvlink say, without what they say of these (`-v`), and of the user's kernels by their
/// names.
std::string withoutOtherKernels(const std::string& messages);

/// The C file in which fatbinary embeds images: what the unit's host code, which includes it, registers and
/// launches them with.
/// `header`: plain_launch.h.
std::string withKernelsRegistered(std::string_view embedded, const std::set<std::string>& names,
                                  const std::string& header);

}  // namespace cui::cli
