// `extern "C"__global__`: the suffix of a literal to Clang; nvcc takes a macro's name for the next token.
#pragma once

#include <string>
#include <string_view>

namespace cui::edit {

/// The text with the blank in front of each such literal behind it: all else keeps its place. "" if there is
/// none.
std::string partLinkage(std::string_view text);

}  // namespace cui::edit
