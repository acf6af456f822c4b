// Kernels for launches whose accesses are added up, beside those that record: where rows of the grid account
// for all of a kernel's sites, one warp of many calls the recorder, and what all others pay for are its
// registers, with which half as many warps run at a time. Traces need those, as each warp makes each record
// itself (docs/adr/0021-kernels-for-profiles.md). Such a kernel has the user's name and a suffix, as one
// without the recorder (plain_kernels.h), and is lean (lean_kernels.h).
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace cui::cli {

constexpr std::string_view profiledSuffix = "$cuiProfiled";

/// The names of the kernels in a unit's PTX that are to have one.
std::set<std::string_view> kernelsByRows(std::string_view ptx);

/// The unit with one for each of these, which is the same but for its name.
std::string withProfiledKernels(std::string_view ptx);

/// Whether it is the name of such a kernel; and of the one that it is beside.
bool isProfiledName(std::string_view name);
std::string_view withoutProfiledSuffix(std::string_view name);

}  // namespace cui::cli
