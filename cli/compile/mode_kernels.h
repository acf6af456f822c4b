// Kernels for the launches of one mode, beside those that record: what they have more or fewer of are
// registers (docs/adr/0021-kernels-for-a-mode.md). Such a kernel is the same but for its name, the user's and
// a suffix, as one without the recorder has (plain_kernels.h), and for whether it is lean (lean_kernels.h):
// - Where rows of the grid account for all of a kernel's sites, profiles have one warp of many call the
//   recorder. What all others would pay for are its registers, with which half as many warps run at a time.
//   Traces need them, as each warp makes each record itself.
// - Traces of lean kernels, where their loops are short, the other way round.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace cui::cli {

/// Of a lean one for profiles, and of one with the usual registers for traces.
constexpr std::string_view profiledSuffix = "$cuiProfiled", tracedSuffix = "$cuiTraced";

/// The names of the kernels in a unit's PTX of whose sites all go by rows.
std::set<std::string_view> kernelsByRows(std::string_view ptx);

/// The unit with one for profiles beside each of these, and one for traces beside each lean one.
std::string withModeKernels(std::string_view ptx);

/// The name of the kernel beside which one of that name is: its own, if it has no suffix.
std::string_view withoutModeSuffix(std::string_view name);

}  // namespace cui::cli
