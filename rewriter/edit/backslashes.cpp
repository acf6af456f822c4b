#include "edit/backslashes.h"

#include "edit/lexer.h"

namespace cui::edit {
namespace {

/// Is there a backslash with a comment behind it at all, be it in a comment or literal?
bool mayHaveOne(std::string_view text) {
  for (std::size_t found = text.find('\\'); found != text.npos; found = text.find('\\', found + 1)) {
    const std::size_t next = text.find_first_not_of(" \t", found + 1);
    if (next != text.npos && next + 1 < text.size() && text[next] == '/' &&
        (text[next + 1] == '/' || text[next + 1] == '*'))
      return true;
  }
  return false;
}

}  // namespace

std::string blankBackslashes(std::string_view text) {
  if (!mayHaveOne(text)) return "";
  std::string result;
  Lexer lexer(text);
  Token token;
  bool inDirective = false, commented = false;
  std::size_t backslash = text.npos;  // behind which only blanks and comments have come
  while (lexer.next(token)) {
    const std::string_view spelled = text.substr(token.begin, token.end - token.begin);
    const std::size_t newline = spelled.find('\n');
    if (token.kind == TokenKind::comment) {
      commented = true;
      if (newline != spelled.npos) backslash = text.npos;
    } else if (token.kind != TokenKind::space) {
      inDirective |= token.kind == TokenKind::hash;
      backslash = spelled == "\\" && !inDirective ? token.begin : text.npos;
      commented = false;
    } else if (newline != spelled.npos) {
      if (backslash != text.npos && commented) {
        if (result.empty()) result = text;
        result[backslash] = ' ';
      }
      backslash = text.npos;
      // A line that is continued is the directive's, too.
      for (std::size_t end = newline; end != spelled.npos; end = spelled.find('\n', end + 1))
        if (end == 0 || spelled[end - 1] != '\\') inDirective = false;
    }
  }
  return result;
}

}  // namespace cui::edit
