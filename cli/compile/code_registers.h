// What machine code says of registers, and that a kernel may have others.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace cui::cli {

/// Of functions and kernels, by their mangled names.
struct CodeRegisters {
  std::map<std::string, long, std::less<>> used;    ///< by itself, not by what it calls
  std::map<std::string, long, std::less<>> limits;  ///< of kernels: what they and all that they call may have
};
/// No kernel has that as a limit of its own.
constexpr long noRegisterLimit = 255;

/// Throws Error (no), as cubin.h.
CodeRegisters registersOf(std::string_view code);

/// The code with other limits of kernels. What they use stays as it is.
std::string withLimits(std::string code, const std::map<std::string, long, std::less<>>& limits);

}  // namespace cui::cli
