// A short name for a text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cli/base/format_text.h"

namespace cui::cli {

/// FNV-1a in 16 hexadecimal digits, as in source_file.text_hash.
inline std::string textHash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return formatText("{:016x}", hash);
}

}  // namespace cui::cli
