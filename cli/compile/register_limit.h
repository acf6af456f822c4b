// What ptxas and nvlink say of the registers of functions and of kernels that call them.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace cui::cli {

/// In relocatable code, functions have registers as they like, and kernels of __launch_bounds__ that may have
/// fewer and call them are rejected: the fewest that the messages speak of.
std::optional<long> fewestOfKernels(const std::string& messages);

/// Registers that each thread of a kernel has, by the kernel's mangled name.
using KernelRegisters = std::map<std::string, long, std::less<>>;

/// What `ptxas -v` says of them.
KernelRegisters registersOfKernels(const std::string& messages);

/// The messages but for those about calls of functions that preserve less than the convention asks for: that
/// is the purpose. So it is that functions which call each other preserve the same.
std::string withoutSpills(const std::string& messages);

/// The messages but for those about a limit for functions that ptxas has no use for: where it only looks at
/// PTX, and of units without functions.
std::string withoutIgnoredLimit(const std::string& messages);

}  // namespace cui::cli
