#include "constructs/ptx_text.h"

#include <algorithm>
#include <cctype>

namespace cui::constructs {
namespace {

constexpr const char* blanks = " \t\r\n";

/// At commas that are in no braces or brackets.
std::vector<std::string_view> splitOperands(std::string_view text) {
  std::vector<std::string_view> operands;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{' || text[i] == '[') ++depth;
    if (text[i] == '}' || text[i] == ']') --depth;
    if (text[i] != ',' || depth > 0) continue;
    operands.push_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  if (const std::string_view last = trimmed(text.substr(begin)); !last.empty() || !operands.empty())
    operands.push_back(last);
  return operands;
}

std::vector<std::string_view> addressesOf(std::string_view operands) {
  std::vector<std::string_view> addresses;
  for (std::size_t open = operands.find('['); open != operands.npos; open = operands.find('[', open + 1)) {
    const std::size_t close = operands.find(']', open);
    if (close == operands.npos) break;
    addresses.push_back(operands.substr(open + 1, close - open - 1));
  }
  return addresses;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == text.npos) return parts;
    text.remove_prefix(at + 1);
  }
}

bool has(const std::vector<std::string_view>& parts, std::string_view part) {
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

std::string withoutComments(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    if (text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.substr(i, 2) == "/*") {
      const std::size_t end = text.find("*/", i + 2);
      i = end == text.npos ? text.size() : end + 2;
      result += ' ';
    } else {
      result += text[i++];
    }
  }
  return result;
}

PtxInstruction readInstruction(std::string_view text) {
  PtxInstruction result;
  if (!text.empty() && text.front() == '@') {
    text = trimmed(text.substr(1));
    const std::size_t end = std::min(text.find_first_of(blanks), text.size());
    result.guard = text.substr(0, end);
    text = trimmed(text.substr(end));
  }
  const std::size_t end = std::min(text.find_first_of(" \t\r\n{[%"), text.size());
  result.name = text.substr(0, end);
  result.parts = split(result.name, '.');
  result.operands = splitOperands(trimmed(text.substr(end)));
  result.addresses = addressesOf(text.substr(end));
  return result;
}

}  // namespace cui::constructs
