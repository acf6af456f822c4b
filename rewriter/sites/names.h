// How the enumerations of format/record.h are spelled in tables, C++ and JSON alike.
#pragma once

#include <string_view>

#include "cuinstrument/format/site_rows.h"

namespace cui::sites {

constexpr std::string_view nameOf(format::Kind kind) {
  return format::kindWords[static_cast<unsigned>(kind)];
}
constexpr std::string_view nameOf(format::Space space) {
  return format::spaceWords[static_cast<unsigned>(space)];
}
constexpr std::string_view nameOf(format::Status status) {
  return format::statusWords[static_cast<unsigned>(status)];
}

}  // namespace cui::sites
