// A file's tokens, for the questions about text that decide whether a range can be wrapped.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "edit/lexer.h"

namespace cui::edit {

class TokenIndex {
 public:
  /// Keeps no copy: `text` must outlive the index.
  explicit TokenIndex(std::string_view text);

  /// Why [begin, end) cannot be the argument of a wrapping macro, as a reason for a skipped site; "" if it
  /// can. It must hold whole tokens, balanced brackets (over all branches of an #if) and no other directives
  /// than whole conditionals: the standard leaves those undefined in macro arguments, GCC and Clang (and
  /// nvcc, which preprocesses with one of them) obey them. Nor may it hold a backslash as a token, or be what
  /// a fold expression has between its parentheses (`*p + ... + *q`).
  std::string_view whyNotWrappable(std::size_t begin, std::size_t end) const;

  /// Pairs of names in front of a parenthesis, `name word (`: a macro `word` of no text would keep a macro
  /// `name` from being expanded, but not where the text is another macro's argument, which is expanded again.
  std::vector<std::pair<std::string_view, std::string_view>> namePairs(std::size_t begin,
                                                                       std::size_t end) const;

  /// What is there means the same in front of the statement: its brackets are balanced, it expands no pack
  /// and nothing around it does so with it. Of code made from templates, ranges of fold expressions and their
  /// operands are none of the text's: that of `(a[I] + ...)` is `a[I]`.
  bool expandsNothing(std::size_t begin, std::size_t end) const;
  bool isExpanded(std::size_t begin, std::size_t end) const;

  /// Where a name at `begin` starts with the classes in front of it: `A<B>::` of `A<B>::x`.
  std::size_t beginOfQualified(std::size_t begin) const;

  /// Where a statement can go that is to stand in front of the one whose first token is at `begin`: there,
  /// or, where pragmas precede it, which belong to it, in front of those.
  struct Front {
    std::size_t place = std::string::npos;  ///< npos: what comes before does not show that a statement begins
    std::string pragmas;                    ///< as operators: `_Pragma("unroll") `
  };
  Front inFrontOf(std::size_t begin) const;

  /// In [begin, end) there are no tokens but semicolons; no directive.
  bool hasOnlySemicolons(std::size_t begin, std::size_t end) const;
  bool hasNoDirective(std::size_t begin, std::size_t end) const;

  /// The tokens of [begin, end) on one line, without comments; directives, which are pragmas, as operators.
  std::string onOneLine(std::size_t begin, std::size_t end) const;

  /// True if the text already uses a name of ours outside comments and strings; such a file cannot be
  /// instrumented, because strip() could not tell whose it is.
  bool usesReservedName() const { return usesReservedName_; }

 private:
  bool is(std::size_t token, char c) const;
  bool isEllipsis(std::size_t token) const;
  bool isFold(std::size_t token, std::size_t first, std::size_t end) const;
  bool isExpandedBehind(std::size_t token) const;
  bool isExpandedBefore(std::size_t token) const;
  std::vector<Token>::const_iterator tokenAt(std::size_t begin) const;
  std::size_t indexOf(std::vector<Token>::const_iterator token) const {
    return static_cast<std::size_t>(token - tokens_.begin());
  }
  std::string pragmaOf(std::vector<Token>::const_iterator hash, std::size_t end) const;
  std::size_t beginOfLine(std::size_t offset) const;
  bool isConditional(std::vector<Token>::const_iterator hash, int& nesting) const;

  std::string_view text_;
  std::vector<Token> tokens_;  ///< without space and comments
  bool usesReservedName_ = false;
  bool expands_ = false;  ///< there is a pack expansion somewhere
};

/// `text`, which may go over several lines, on one: as it is, or, of several, its tokens without comments. ""
/// where that would not be the same: with directives, in a macro's lines or in literals of several lines.
std::string onOneLine(std::string text);

}  // namespace cui::edit
