#include "edit/token_index.h"

#include <algorithm>
#include <array>

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
  for (std::size_t first = 0; first < tokens_.size() && !expands_; ++first) expands_ = isEllipsis(first);
}

/// `...`, of which each dot is a token, at its first; not that of `sizeof...`, which expands nothing.
bool TokenIndex::isEllipsis(std::size_t token) const {
  if (token + 2 >= tokens_.size() || !is(token, '.') || !is(token + 1, '.') || !is(token + 2, '.'))
    return false;
  if (token == 0) return true;
  const Token& before = tokens_[token - 1];
  return text_.substr(before.begin, before.end - before.begin) != "sizeof";
}

/// The ellipsis at `token` is between two operators: of a fold expression with an operand on each side.
bool TokenIndex::isFold(std::size_t token, std::size_t first, std::size_t end) const {
  constexpr std::string_view operators = "+-*/%^&|=<!.";
  if (!isEllipsis(token) || token == first || token + 3 >= end) return false;
  const Token &before = tokens_[token - 1], &behind = tokens_[token + 3];
  if (before.kind != TokenKind::punctuation || behind.kind != TokenKind::punctuation) return false;
  const char left = text_[before.begin], right = text_[behind.begin];
  const bool leftFits = left == '>' || operators.find(left) != operators.npos;
  return left == ',' ? right == ',' : leftFits && operators.find(right) != operators.npos;
}

bool TokenIndex::expandsNothing(std::size_t begin, std::size_t end) const {
  const auto first = indexOf(tokenAt(begin));
  int open = 0;
  for (std::size_t token = first; token < tokens_.size() && tokens_[token].begin < end; ++token) {
    if (isEllipsis(token)) return false;
    if (tokens_[token].kind != TokenKind::punctuation) continue;
    const char c = text_[tokens_[token].begin];
    open += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    if (open < 0) return false;
  }
  return open == 0;
}

bool TokenIndex::isExpanded(std::size_t begin, std::size_t end) const {
  return expands_ && (isExpandedBehind(indexOf(tokenAt(end))) || isExpandedBefore(indexOf(tokenAt(begin))));
}

/// An ellipsis follows, as far as the clause goes that ends at `token`, and that of each bracket around it.
bool TokenIndex::isExpandedBehind(std::size_t token) const {
  int open = 0;
  bool own = true;  // no comma has ended the clause
  for (; token < tokens_.size(); ++token) {
    if (own && open == 0 && isEllipsis(token)) return true;
    const char c = tokens_[token].kind == TokenKind::punctuation ? text_[tokens_[token].begin] : ' ';
    const bool closes = c == ')' || c == ']' || c == '}';
    if (open == 0 && (c == ';' || c == '{' || c == '}')) return false;
    if (c == '(' || c == '[' || c == '{') ++open;
    own = open == 0 && closes ? true : own && (c != ',' || open > 0 || isEllipsis(token + 1));
    open -= open > 0 && closes ? 1 : 0;
  }
  return false;
}

/// It is the right operand of `(... + x)`.
bool TokenIndex::isExpandedBefore(std::size_t token) const {
  for (int open = 0; token-- > 0;) {
    if (open == 0 && isEllipsis(token)) return true;
    const char c = tokens_[token].kind == TokenKind::punctuation ? text_[tokens_[token].begin] : ' ';
    if (c == '{' || c == '}' || c == ';' || (c == ',' && open == 0)) return false;
    if (c == ')' || c == ']') ++open;
    open -= open > 0 && (c == '(' || c == '[') ? 1 : 0;
  }
  return false;
}

/// What the directive at `hash` does to the nesting of conditionals: 1, 0, -1. False if it is none.
bool TokenIndex::isConditional(std::vector<Token>::const_iterator hash, int& nesting) const {
  struct Directive {
    std::string_view name;
    int nesting;
  };
  static constexpr std::array conditionals{
      Directive{"if", 1},   Directive{"ifdef", 1}, Directive{"ifndef", 1},  Directive{"endif", -1},
      Directive{"else", 0}, Directive{"elif", 0},  Directive{"elifdef", 0}, Directive{"elifndef", 0}};
  const auto name = std::next(hash);
  if (name == tokens_.end()) return false;
  const std::string_view word = text_.substr(name->begin, name->end - name->begin);
  const auto found = std::find_if(conditionals.begin(), conditionals.end(),
                                  [&](const Directive& directive) { return directive.name == word; });
  if (found == conditionals.end()) return false;
  nesting = found->nesting;
  return true;
}

std::string_view TokenIndex::whyNotWrappable(std::size_t begin, std::size_t end) const {
  constexpr std::string_view partial = "the expression's tokens are not a whole range of the file";
  constexpr std::string_view directive = "a preprocessor directive is inside the expression";
  auto token = tokenAt(begin);
  if (begin >= end || token == tokens_.end() || token->begin != begin) return partial;
  std::string open;      // brackets that wait for their partner
  int conditionals = 0;  // that wait for their #endif
  std::size_t covered = begin;
  for (; token != tokens_.end() && token->begin < end; ++token) {
    if (token->kind == TokenKind::hash) {
      int nesting = 0;
      if (!isConditional(token, nesting)) return directive;
      conditionals += nesting;
      if (conditionals < 0 || (nesting == 0 && conditionals == 0)) return directive;
    }
    covered = token->end;
    if (token->kind != TokenKind::punctuation) continue;
    const char c = text_[token->begin];
    if (expands_ && open.empty() && isFold(indexOf(token), indexOf(tokenAt(begin)), indexOf(tokenAt(end))))
      return "it is between the parentheses of a fold expression";
    // It continues the line once the comment behind it is gone, but not where the line is a macro's argument.
    if (c == '\\') return "a backslash in front of a comment is inside the expression";
    if (c == '(' || c == '[' || c == '{') {
      open += c;
    } else if (c == ')' || c == ']' || c == '}') {
      const char partner = c == ')' ? '(' : c == ']' ? '[' : '{';
      if (open.empty() || open.back() != partner) return partial;
      open.pop_back();
    }
  }
  if (conditionals != 0) return directive;
  return open.empty() && covered == end ? std::string_view() : partial;
}

std::vector<std::pair<std::string_view, std::string_view>> TokenIndex::namePairs(std::size_t begin,
                                                                                 std::size_t end) const {
  std::vector<std::pair<std::string_view, std::string_view>> pairs;
  const auto text = [this](const Token& token) { return text_.substr(token.begin, token.end - token.begin); };
  for (std::size_t token = indexOf(tokenAt(begin)); token + 2 < tokens_.size(); ++token) {
    if (tokens_[token].begin >= end) break;
    if (tokens_[token].kind == TokenKind::identifier && tokens_[token + 1].kind == TokenKind::identifier &&
        is(token + 2, '('))
      pairs.emplace_back(text(tokens_[token]), text(tokens_[token + 1]));
  }
  return pairs;
}

std::vector<Token>::const_iterator TokenIndex::tokenAt(std::size_t begin) const {
  return std::lower_bound(tokens_.begin(), tokens_.end(), begin,
                          [](const Token& t, std::size_t offset) { return t.begin < offset; });
}

bool TokenIndex::is(std::size_t token, char c) const {
  return tokens_[token].kind == TokenKind::punctuation && text_[tokens_[token].begin] == c;
}

std::size_t TokenIndex::beginOfQualified(std::size_t begin) const {
  const auto own = indexOf(tokenAt(begin));
  if (own == tokens_.size()) return begin;
  std::size_t first = own;
  const auto isQualified = [&] { return first > 2 && is(first - 1, ':') && is(first - 2, ':'); };
  while (isQualified()) {
    // In front of the arguments, if it is a template. In this statement: what begins elsewhere are none.
    std::size_t name = first - 3;
    int open = 0;
    for (; name > 0 && !is(name, ';') && !is(name, '{') && !is(name, '}'); --name) {
      open += is(name, '>') ? 1 : is(name, '<') ? -1 : 0;
      if (open == 0 && !is(name, '<')) break;
    }
    const std::string_view word = text_.substr(tokens_[name].begin, tokens_[name].end - tokens_[name].begin);
    if (open != 0 || tokens_[name].kind != TokenKind::identifier || word == "return" || word == "case" ||
        word == "else" || word == "throw")
      break;
    first = name;
  }
  if (first != own && isQualified()) first -= 2;  // the global namespace's
  return tokens_[first].begin;
}

bool TokenIndex::hasOnlySemicolons(std::size_t begin, std::size_t end) const {
  return std::all_of(tokenAt(begin), tokenAt(end), [this](const Token& token) {
    return token.kind == TokenKind::punctuation && text_[token.begin] == ';';
  });
}

bool TokenIndex::hasNoDirective(std::size_t begin, std::size_t end) const {
  return std::none_of(tokenAt(begin), tokenAt(end),
                      [](const Token& token) { return token.kind == TokenKind::hash; });
}

/// Of the line with those that it continues.
std::size_t TokenIndex::beginOfLine(std::size_t offset) const {
  std::size_t newline = text_.rfind('\n', offset);
  while (newline != text_.npos && newline > 0 && text_[newline - 1] == '\\')
    newline = text_.rfind('\n', newline - 1);
  return newline == text_.npos ? 0 : newline + 1;
}

/// The directive at `hash` as an operator: `_Pragma("unroll")`; "" if it is no pragma.
std::string TokenIndex::pragmaOf(std::vector<Token>::const_iterator hash, std::size_t end) const {
  const std::string directive = onOneLine(std::next(hash)->begin, end);
  return directive.starts_with("pragma ") ? "_Pragma(\"" + directive.substr(7) + "\")" : "";
}

std::string TokenIndex::onOneLine(std::size_t begin, std::size_t end) const {
  std::string result;
  std::size_t covered = begin;
  for (auto token = tokenAt(begin); token != tokens_.end() && token->end <= end; ++token) {
    if (token->begin != covered && !result.empty()) result += ' ';
    if (token->kind == TokenKind::hash) {
      auto last = token;
      while (std::next(last) != tokens_.end() &&
             beginOfLine(std::next(last)->begin) == beginOfLine(token->begin))
        ++last;
      result += pragmaOf(token, last->end);
      token = last;
      covered = 0;  // a blank follows
      continue;
    }
    result += text_.substr(token->begin, token->end - token->begin);
    covered = token->end;
  }
  return result;
}

std::string onOneLine(std::string text) {
  if (text.find('\n') == text.npos) return text;
  if (text.find_first_of("\\#") != text.npos) return "";
  std::string line = TokenIndex(text).onOneLine(0, text.size());
  return line.find('\n') == line.npos ? line : "";
}

TokenIndex::Front TokenIndex::inFrontOf(std::size_t begin) const {
  Front front;
  auto at = tokenAt(begin);
  while (at != tokens_.begin()) {
    const auto before = std::prev(at);
    const auto first = tokenAt(beginOfLine(before->begin));
    if (first->kind != TokenKind::hash) {
      const char last = text_[before->end - 1];
      if (last != '{' && last != '}' && last != ';') return {};
      front.place = front.pragmas.empty() ? begin : before->end;
      return front;
    }
    const std::string pragma = pragmaOf(first, before->end);
    if (pragma.empty()) {
      // It says nothing of the statement, but a pragma in front of it might be meant for another.
      if (!front.pragmas.empty()) return {};
      front.place = begin;
      return front;
    }
    if (pragma.find('\\') != pragma.npos || std::count(pragma.begin(), pragma.end(), '"') != 2) return {};
    front.pragmas = pragma + " " + front.pragmas;
    at = first;
  }
  return {};
}

}  // namespace cui::edit
