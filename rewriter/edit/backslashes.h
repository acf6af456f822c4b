// `a + \ // more`: nvcc takes the comment away first, and the backslash then continues the line; to Clang it
// is a token.
#pragma once

#include <string>
#include <string_view>

namespace cui::edit {

/// The text with a blank for each backslash of code that has nothing but blanks and comments behind it in its
/// line.
/// "" if there is none.
std::string blankBackslashes(std::string_view text);

}  // namespace cui::edit
