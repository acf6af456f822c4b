// Host text (host_text.h) as its tokens, and what can be told from them alone: where a launch begins and
// ends, and of which macros' calls a token is in an argument.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "edit/lexer.h"

namespace cui::constructs {

class HostTokens {
 public:
  /// Tokens are numbered from 0 on, without blanks and comments; `end()` is no token's number.
  explicit HostTokens(std::string_view text);

  std::size_t end() const { return tokens_.size(); }
  const edit::Token& operator[](std::size_t at) const { return tokens_[at].token; }
  /// "" where there is none.
  std::string_view word(std::size_t at) const;
  bool isIdentifier(std::size_t at) const;
  /// Of a directive, or of what another condition chooses: neither side may have that.
  bool inDirective(std::size_t at) const { return tokens_[at].directive; }
  bool isNested(std::size_t at) const { return tokens_[at].depth != 0; }

  /// Of `a::k<T><<<…>>>(…)`, from its first token to its last; `close` is the first of the later brackets.
  struct Launch {
    std::size_t begin, close, last;
    unsigned arguments;  ///< between the brackets
  };
  /// None if it is not a whole expression of plain tokens, without anything that only a parser could tell.
  std::optional<Launch> launchAt(std::size_t open) const;

  /// The `k` of `a::k<T>`, which ends in front of that token.
  std::optional<std::size_t> nameBefore(std::size_t past) const;

  /// A parenthesis behind a name that is open at a token, and which of its arguments the token is in.
  struct Around {
    std::string_view name;
    unsigned argument;
  };
  std::vector<Around> around(std::size_t at) const;
  /// The number of the parenthesis that closes that one.
  std::optional<std::size_t> closing(std::size_t open) const;
  /// Whether there are three of that bracket, without anything between them.
  bool areThree(std::size_t at, char bracket) const;

 private:
  struct Piece {
    edit::Token token;
    bool directive;
    int depth;
  };
  std::optional<std::size_t> beginOfName(std::size_t past) const;

  std::string_view text_;
  std::vector<Piece> tokens_;
};

}  // namespace cui::constructs
