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
      if (const std::size_t closing = closingOf(i + 3); closing != 0) {
        join(closing);
        replaceBraces(i + 3, closing);
      }
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
    fill(begin, end, ' ');
    fill(begin, begin + 3, text_[begin]);
  }

  /// In the configuration between the tokens `begin` and `end`, arguments that are a list in braces.
  void replaceBraces(std::size_t begin, std::size_t end) {
    int depth = 0;
    std::size_t first = begin;  // token of the present argument
    for (std::size_t i = begin; i <= end; ++i) {
      const char c = at(i);
      if (i == end || (c == ',' && depth == 0)) {
        if (at(first) == '{' && i > first + 1 && at(i - 1) == '}') replaceList(first, i - 1);
        first = i + 1;
      }
      if (c == '(' || c == '[' || c == '{') ++depth;
      if (c == ')' || c == ']' || c == '}') --depth;
    }
  }

  /// `{x, y}` is parsed as `(x, y)`: the kind of the value differs, whether it converts does not. `{}` is a
  /// zero of the same length, and of one token, so that what is inserted around it is around both braces.
  void replaceList(std::size_t open, std::size_t close) {
    if (close == open + 1) {
      if (text_.substr(tokens_[open].end, tokens_[close].begin - tokens_[open].end)
              .find_first_not_of(" \t") == text_.npos)
        fill(tokens_[open].begin, tokens_[close].end, '0');
      return;
    }
    fill(tokens_[open].begin, tokens_[open].end, '(');
    fill(tokens_[close].begin, tokens_[close].end, ')');
    if (at(close - 1) == ',') fill(tokens_[close - 1].begin, tokens_[close - 1].end, ' ');
  }

  void fill(std::size_t begin, std::size_t end, char c) {
    if (result_.empty()) result_ = text_;
    std::fill(result_.begin() + static_cast<std::ptrdiff_t>(begin),
              result_.begin() + static_cast<std::ptrdiff_t>(end), c);
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

/// Perhaps a list in braces within a launch's configuration: worth a closer look.
bool mayHoldBraces(std::string_view text) {
  for (std::size_t open = text.find("<<<"); open != text.npos; open = text.find("<<<", open + 3)) {
    const std::size_t close = text.find(">>>", open);
    if (close == text.npos) return false;
    if (text.substr(open, close - open).find('{') != text.npos) return true;
  }
  return false;
}

}  // namespace

std::string joinChevrons(std::string_view text) {
  return mayHold(text, "<<") || mayHold(text, ">>") || mayHoldBraces(text) ? Joiner(text).run()
                                                                           : std::string();
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
