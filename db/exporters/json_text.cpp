// See json_text.h.
#include "db/exporters/json_text.h"

#include <cstddef>
#include <cstdio>
#include <ostream>

namespace cui::db {

namespace {

/// Length of the valid UTF-8 sequence at the start of `text`, 0 if there is none.
std::size_t utf8Length(std::string_view text) {
  const auto at = [text](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const auto tail = [&at](std::size_t i) { return (at(i) & 0xc0) == 0x80; };
  const unsigned first = at(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return tail(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const bool overlong = first == 0xe0 && at(1) < 0xa0, surrogate = first == 0xed && at(1) > 0x9f;
    return tail(1) && tail(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const bool overlong = first == 0xf0 && at(1) < 0x90, beyond = first == 0xf4 && at(1) > 0x8f;
    return tail(1) && tail(2) && tail(3) && !overlong && !beyond ? 4 : 0;
  }
  return 0;
}

}  // namespace

void writeJsonString(std::ostream& out, std::string_view text) {
  out << '"';
  while (!text.empty()) {
    const std::size_t length = utf8Length(text);
    const char c = text[0];
    if (length == 0)
      out << "\\ufffd";
    else if (c == '"' || c == '\\')
      out << '\\' << c;
    else if (c == '\n')
      out << "\\n";
    else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out << escape;
    } else
      out << text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out << '"';
}

}  // namespace cui::db
