// Text as JSON.
#pragma once

#include <iosfwd>
#include <string_view>

namespace cui::db {

/// In quotes; what is not UTF-8 is replaced.
void writeJsonString(std::ostream& out, std::string_view text);

}  // namespace cui::db
