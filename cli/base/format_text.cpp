// See format_text.h.
#include "cli/base/format_text.h"

#include <fmt/format.h>

namespace cui::cli {

std::string formatArguments(fmt::string_view text, fmt::format_args arguments) {
  return fmt::vformat(text, arguments);
}

}  // namespace cui::cli
