// Launches as nvcc takes them and Clang does not: brackets with a blank inside, `k<< <1, 32>> >(p)`, as old
// formatters leave them (Clang reads `<<` and `<`), and configurations in braces, `k<<<grid, {32, 8}>>>(p)`.
#pragma once

#include <string>
#include <string_view>

namespace cui::edit {

/// The text with each such bracket as Clang reads it, the blank behind it (`k<<< 1, 32>>> (p)`), and such
/// braces as parentheses: all else keeps its place. "" if there is none.
std::string joinChevrons(std::string_view text);

/// The end of the bracket that begins at `begin` in the text as written: past its third character.
std::size_t endOfChevron(std::string_view text, std::size_t begin);

}  // namespace cui::edit
