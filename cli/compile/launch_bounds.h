// How many registers a kernel's `__launch_bounds__` leave it, before ptxas is asked: where that is less than
// the recorder needs, all is compiled for as few at once, instead of being refused first.
#pragma once

#include <optional>
#include <string_view>

namespace cui::cli {

/// The fewest that the unit's kernels may have which record accesses by the module of the usual registers, if
/// that is less than it needs. Nothing also where it is not known for sure: nvlink says it then.
std::optional<long> registersLeftByBounds(std::string_view ptx);

}  // namespace cui::cli
