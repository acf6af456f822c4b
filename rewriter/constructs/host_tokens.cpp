#include "constructs/host_tokens.h"

#include <string>

namespace cui::constructs {
namespace {

using edit::Token;
using edit::TokenKind;

/// Not one that a backslash takes away.
bool endsLine(std::string_view blanks) {
  for (std::size_t at = blanks.find('\n'); at != std::string_view::npos; at = blanks.find('\n', at + 1)) {
    std::size_t before = at;
    if (before > 0 && blanks[before - 1] == '\r') --before;
    if (before == 0 || blanks[before - 1] != '\\') return true;
  }
  return false;
}

bool opens(std::string_view word) {
  return word == "(" || word == "[" || word == "{";
}
bool closes(std::string_view word) {
  return word == ")" || word == "]" || word == "}";
}

}  // namespace

HostTokens::HostTokens(std::string_view text) : text_(text) {
  edit::Lexer lexer(text_);
  Token token;
  bool directive = false, afterHash = false;
  int depth = 0;
  while (lexer.next(token)) {
    const std::string_view word = text_.substr(token.begin, token.end - token.begin);
    if (token.kind == TokenKind::space && endsLine(word)) directive = false;
    if (token.kind == TokenKind::space || token.kind == TokenKind::comment) continue;
    if (afterHash) depth += word.starts_with("if") ? 1 : word == "endif" ? -1 : 0;
    afterHash = token.kind == TokenKind::hash;
    directive |= afterHash;
    tokens_.push_back({token, directive, depth});
  }
}

std::string_view HostTokens::word(std::size_t at) const {
  if (at >= tokens_.size()) return {};
  const Token& token = tokens_[at].token;
  return text_.substr(token.begin, token.end - token.begin);
}

bool HostTokens::isIdentifier(std::size_t at) const {
  return at < tokens_.size() && tokens_[at].token.kind == TokenKind::identifier;
}

bool HostTokens::areThree(std::size_t at, char bracket) const {
  return at < tokens_.size() && text_.substr(tokens_[at].token.begin, 3) == std::string(3, bracket);
}

std::optional<std::size_t> HostTokens::closing(std::size_t open) const {
  int depth = 0;
  for (std::size_t at = open; at < end(); ++at) {
    if (tokens_[at].directive) return std::nullopt;
    depth += opens(word(at)) ? 1 : closes(word(at)) ? -1 : 0;
    if (depth == 0) return at;
  }
  return std::nullopt;
}

std::optional<std::size_t> HostTokens::nameBefore(std::size_t past) const {
  std::size_t at = past;
  if (at > 0 && word(at - 1) == ">") {
    int depth = 0;
    do {
      if (at == 0) return std::nullopt;
      const std::string_view here = word(--at);
      if (here == ";" || here == "{" || here == "}") return std::nullopt;
      depth += here == ">" || closes(here) ? 1 : here == "<" || opens(here) ? -1 : 0;
    } while (depth > 0);
    if (word(at) != "<") return std::nullopt;
  }
  if (at == 0 || !isIdentifier(at - 1)) return std::nullopt;
  return at - 1;
}

/// Of `::a::b<T>::k<U>`, which ends in front of that token.
std::optional<std::size_t> HostTokens::beginOfName(std::size_t past) const {
  std::size_t at = past;
  while (true) {
    const std::optional<std::size_t> name = nameBefore(at);
    if (!name) return std::nullopt;
    at = *name;
    if (at < 2 || word(at - 1) != ":" || word(at - 2) != ":") return at;
    at -= 2;
    if (at == 0 || (word(at - 1) != ">" && !isIdentifier(at - 1))) return at;
  }
}

std::optional<HostTokens::Launch> HostTokens::launchAt(std::size_t open) const {
  Launch launch{};
  const std::optional<std::size_t> begin = beginOfName(open);
  if (!begin) return std::nullopt;
  launch.begin = *begin;
  // A member's name, or a type in front of it: `this->k`, `Type k`.
  if (launch.begin > 0) {
    const std::string_view before = word(launch.begin - 1);
    const bool word = isIdentifier(launch.begin - 1);
    if ((word && before != "else" && before != "do") || before == "." || before == ">" || before == "&")
      return std::nullopt;
  }
  launch.arguments = 1;
  int depth = 0;
  std::size_t at = open + 3;
  for (; !(depth == 0 && areThree(at, '>')); ++at) {
    const std::string_view here = word(at);
    // A list in braces has no type by itself; whether `<` is a bracket a parser knows.
    if (here.empty() || here == ";" || here == "{" || tokens_[at].directive) return std::nullopt;
    if (depth == 0 && (here == "<" || here == ">")) return std::nullopt;
    depth += opens(here) ? 1 : closes(here) ? -1 : 0;
    if (depth < 0) return std::nullopt;
    launch.arguments += depth == 0 && here == "," ? 1 : 0;
  }
  launch.close = at;
  if (at == open + 3 || word(at + 3) != "(") return std::nullopt;
  const std::optional<std::size_t> last = closing(at + 3);
  if (!last) return std::nullopt;
  launch.last = *last;
  return launch;
}

std::vector<HostTokens::Around> HostTokens::around(std::size_t at) const {
  std::vector<Around> all;
  int depth = 0;
  unsigned argument = 0;
  while (at-- > 0) {
    const std::string_view here = word(at);
    if (closes(here)) ++depth;
    if (depth == 0 && here == ",") ++argument;
    if (!opens(here)) continue;
    if (depth > 0) {
      --depth;
      continue;
    }
    if (here == "(" && at > 0 && isIdentifier(at - 1)) all.push_back({word(at - 1), argument});
    argument = 0;
  }
  return all;
}

}  // namespace cui::constructs
