// The memory instructions in a piece of inline assembly: which operand holds the address, how many bytes,
// which space. Text in, text out; no LLVM.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cuinstrument/format/record.h"

namespace cui::constructs {

struct PtxAccess {
  std::string instruction;  ///< `ld.global.v4.f32`
  std::string reason;       ///< why it cannot be recorded; "" if it can
  unsigned operand = 0;     ///< n of `[%n+4]`
  long offset = 0;          ///< 4 of `[%n+4]`
  unsigned bytes = 0;       ///< 0: `bytesOperand` says, or `size`
  unsigned bytesOperand = 0;
  bool sizeIsOperand = false;  ///< `bytesOperand` says
  unsigned lanes = 0;     ///< of a warp's matrix tile: so many lanes give the address of a row; 0: all do
  std::string condition;  ///< when it is made, in C++ but for `%n`; "": always
  std::string size;       ///< bytes that are known when it runs, likewise; "": `bytes`
  format::Kind kind = format::Kind::load;
  format::Space space = format::Space::generic;
};

/// In the order of the text; an instruction that reads one address and writes another is two.
std::vector<PtxAccess> memoryInstructions(std::string_view assembly);

}  // namespace cui::constructs
