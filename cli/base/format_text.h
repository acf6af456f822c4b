// fmt::format, its implementation compiled once: that takes a compiler three seconds wherever it is called.
#pragma once
#include <fmt/core.h>

#include <string>

namespace cui::cli {

std::string formatArguments(fmt::string_view text, fmt::format_args arguments);

/// `formatText("{} of {}", 1, "2")`; the compiler checks the text.
template <class... Arguments>
std::string formatText(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  return formatArguments(text, fmt::make_format_args(arguments...));
}

}  // namespace cui::cli
