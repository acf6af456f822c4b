// What ptxas and nvlink say of kernels that may have fewer registers than a function that they call.
#pragma once

#include <optional>
#include <string>

namespace cui::cli {

/// In relocatable code, functions have registers as they like, and kernels of __launch_bounds__ that may have
/// fewer and call them are rejected: the fewest that the messages speak of.
std::optional<long> fewestOfKernels(const std::string& messages);

}  // namespace cui::cli
