// Relocatable machine code of a unit and of the recorder as one file: what ptxas would have made of both
// together, to be placed by the program's own link. nvlink can only join what it also places (`nvlink -r`),
// so this is done here. The unit's part stays as it is, but for its symbols of the recorder's functions,
// which are defined now; what is added is the recorder's, of which everything is known.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace cui::cli {

/// Throws Error (no) where a file has anything that is not known here.
std::string joinedCode(std::string_view unit, std::string_view recorder);

/// Of functions and kernels, by their mangled names.
struct CodeRegisters {
  std::map<std::string, long, std::less<>> used;    ///< by itself, not by what it calls
  std::map<std::string, long, std::less<>> limits;  ///< of kernels: what they and all that they call may have
};
/// No kernel has that as a limit of its own.
constexpr long noRegisterLimit = 255;

/// Throws Error (no).
CodeRegisters registersOf(std::string_view code);

/// The code with other limits of kernels. What they use stays as it is.
std::string withLimits(std::string code, const std::map<std::string, long, std::less<>>& limits);

}  // namespace cui::cli
