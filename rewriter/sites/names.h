// How the enumerations of format/record.h are spelled in tables, C++ and JSON alike.
#pragma once

#include <string_view>

#include "cuinstrument/format/record.h"

namespace cui::sites {

constexpr std::string_view nameOf(format::Kind kind) {
  switch (kind) {
    case format::Kind::load:
      return "load";
    case format::Kind::store:
      return "store";
    case format::Kind::rmw:
      return "rmw";
    case format::Kind::atomic:
      return "atomic";
    case format::Kind::copy:
      return "copy";
  }
  return "load";
}
constexpr std::string_view nameOf(format::Space space) {
  switch (space) {
    case format::Space::generic:
      return "generic";
    case format::Space::global:
      return "global";
    case format::Space::shared:
      return "shared";
    case format::Space::constant:
      return "constant";
    case format::Space::local:
      return "local";
    case format::Space::texture:
      return "texture";
  }
  return "generic";
}
constexpr std::string_view nameOf(format::Status status) {
  return status == format::Status::instrumented ? "instrumented" : "skipped";
}

}  // namespace cui::sites
