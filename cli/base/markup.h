// Text for HTML and XML, as content or within a double-quoted attribute.
#pragma once

#include <string>
#include <string_view>

namespace cui::cli {

std::string escapedForMarkup(std::string_view text);

}  // namespace cui::cli
