// PTX at the beginning of functions, by which a kernel knows its place in the program's grid when it is
// launched for a sample's blocks alone, and by which one without the recorder leaves these out
// (format/split_launch.h).
#pragma once

#include <string>
#include <string_view>

#include "cli/compile/unit_state.h"

namespace cui::cli {

/// Whether a body asks for its block or the grid in a way that inGridOfProgram() knows.
bool asksForBlock(std::string_view body);
bool canAskElsewhere(std::string_view body);

/// Behind what inGridOfProgram() adds: the block's place and the grid are in %cuir1 to %cuir6, as `%ctaid`
/// and
/// `%nctaid`.
constexpr std::string_view endOfPrologue = "$L__cuiOwn:\n";

/// A kernel's body, or a function's that such kernels call, which asks for the block and the grid of the
/// program's launch.
std::string inGridOfProgram(std::string_view body, const UnitState& state, bool kernel);

/// The parameters, and the body, of a kernel that begins with leaving out blocks of a sample, if it is told
/// to. `waits`: the launch begins while that of the sample runs, and ends behind it.
constexpr std::string_view restParameters = ".param .u32 cuiRecordedBelow,\n\t.param .u32 cuiLastRecorded";
std::string withoutSampledBlocks(std::string_view body, bool waits);

}  // namespace cui::cli
