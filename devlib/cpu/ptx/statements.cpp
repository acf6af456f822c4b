#include "statements.h"

#include <algorithm>
#include <cctype>

namespace cui::cpu::ptx {
namespace {

bool isNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%';
}

/// Without comments, and with operands marked.
std::string cleaned(std::string_view text, bool hasOperands) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (rest.substr(0, 2) == "//") {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (rest.substr(0, 2) == "/*") {
      i = std::min(text.find("*/", i + 2), text.size() - 2) + 1;
      result += ' ';
    } else if (rest.substr(0, 2) == "%%") {
      result += '%';
      ++i;
    } else if (rest.substr(0, 2) == "%=") {
      result += "unique";  // labels are the statement's own here
      ++i;
    } else if (hasOperands && rest.size() > 1 && rest[0] == '%' &&
               (std::isdigit(static_cast<unsigned char>(rest[1])) || rest[1] == '[')) {
      result += operandMark;
    } else {
      result += text[i];
    }
  }
  return result;
}

/// The length of `name` in `name:`, 0 if there is no label.
std::size_t labelLength(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && isNameCharacter(text[end])) ++end;
  const std::size_t colon = text.find_first_not_of(" \t\n", end);
  return end > 0 && colon != std::string_view::npos && text[colon] == ':' &&
                 (colon + 1 == text.size() || text[colon + 1] != ':')
             ? end
             : 0;
}

}  // namespace

std::string quoted(std::string_view statement) {
  std::string result = "`" + std::string(statement) + "`";
  std::replace(result.begin(), result.end(), operandMark, '%');
  return result;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\n\r\v\f";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : separator;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c != separator || (depth != 0 && i < text.size())) continue;
    parts.emplace_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  if (parts.size() == 1 && parts[0].empty()) parts.clear();
  return parts;
}

std::vector<Statement> statementsOf(std::string_view text, bool hasOperands) {
  const std::string all = cleaned(text, hasOperands);
  std::vector<Statement> statements;
  std::string_view rest = trimmed(all);
  const auto drop = [&](std::size_t count) { rest = trimmed(rest.substr(std::min(count, rest.size()))); };
  while (!rest.empty()) {
    if (rest.front() == ';') {
      drop(1);
    } else if (rest.front() == '{' || rest.front() == '}') {
      statements.push_back({rest.front() == '{' ? Statement::Kind::open : Statement::Kind::close, ""});
      drop(1);
    } else if (const std::size_t label = labelLength(rest)) {
      statements.push_back({Statement::Kind::label, std::string(rest.substr(0, label))});
      drop(rest.find(':') + 1);
    } else {
      // The last statement may end with the text, or with a scope.
      std::size_t end = 0;
      for (int depth = 0; end < rest.size() && rest[end] != ';' && depth >= 0; ++end) {
        if (rest[end] == '{') ++depth;
        if (rest[end] == '}' && --depth < 0) break;
      }
      const auto kind = rest.front() == '.' ? Statement::Kind::directive : Statement::Kind::instruction;
      statements.push_back({kind, std::string(trimmed(rest.substr(0, end)))});
      drop(end);
    }
  }
  return statements;
}

}  // namespace cui::cpu::ptx
