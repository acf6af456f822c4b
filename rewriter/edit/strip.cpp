#include "edit/strip.h"

#include <vector>

#include "edit/edit_plan.h"
#include "edit/forms.h"
#include "edit/lexer.h"

namespace cui::edit {
namespace {

/// Takes the frame off `text`, and gives what must be kept in front of the rest (a byte order mark).
std::string_view takeFrame(std::string_view& text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  const std::string_view kept = text.substr(0, text.starts_with(mark) ? mark.size() : 0);
  std::string_view rest = text.substr(kept.size());
  const auto takeLine = [](std::string_view& from) {
    const std::size_t newline = from.find('\n');
    const std::string_view line = from.substr(0, newline == from.npos ? newline : newline + 1);
    from.remove_prefix(line.size());
    return line;
  };

  for (const std::string_view line :
       {manySitesLine, manyRegistersLine, veryManySitesLine, localArraysLine, recursiveLine, withoutAutoLine})
    if (rest.starts_with(line)) rest.remove_prefix(line.size());
  std::string_view behind = rest;
  while (behind.starts_with(pushMacro) || behind.starts_with(undefineMacro)) takeLine(behind);
  if (behind.starts_with(preambleStart)) rest = behind;
  if (rest.starts_with(std::string(preambleStart) + "CUI_UNIT(")) {
    while (!rest.empty() && !takeLine(rest).starts_with("#line ")) {
    }
    const std::size_t end = rest.rfind("\n" + std::string(epilogueStart));
    text = rest.substr(0, end);
    return kept;
  }
  const std::string_view first = takeLine(rest);
  if (first.starts_with("#line 1 \"") && first.ends_with(mirrorEnd))
    text = rest;
  else
    text.remove_prefix(kept.size());
  return kept;
}

class Stripper {
 public:
  explicit Stripper(std::string_view text) : text_(text) {
    Lexer lexer(text);
    Token token;
    while (lexer.next(token)) tokens_.push_back(token);
  }

  std::string run() {
    std::size_t i = 0;
    while (i < tokens_.size()) i = step(i);
    return std::move(result_);
  }

 private:
  std::string_view textOf(std::size_t i) const {
    return text_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin);
  }
  bool is(std::size_t i, std::string_view text) const { return i < tokens_.size() && textOf(i) == text; }
  bool isNumber(std::size_t i) const { return i < tokens_.size() && tokens_[i].kind == TokenKind::number; }
  /// From the opening parenthesis at token i: the token after the number, or 0 if there is none.
  std::size_t endOfNumber(std::size_t i) const {
    if (!is(i, "(")) return 0;
    if (isNumber(i + 1)) return i + 2;
    return is(i + 1, "CUI_LINE") && is(i + 2, "(") && isNumber(i + 3) && is(i + 4, ")") ? i + 5 : 0;
  }
  /// The same for a number and two integers, the first of which may be text in parentheses.
  std::size_t endOfMeasures(std::size_t i) const {
    std::size_t at = endOfNumber(i);
    for (int measure = 0; at && measure < 2; ++measure) {
      if (!is(at, ",") || !is(at + 1, " ")) return 0;
      const bool isText = measure == 0 && is(at + 2, "(");
      at += is(at + 2, "-") ? 3 : 2;
      if (!isText && !isNumber(at)) return 0;
      at = isText ? endOfParentheses(at) : at + 1;
    }
    return at;
  }
  /// And the copy of another text in parentheses.
  std::size_t endOfCount(std::size_t i) const {
    const std::size_t comma = endOfMeasures(i);
    if (!comma || !is(comma, ",") || !is(comma + 1, " ") || !is(comma + 2, "(")) return 0;
    return endOfParentheses(comma + 2);
  }
  /// Past the parenthesis that closes the one at token i; 0 if there is none.
  std::size_t endOfParentheses(std::size_t i) const {
    int depth = 0;
    for (; i < tokens_.size(); ++i) {
      if (tokens_[i].kind != TokenKind::punctuation) continue;
      if (textOf(i) == "(") ++depth;
      if (textOf(i) == ")" && --depth == 0) return i + 1;
    }
    return 0;
  }
  bool isComma(std::size_t i) const {
    // ", " and then the user's text, which may begin with more white space.
    return is(i, ",") && i + 1 < tokens_.size() && text_[tokens_[i + 1].begin] == ' ';
  }

  /// Handles token i (and what belongs to it); gives the next one to handle.
  std::size_t step(std::size_t i) {
    const Token& token = tokens_[i];
    Form form;
    if (token.kind == TokenKind::identifier && findForm(textOf(i), form)) {
      switch (shape(form)) {
        case Shape::numbered:
          if (const std::size_t comma = endOfNumber(i + 1); comma && isComma(comma))
            return openWrap(comma + 1, 1);
          break;
        case Shape::measured:
          if (const std::size_t comma = endOfMeasures(i + 1); comma && isComma(comma))
            return openWrap(comma + 1, 1);
          break;
        case Shape::counted:
          if (const std::size_t comma = endOfCount(i + 1); comma && isComma(comma))
            return openWrap(comma + 1, 1);
          break;
        case Shape::together:
          if (const std::size_t comma = is(i + 1, "(") && is(i + 2, "(") ? endOfParentheses(i + 2) : 0;
              comma && isComma(comma))
            return openWrap(comma + 1, 1);
          break;
        case Shape::shaped:
          if (const std::size_t between = is(i + 1, "(") && is(i + 2, "(") ? endOfParentheses(i + 2) : 0;
              between && isComma(between) && is(between + 2, "("))
            if (const std::size_t comma = endOfParentheses(between + 2); comma && isComma(comma))
              return openWrap(comma + 1, 1);
          break;
        case Shape::keyed:
          if (const std::size_t between = endOfNumber(i + 1);
              between && isComma(between) && is(between + 2, "("))
            if (const std::size_t comma = endOfParentheses(between + 2); comma && isComma(comma))
              return openWrap(comma + 1, 1);
          break;
        case Shape::located:
          if (is(i + 1, "(") && i + 2 < tokens_.size() && tokens_[i + 2].kind == TokenKind::text &&
              isComma(i + 3))
            return openWrap(i + 4, 1);
          break;
        case Shape::plain:
          if (is(i + 1, "(")) return openWrap(i + 2, 0);
          break;
        case Shape::spaced:
          if (is(i + 1, "(") && dropBlank()) return openWrap(i + 2, 0);
          break;
        case Shape::statement:
          if (const std::size_t after = endOfStatement(i); after && dropBlank()) return after;
          break;
        case Shape::prefix:
          if (const std::size_t after = endOfNumber(i + 1) ? endOfParentheses(i + 1) : 0;
              after && dropBlank())
            return after;
          break;
        case Shape::marker:
          if (dropBlank()) return i + 1;
          break;
      }
    }
    if (token.kind == TokenKind::headerName) {
      putHeaderName(textOf(i));
    } else if (token.kind == TokenKind::punctuation && textOf(i) == "(") {
      parentheses_.push_back(false);
      result_ += '(';
    } else if (token.kind == TokenKind::punctuation && textOf(i) == ")" && !parentheses_.empty()) {
      if (!parentheses_.back()) result_ += ')';
      parentheses_.pop_back();
    } else {
      result_ += textOf(i);
    }
    return i + 1;
  }

  /// The wrapped text starts `blanks` characters into token i.
  std::size_t openWrap(std::size_t i, std::size_t blanks) {
    parentheses_.push_back(true);
    // Of wraps that open together only the first can have needed a separator.
    if (result_.ends_with(separator) && !(opened_ && openedAt_ == result_.size()))
      result_.resize(result_.size() - separator.size());
    opened_ = true;
    openedAt_ = result_.size();
    if (blanks == 0) return i;
    result_ += textOf(i).substr(blanks);
    return i + 1;
  }

  /// Token i names a statement form: the token after its `;`, or 0 if it is not one of ours.
  std::size_t endOfStatement(std::size_t i) const {
    const std::size_t end = endOfNumber(i + 1) ? endOfParentheses(i + 1) : 0;
    return end && is(end, ";") ? end + 1 : 0;
  }

  /// Takes back the blank in front of a statement or marker.
  bool dropBlank() {
    if (!result_.ends_with(' ')) return false;
    result_.pop_back();
    return true;
  }

  void putHeaderName(std::string_view name) {
    result_ += name.front();
    name.remove_prefix(1);
    const std::size_t separator = name.find("//");
    if (name.starts_with('/') && separator != name.npos) name.remove_prefix(separator + 2);
    result_ += name;
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::vector<bool> parentheses_;  ///< open ones; true: of a wrap, so that its partner goes too
  std::string result_;
  bool opened_ = false;
  std::size_t openedAt_ = 0;  ///< size of the result at the last opening
};

}  // namespace

std::string strip(std::string_view instrumented) {
  const std::string_view kept = takeFrame(instrumented);
  return std::string(kept) + Stripper(instrumented).run();
}

}  // namespace cui::edit
