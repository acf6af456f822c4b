// A unit's relocatable code with the recorder's beside it (joined_code.h): what our ptxas makes where nvcc is
// asked for -rdc=true.
#pragma once

#include <string>

#include "cli/compile/linking_toolchain.h"
#include "cli/compile/ptxas_line.h"

namespace cui::cli {

/// Compiles `unit`, the text of the line's input. Returns the exit status; throws Error (no) where it cannot
/// be.
int compileRelocatable(const PtxasLine& line, const LinkingToolchain& toolchain, const std::string& unit);

}  // namespace cui::cli
