// What becomes of a macro's argument in its body and in those of the macros that it is handed to: where it is
// turned into text, or joined to something, and whether a call may stand for that text.
#include <llvm/ADT/STLExtras.h>

#include <algorithm>

#include "constructs/preprocessing.h"

namespace cui::constructs {
namespace {

bool isHash(const clang::Token& token) {
  return token.isOneOf(clang::tok::hash, clang::tok::hashat);
}

bool isPastedBehind(llvm::ArrayRef<clang::Token> tokens, std::size_t at) {
  return at + 1 < tokens.size() && tokens[at + 1].is(clang::tok::hashhash);
}

/// But not `, ## __VA_ARGS__`, which only removes a comma.
bool isPasted(llvm::ArrayRef<clang::Token> tokens, std::size_t at) {
  if (isPastedBehind(tokens, at)) return true;
  return at > 0 && tokens[at - 1].is(clang::tok::hashhash) &&
         !(at > 1 && tokens[at - 2].is(clang::tok::comma));
}

/// Behind what closes the parenthesis at that token; the token itself if nothing does.
std::size_t endOfParentheses(llvm::ArrayRef<clang::Token> tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].is(clang::tok::l_paren)) ++depth;
    if (tokens[i].is(clang::tok::r_paren) && --depth == 0) return i + 1;
  }
  return open;
}

}  // namespace

bool Preprocessing::isStringised(const clang::MacroInfo& macro, const clang::IdentifierInfo* parameter,
                                 Joined joined) const {
  Parameters seen;
  return isStringised(macro, parameter, joined, seen);
}

bool Preprocessing::isStringised(const clang::MacroInfo& macro, const clang::IdentifierInfo* parameter,
                                 Joined joined, Parameters& seen) const {
  if (!seen.insert({&macro, parameter}).second) return false;
  const auto tokens = macro.tokens();
  // Open calls of other macros in the body: which argument are we in.
  struct Call {
    const clang::MacroInfo* macro;  ///< null: a plain parenthesis
    unsigned argument;
  };
  std::vector<Call> calls;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const clang::Token& token = tokens[i];
    if (token.is(clang::tok::l_paren)) {
      const clang::MacroInfo* callee = nullptr;
      if (i > 0 && tokens[i - 1].getIdentifierInfo())
        callee = functionLike(tokens[i - 1].getIdentifierInfo()->getName());
      calls.push_back({callee, 0});
    } else if (token.is(clang::tok::r_paren) && !calls.empty()) {
      calls.pop_back();
    } else if (token.is(clang::tok::comma) && !calls.empty()) {
      ++calls.back().argument;
    }
    if (token.getIdentifierInfo() != parameter) continue;
    const bool pasted = joined == Joined::counts         ? isPasted(tokens, i)
                        : joined == Joined::countsBehind ? isPastedBehind(tokens, i)
                                                         : false;
    if ((i > 0 && isHash(tokens[i - 1])) || pasted) return true;
    for (const Call& call : calls) {
      if (!call.macro || call.macro->getNumParams() == 0) continue;
      const unsigned at = std::min(call.argument, call.macro->getNumParams() - 1);
      if (isStringised(*call.macro, call.macro->params()[at], joined, seen)) return true;
    }
  }
  return false;
}

/// The innermost one first.
std::vector<MacroCall> Preprocessing::callsAround(const clang::MacroInfo& macro, std::size_t token) const {
  const auto tokens = macro.tokens();
  std::vector<MacroCall> calls;
  int depth = 0;
  unsigned argument = 0;
  for (std::size_t i = token; i-- > 0;) {
    if (tokens[i].isOneOf(clang::tok::r_paren, clang::tok::r_square, clang::tok::r_brace)) ++depth;
    if (depth == 0 && tokens[i].is(clang::tok::comma)) ++argument;
    if (!tokens[i].isOneOf(clang::tok::l_paren, clang::tok::l_square, clang::tok::l_brace)) continue;
    if (depth > 0) {
      --depth;
      continue;
    }
    MacroCall call{i, nullptr, nullptr};
    if (tokens[i].is(clang::tok::l_paren) && i > 0) call.callee = i - 1;
    const clang::IdentifierInfo* name = tokens[call.callee].getIdentifierInfo();
    const clang::MacroInfo* known = name ? functionLike(name->getName()) : nullptr;
    if (known && known->getNumParams() > 0) {
      call.macro = known;
      call.argument = call.macro->params()[std::min(argument, call.macro->getNumParams() - 1)];
    }
    calls.push_back(call);
    argument = 0;
  }
  return calls;
}

/// True if a call may stand for tokens [begin, end), which are one literal.
bool Preprocessing::canBeComputed(const clang::MacroInfo& macro, std::size_t begin, std::size_t end,
                                  Parameters& seen) const {
  const auto tokens = macro.tokens();
  if (begin == 0 || end >= tokens.size() ||
      !tokens[begin - 1].isOneOf(clang::tok::l_paren, clang::tok::comma, clang::tok::lessless,
                                 clang::tok::question, clang::tok::colon, clang::tok::kw_return) ||
      !tokens[end].isOneOf(clang::tok::r_paren, clang::tok::comma, clang::tok::lessless, clang::tok::colon,
                           clang::tok::semi))
    return false;
  const auto calls = callsAround(macro, begin);
  if (!calls.empty() &&
      tokens[calls.front().callee].isOneOf(clang::tok::kw_static_assert, clang::tok::kw_asm,
                                           clang::tok::kw_sizeof, clang::tok::kw__Static_assert))
    return false;
  return llvm::all_of(calls, [&](const MacroCall& call) {
    return !call.macro || takesAnyExpression(*call.macro, call.argument, seen);
  });
}

/// False if the macro wants a literal there, or makes a text of it once more.
bool Preprocessing::takesAnyExpression(const clang::MacroInfo& macro, const clang::IdentifierInfo* parameter,
                                       Parameters& seen) const {
  if (!seen.insert({&macro, parameter}).second) return true;
  const auto tokens = macro.tokens();
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].is(clang::tok::kw_constexpr)) return false;
    if (tokens[i].getIdentifierInfo() != parameter) continue;
    if ((i > 0 && isHash(tokens[i - 1])) || isPasted(tokens, i) || !canBeComputed(macro, i, i + 1, seen))
      return false;
  }
  return true;
}

/// Behind the part of a literal that begins at that token of the macro's text: a string, an argument's text,
/// the file's name, or a use of a macro that is such parts. The token itself if there is none.
std::size_t Preprocessing::endOfLiteralPart(const clang::MacroInfo& macro, std::size_t at,
                                            unsigned depth) const {
  constexpr unsigned deepest = 8;  // of macros that use one another
  const auto tokens = macro.tokens();
  if (at >= tokens.size()) return at;
  if (tokens[at].is(clang::tok::string_literal)) return at + 1;
  if (isHash(tokens[at])) return at + 1 < tokens.size() ? at + 2 : at;
  const clang::IdentifierInfo* name = tokens[at].getIdentifierInfo();
  if (!name || depth == deepest || llvm::is_contained(macro.params(), name)) return at;
  if (name->isStr("__FILE__")) return at + 1;
  if (at + 1 < tokens.size() && tokens[at + 1].is(clang::tok::l_paren)) {
    const clang::MacroInfo* called = functionLike(name->getName());
    return called && isLiteral(*called, depth + 1) ? endOfParentheses(tokens, at + 1) : at;
  }
  const clang::MacroInfo* named = preprocessor->getMacroInfo(name);
  return named && named->isObjectLike() && isLiteral(*named, depth + 1) ? at + 1 : at;
}

/// Behind all parts of a literal that begin at that token, one behind the other, in front of `limit`.
std::size_t Preprocessing::endOfLiteral(const clang::MacroInfo& macro, std::size_t at, std::size_t limit,
                                        unsigned depth) const {
  while (at < limit) {
    const std::size_t end = endOfLiteralPart(macro, at, depth);
    if (end == at) break;
    at = end;
  }
  return at;
}

bool Preprocessing::isLiteral(const clang::MacroInfo& macro, unsigned depth) const {
  const std::size_t size = macro.tokens().size();
  return size > 0 && endOfLiteral(macro, 0, size, depth) == size;
}

/// The part of a literal that the argument at that token is in: its text, or the use of a macro that makes
/// one of it. Empty if it is in none.
std::pair<std::size_t, std::size_t> Preprocessing::literalPartAround(const clang::MacroInfo& macro,
                                                                     std::size_t argument) const {
  const auto tokens = macro.tokens();
  if (argument > 0 && isHash(tokens[argument - 1])) return {argument - 1, argument + 1};
  for (const MacroCall& call : callsAround(macro, argument))
    if (call.macro && isLiteral(*call.macro)) return {call.callee, endOfParentheses(tokens, call.callee + 1)};
  return {argument, argument};
}

bool Preprocessing::findTexts(const clang::MacroInfo& macro, const clang::IdentifierInfo* parameter,
                              ArgumentTexts& texts) const {
  Parameters seen;
  return findTexts(macro, parameter, texts, seen);
}

bool Preprocessing::findTexts(const clang::MacroInfo& macro, const clang::IdentifierInfo* parameter,
                              ArgumentTexts& texts, Parameters& seen) const {
  if (!seen.insert({&macro, parameter}).second) return true;
  const auto tokens = macro.tokens();
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].is(clang::tok::kw_constexpr)) return false;
    if (tokens[i].getIdentifierInfo() != parameter) continue;
    if (isPasted(tokens, i)) return false;
    auto [begin, end] = literalPartAround(macro, i);
    if (begin == end) {
      for (const MacroCall& call : callsAround(macro, i))
        if (call.macro && !findTextsOf(call, macro, texts, seen)) return false;
      continue;
    }
    texts.handedOn |= begin + 1 != i;
    for (std::size_t first = 0; first < begin; ++first)
      if (endOfLiteral(macro, first, begin) == begin) begin = first;
    end = endOfLiteral(macro, end, tokens.size());
    Parameters taken;
    if (!canBeComputed(macro, begin, end, taken)) return false;
    texts.runs.emplace_back(tokens[begin].getLocation(), tokens[end - 1].getLocation());
  }
  return true;
}

/// Of the argument that `macro` hands to another one.
bool Preprocessing::findTextsOf(const MacroCall& call, const clang::MacroInfo& macro, ArgumentTexts& texts,
                                Parameters& seen) const {
  if (!isStringised(*call.macro, call.argument)) return true;
  texts.handedOn = true;
  if (names.count(call.macro) > 0) return findTexts(*call.macro, call.argument, texts, seen);
  const clang::Token& callee = macro.tokens()[call.callee];
  texts.asserts.push_back(callee.getLocation());
  return callee.getIdentifierInfo()->getName() == "assert";
}

}  // namespace cui::constructs
