#include "edit/pragma_macros.h"

#include <algorithm>

namespace cui::edit {
namespace {

constexpr std::string_view pragmaBlanks = " \t";

/// Takes `word` off the beginning, and the blanks behind it.
bool take(std::string_view& line, std::string_view word) {
  if (!line.starts_with(word)) return false;
  line.remove_prefix(word.size());
  line.remove_prefix(std::min(line.find_first_not_of(pragmaBlanks), line.size()));
  return true;
}

/// How long the body is, which ends with the line: `#define NAME #pragma …`. 0 if the line is something else,
/// or goes on in the next one.
std::size_t bodyLength(std::string_view line) {
  while (line.ends_with('\r')) line.remove_suffix(1);
  if (line.ends_with('\\')) return 0;
  take(line, "");
  if (!take(line, "#") || !take(line, "define")) return 0;
  const std::size_t name = line.find_first_of(pragmaBlanks);
  if (name == line.npos || line.substr(0, name).find('(') != line.npos) return 0;
  line.remove_prefix(name);
  take(line, "");
  const std::size_t length = line.size();
  return take(line, "#") && take(line, "pragma") ? length : 0;
}

}  // namespace

std::string blankPragmaMacros(std::string_view text) {
  std::string result;
  for (std::size_t found = text.find("pragma"); found != text.npos; found = text.find("pragma", found)) {
    const std::size_t begin = text.rfind('\n', found) + 1;  // npos + 1: the text's beginning
    const std::size_t end = std::min(text.find('\n', found), text.size());
    std::size_t length = bodyLength(text.substr(begin, end - begin));
    found = end;
    if (length == 0) continue;
    if (result.empty()) result = text;
    std::size_t last = end;
    while (text[last - 1] == '\r') --last;
    std::fill_n(result.begin() + static_cast<std::ptrdiff_t>(last - length), length, ' ');
  }
  return result;
}

}  // namespace cui::edit
