#include "edit/chevrons.h"

#include <algorithm>
#include <vector>

#include "edit/lexer.h"

namespace cui::edit {
namespace {

std::vector<Token> codeOf(std::string_view text) {
  std::vector<Token> tokens;
  Lexer lexer(text);
  for (Token token; lexer.next(token);)
    if (token.kind != TokenKind::space && token.kind != TokenKind::comment) tokens.push_back(token);
  return tokens;
}

class Joiner {
 public:
  explicit Joiner(std::string_view text) : text_(text), tokens_(codeOf(text)) {}

  std::string run() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (!opens(i)) continue;
      join(i);
      if (const std::size_t closing = closingOf(i + 3); closing != 0) join(closing);
    }
    return std::move(result_);
  }

 private:
  char at(std::size_t i) const {
    return i < tokens_.size() && tokens_[i].kind == TokenKind::punctuation ? text_[tokens_[i].begin] : '\0';
  }
  bool touches(std::size_t i) const { return tokens_[i].end == tokens_[i + 1].begin; }
  std::string_view wordAt(std::size_t i) const {
    return text_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin);
  }

  /// `<<` and `<` on one line, whole or apart; `operator<< <T>` is no launch.
  bool opens(std::size_t i) const {
    return isBracket(i, '<') && i > 0 && at(i - 1) != '<' && wordAt(i - 1) != "operator";
  }
  bool isBracket(std::size_t i, char c) const {
    return at(i) == c && at(i + 1) == c && at(i + 2) == c && touches(i) && gap(i).find('\n') == gap(i).npos;
  }
  std::string_view gap(std::size_t i) const {
    return text_.substr(tokens_[i + 1].end, tokens_[i + 2].begin - tokens_[i + 1].end);
  }

  /// Of the launch whose configuration begins at `i`: the first `>>>` or `>> >` outside parentheses that
  /// arguments follow; 0 if there is none.
  std::size_t closingOf(std::size_t i) const {
    int depth = 0;
    for (; i < tokens_.size(); ++i) {
      const char c = at(i);
      if (c == '(' || c == '[' || c == '{') ++depth;
      if ((c == ')' || c == ']' || c == '}') && --depth < 0) return 0;
      if (depth > 0) continue;
      if (c == ';') return 0;
      if (isBracket(i, '>') && at(i + 3) == '(') return i;
    }
    return 0;
  }

  void join(std::size_t i) {
    const std::size_t begin = tokens_[i].begin, end = tokens_[i + 2].end;
    if (end - begin == 3) return;
    if (result_.empty()) result_ = text_;
    std::fill(result_.begin() + static_cast<std::ptrdiff_t>(begin),
              result_.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    result_.replace(begin, 3, 3, text_[begin]);
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::string result_;
};

/// Twice that character and, behind blanks or a comment, perhaps once more: worth a closer look.
bool mayHold(std::string_view text, std::string_view twice) {
  for (std::size_t i = text.find(twice); i != text.npos; i = text.find(twice, i + 1)) {
    const std::size_t next = text.find_first_not_of(" \t", i + 2);
    if (next == text.npos || (next == i + 2 && text[next] != '/')) continue;
    if (text[next] == twice.front() || text[next] == '/') return true;
  }
  return false;
}

}  // namespace

std::string joinChevrons(std::string_view text) {
  return mayHold(text, "<<") || mayHold(text, ">>") ? Joiner(text).run() : std::string();
}

std::size_t endOfChevron(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  Lexer lexer(text.substr(begin));
  Token token;
  for (int left = 3; left > 0 && lexer.next(token);) {
    if (token.kind == TokenKind::space || token.kind == TokenKind::comment) continue;
    end = begin + token.end;
    --left;
  }
  return end;
}

}  // namespace cui::edit
