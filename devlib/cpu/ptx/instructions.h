// The catalogue of PTX instructions: which function executes which. Rows: instructions.def.
#pragma once

#include <string_view>

#include "frame.h"

namespace cui::cpu::ptx {

/// Null for an instruction, or a type of it, that there is no function for.
Execute find(std::string_view operation, const Instruction& instruction);

#define CUI_PTX_INSTRUCTION(operation, families, function) void function(const Instruction& in, Frame& frame);
#include "instructions.def"

}  // namespace cui::cpu::ptx
