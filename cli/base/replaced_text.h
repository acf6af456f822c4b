// Text with one part of it spelled otherwise.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cli/base/find_text.h"

namespace cui::cli {

/// `text` with `to` for each `from`, from left to right; what is put in is not looked at again.
inline std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0;;) {
    const std::size_t next = findIn(text, from, at);
    result.append(text.substr(at, next - at));
    if (next == std::string_view::npos) return result;
    result.append(to);
    at = next + from.size();
  }
}

}  // namespace cui::cli
