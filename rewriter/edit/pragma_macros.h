// Macros that stand for a directive, `#define UNROLL #pragma unroll`: nvcc preprocesses first and reads the
// pragma afterwards; in Clang the `#` of an expansion is an error of syntax.
#pragma once

#include <string>
#include <string_view>

namespace cui::edit {

/// The text with blanks in place of each such macro's body: a pragma says nothing that a rewriter asks for.
/// All else keeps its place. "" if there is none.
std::string blankPragmaMacros(std::string_view text);

}  // namespace cui::edit
