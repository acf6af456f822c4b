#include "edit/token_index.h"

#include <algorithm>

#include "edit/forms.h"

namespace cui::edit {

TokenIndex::TokenIndex(std::string_view text) : text_(text) {
  Lexer lexer(text);
  Token token;
  while (lexer.next(token)) {
    if (token.kind == TokenKind::space || token.kind == TokenKind::comment) continue;
    tokens_.push_back(token);
    if (token.kind == TokenKind::identifier) {
      Form form;
      if (findForm(text.substr(token.begin, token.end - token.begin), form)) usesReservedName_ = true;
    }
  }
}

std::string_view TokenIndex::whyNotWrappable(std::size_t begin, std::size_t end) const {
  constexpr std::string_view partial = "the expression's tokens are not a whole range of the file";
  auto token = std::lower_bound(tokens_.begin(), tokens_.end(), begin,
                                [](const Token& t, std::size_t offset) { return t.begin < offset; });
  if (begin >= end || token == tokens_.end() || token->begin != begin) return partial;
  std::string open;  // brackets that wait for their partner
  std::size_t covered = begin;
  for (; token != tokens_.end() && token->begin < end; ++token) {
    if (token->kind == TokenKind::hash) return "a preprocessor directive is inside the expression";
    covered = token->end;
    if (token->kind != TokenKind::punctuation) continue;
    const char c = text_[token->begin];
    if (c == '(' || c == '[' || c == '{') {
      open += c;
    } else if (c == ')' || c == ']' || c == '}') {
      const char partner = c == ')' ? '(' : c == ']' ? '[' : '{';
      if (open.empty() || open.back() != partner) return partial;
      open.pop_back();
    }
  }
  return open.empty() && covered == end ? std::string_view() : partial;
}

}  // namespace cui::edit
