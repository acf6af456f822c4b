// Splits C++ text into tokens: just enough of the language to know code from strings and comments.
// Works on raw text (before macros and line splicing), whatever the preprocessor would skip.
#pragma once

#include <cstddef>
#include <string_view>

namespace cui::edit {

enum class TokenKind {
  space,       ///< blanks, newlines, line continuations
  comment,     ///< either kind; a line comment ends before its newline
  identifier,  ///< also keywords
  number,      ///< preprocessing number, digit separators included
  text,        ///< string or character literal, prefix included; unterminated ones end with the line
  headerName,  ///< what follows #include or `__has_include(`, delimiters included
  hash,        ///< the '#' that starts a directive
  punctuation  ///< one character
};

struct Token {
  TokenKind kind;
  std::size_t begin, end;
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  /// False at the end of the text.
  bool next(Token& token);

 private:
  char at(std::size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }
  /// Length of the backslash-newline at `offset`, or 0.
  std::size_t continuation(std::size_t offset) const;
  std::size_t endOfSpace(std::size_t offset);
  std::size_t endOfLineComment(std::size_t offset) const;
  std::size_t endOfNumber(std::size_t offset) const;
  std::size_t endOfQuoted(std::size_t offset) const;
  std::size_t endOfRaw(std::size_t quote) const;
  std::size_t endOfHeaderName(std::size_t offset) const;

  enum class Line { start, hash, include, hasInclude, other };

  std::string_view text_;
  std::size_t offset_ = 0;
  Line line_ = Line::start;
};

}  // namespace cui::edit
