#include "edit/asm_operands.h"

#include <algorithm>
#include <cctype>

namespace cui::edit {
namespace {

constexpr std::string_view operandBlanks = " \t\r\n";

/// `"=r"(`, `"+l" (`: what begins an operand, whose quote has been read.
bool isOperand(std::string_view text) {
  const std::size_t end = text.find_first_not_of("=+&%");
  std::size_t letters = end;
  while (letters < text.size() && std::isalpha(static_cast<unsigned char>(text[letters])) != 0) ++letters;
  if (letters == end || letters >= text.size() || text[letters] != '"') return false;
  text.remove_prefix(letters + 1);
  const std::size_t open = text.find_first_not_of(operandBlanks);
  return open != text.npos && text[open] == '(';
}

/// `#define NAME(a, b)`: is the parenthesis at `close` the end of a macro's parameters?
bool endsParameters(std::string_view text, std::size_t close) {
  const std::size_t begin = text.rfind('\n', close) + 1;  // npos + 1: the text's beginning
  std::string_view line = text.substr(begin, close - begin);
  const auto take = [&line](std::string_view what) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with(what)) return false;
    line.remove_prefix(what.size());
    return true;
  };
  return take("#") && take("define") && line.find(')') == line.npos;
}

}  // namespace

std::string partAsmOperands(std::string_view text) {
  std::string result;
  for (std::size_t found = text.find("asm"); (found = text.find('"', found)) != text.npos; ++found) {
    const std::size_t before = found == 0 ? text.npos : text.find_last_not_of(operandBlanks, found - 1);
    if (before == text.npos || before + 1 == found || text[before] != ')') continue;
    if (!isOperand(text.substr(found + 1)) || endsParameters(text, before)) continue;
    if (result.empty()) result = text;
    result[before + 1] = ',';
  }
  return result;
}

}  // namespace cui::edit
