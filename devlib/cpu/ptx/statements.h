// The text of an inline assembly template, cut into statements.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cui::cpu::ptx {

/// Stands for the `%` of `%3` and `%[name]`, which are operands; other `%` belong to names.
constexpr char operandMark = '?';

struct Statement {
  enum class Kind { open, close, label, directive, instruction };
  Kind kind;
  std::string text;  ///< without its semicolon, comments and blanks around it
};

/// `hasOperands`: only then does `%3` name one.
std::vector<Statement> statementsOf(std::string_view text, bool hasOperands);

/// A statement as its author wrote it, in backquotes.
std::string quoted(std::string_view statement);

std::string_view trimmed(std::string_view text);
/// At separators outside brackets, trimmed; nothing for blanks.
std::vector<std::string> split(std::string_view text, char separator = ',');

}  // namespace cui::cpu::ptx
