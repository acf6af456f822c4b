// The catalogue of PTX instructions: which function executes which. Rows: instructions.def.
#pragma once

#include <string_view>

#include "frame.h"

namespace cui::cpu::ptx {

struct Row {
  std::string_view operation;  ///< `add`, `cp.async.bulk`
  std::string_view families;   ///< letters of the types that the function knows; "": any or none
  Execute execute;
};

/// The row whose operation is all of `name`, or the first words of it; the longest one. Null for none.
const Row* find(std::string_view name);
/// Whether the row's function knows the types that the instruction names.
bool knowsTypes(const Row& row, const Instruction& instruction);

#define CUI_PTX_INSTRUCTION(operation, families, function) void function(const Instruction& in, Frame& frame);
#include "instructions.def"

}  // namespace cui::cpu::ptx
