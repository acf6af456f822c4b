// The predicate registers of a piece of inline assembly, as far as its operands decide them:
// `setp.ne.b32 p, %4, 0; @p ld.global.f32 %0, [%1];` loads if operand 4 is not 0.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "constructs/ptx_text.h"

namespace cui::constructs {

class PtxPredicates {
 public:
  /// Takes in what the instruction does to them, in the order of the text.
  void follow(const PtxInstruction& instruction);
  /// When `p` or `!p` holds, in C++ but for its operands: `static_cast<unsigned>(%4) != 0`; "" if that is not
  /// known.
  std::string condition(std::string_view predicate) const;

 private:
  std::map<std::string, std::string, std::less<>> conditions_;
};

}  // namespace cui::constructs
