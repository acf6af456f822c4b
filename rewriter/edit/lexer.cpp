#include "edit/lexer.h"

#include <algorithm>
#include <string>

namespace cui::edit {
namespace {

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
// Bytes of UTF-8 sequences may be part of identifiers; '$' is one in every compiler we meet.
bool startsIdentifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool inIdentifier(char c) {
  return startsIdentifier(c) || isDigit(c);
}
bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}
bool isRawPrefix(std::string_view word) {
  return word == "R" || word == "u8R" || word == "uR" || word == "UR" || word == "LR";
}
bool isLiteralPrefix(std::string_view word) {
  return word == "u8" || word == "u" || word == "U" || word == "L";
}

}  // namespace

std::size_t Lexer::continuation(std::size_t offset) const {
  if (at(offset) != '\\') return 0;
  if (at(offset + 1) == '\n') return 2;
  return at(offset + 1) == '\r' && at(offset + 2) == '\n' ? 3 : 0;
}

std::size_t Lexer::endOfSpace(std::size_t offset) {
  while (offset < text_.size()) {
    if (const std::size_t skip = continuation(offset)) {
      offset += skip;
    } else if (text_[offset] == '\n') {
      line_ = Line::start;
      ++offset;
    } else if (isBlank(text_[offset])) {
      ++offset;
    } else {
      break;
    }
  }
  return offset;
}

std::size_t Lexer::endOfLineComment(std::size_t offset) const {
  while (offset < text_.size() && text_[offset] != '\n') {
    const std::size_t skip = continuation(offset);
    offset += skip ? skip : 1;
  }
  return offset;
}

std::size_t Lexer::endOfNumber(std::size_t offset) const {
  while (offset < text_.size()) {
    const char c = text_[offset];
    const char following = at(offset + 1);
    const bool exponent =
        (c == 'e' || c == 'E' || c == 'p' || c == 'P') && (following == '+' || following == '-');
    if (exponent || (c == '\'' && inIdentifier(following))) {
      offset += 2;
    } else if (inIdentifier(c) || c == '.') {
      ++offset;
    } else {
      break;
    }
  }
  return offset;
}

std::size_t Lexer::endOfQuoted(std::size_t offset) const {
  const char quote = text_[offset++];
  while (offset < text_.size() && text_[offset] != '\n') {
    if (const std::size_t skip = continuation(offset)) {
      offset += skip;
    } else if (text_[offset] == '\\') {
      offset += 2;
    } else if (text_[offset++] == quote) {
      return offset;
    }
  }
  return std::min(offset, text_.size());
}

std::size_t Lexer::endOfRaw(std::size_t quote) const {
  const std::size_t open = text_.find('(', quote);
  if (open == std::string_view::npos) return text_.size();
  const std::string closing = ")" + std::string(text_.substr(quote + 1, open - quote - 1)) + "\"";
  const std::size_t found = text_.find(closing, open);
  return found == std::string_view::npos ? text_.size() : found + closing.size();
}

std::size_t Lexer::endOfHeaderName(std::size_t offset) const {
  const char closing = text_[offset] == '<' ? '>' : '"';
  const std::size_t found = text_.find_first_of(std::string{closing, '\n'}, offset + 1);
  if (found == std::string_view::npos) return text_.size();
  return text_[found] == '\n' ? found : found + 1;
}

bool Lexer::next(Token& token) {
  if (offset_ >= text_.size()) return false;
  const std::size_t begin = offset_;
  const char c = text_[begin];
  const char following = at(begin + 1);
  const Line line = line_;
  const auto give = [&](TokenKind kind, std::size_t end) {
    token = {kind, begin, end};
    offset_ = end;
    return true;
  };

  if (isBlank(c) || c == '\n' || continuation(begin)) return give(TokenKind::space, endOfSpace(begin));
  if (c == '/' && following == '/') return give(TokenKind::comment, endOfLineComment(begin));
  if (c == '/' && following == '*') {
    const std::size_t found = text_.find("*/", begin + 2);
    return give(TokenKind::comment, found == std::string_view::npos ? text_.size() : found + 2);
  }

  // From here on the token counts for what the line is.
  line_ = Line::other;
  if (line == Line::include && (c == '"' || c == '<'))
    return give(TokenKind::headerName, endOfHeaderName(begin));
  if (startsIdentifier(c)) {
    std::size_t end = begin + 1;
    while (end < text_.size() && inIdentifier(text_[end])) ++end;
    const std::string_view word = text_.substr(begin, end - begin);
    if (at(end) == '"' && isRawPrefix(word)) return give(TokenKind::text, endOfRaw(end));
    if ((at(end) == '"' || at(end) == '\'') && isLiteralPrefix(word))
      return give(TokenKind::text, endOfQuoted(end));
    if (line == Line::hash && (word == "include" || word == "include_next" || word == "import"))
      line_ = Line::include;
    if (word == "__has_include" || word == "__has_include_next") line_ = Line::hasInclude;
    return give(TokenKind::identifier, end);
  }
  if (isDigit(c) || (c == '.' && isDigit(following))) return give(TokenKind::number, endOfNumber(begin));
  if (c == '"' || c == '\'') return give(TokenKind::text, endOfQuoted(begin));
  if (c == '#' && line == Line::start) {
    line_ = Line::hash;
    return give(TokenKind::hash, begin + 1);
  }
  if (c == '(' && line == Line::hasInclude) line_ = Line::include;
  return give(TokenKind::punctuation, begin + 1);
}

}  // namespace cui::edit
