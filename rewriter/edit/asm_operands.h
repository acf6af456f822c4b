// `asm("…" : "+l"(a) "=r"(b))`: nvcc does not miss the comma between the operands, Clang does.
#pragma once

#include <string>
#include <string_view>

namespace cui::edit {

/// The text with a comma for the blank behind each such operand: all else keeps its place. "" if there is
/// none.
std::string partAsmOperands(std::string_view text);

}  // namespace cui::edit
