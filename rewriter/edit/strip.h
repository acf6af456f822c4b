// The textual inverse of instrumentation, and the questions about text that only a lexer can answer.
//
// strip() knows the grammar of the CUI_ forms and nothing of any plan: that it gives back the input is
// therefore evidence that the rewriter only inserted.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cui::edit {

/// The original of an instrumented main file or mirrored header; any other text comes back as it is.
std::string strip(std::string_view instrumented);

/// Why text[begin, end) cannot be wrapped in a macro call; "" if it can. It must hold whole tokens,
/// balanced parentheses and no preprocessor directive (undefined behaviour in macro arguments).
std::string_view whyNotWrappable(std::string_view text, std::size_t begin, std::size_t end);

}  // namespace cui::edit
