// What ptxas and nvlink say of the registers of functions and of kernels that call them.
#pragma once

#include <optional>
#include <string>

namespace cui::cli {

/// In relocatable code, functions have registers as they like, and kernels of __launch_bounds__ that may have
/// fewer and call them are rejected: the fewest that the messages speak of.
std::optional<long> fewestOfKernels(const std::string& messages);

/// The messages but for those about calls of functions that preserve less than the convention asks for: that
/// is the purpose. So it is that functions which call each other preserve the same.
std::string withoutSpills(const std::string& messages);

}  // namespace cui::cli
