#include "edit/linkage.h"

#include <cctype>

namespace cui::edit {
namespace {

constexpr std::string_view cLinkage = "\"C\"";

bool isSpaceOrTab(char c) {
  return c == ' ' || c == '\t';
}
bool isWord(char c) {
  return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
}

/// Is the literal at `begin` behind `extern` and a blank, and does a word touch it?
bool isTouched(std::string_view text, std::size_t begin) {
  const std::size_t end = begin + cLinkage.size();
  if (end == text.size() || !isWord(text[end]) || begin == 0 || !isSpaceOrTab(text[begin - 1])) return false;
  std::string_view before = text.substr(0, begin);
  while (!before.empty() && isSpaceOrTab(before.back())) before.remove_suffix(1);
  return before.ends_with("extern");
}

}  // namespace

std::string partLinkage(std::string_view text) {
  std::string result;
  for (std::size_t found = text.find(cLinkage); found != text.npos; found = text.find(cLinkage, found + 1)) {
    if (!isTouched(text, found)) continue;
    if (result.empty()) result = text;
    result.replace(found - 1, cLinkage.size() + 1, std::string(cLinkage) + ' ');
  }
  return result;
}

}  // namespace cui::edit
