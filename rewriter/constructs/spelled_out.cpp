// What an expression would have to be called in front of the macros that it is partly written in: their
// text with the arguments for the parameters, `(int)(row < n)` for `(int)(guard)`.
#include <clang/Lex/Lexer.h>

#include <llvm/ADT/STLExtras.h>

#include <optional>

#include "constructs/ranges.h"

namespace cui::constructs {
namespace {

using clang::SourceLocation;

struct Word {
  std::string text;
  bool blank = false;  ///< in front of it
  bool open = true;    ///< a word of the place where the macro is used, that may be a parameter there
};
using Text = std::vector<Word>;

/// Up to `end`; nothing if it has what means something else at another place.
std::optional<Text> wordsUpTo(SourceLocation begin, SourceLocation end, const clang::SourceManager& manager,
                              const clang::LangOptions& language) {
  Text text;
  for (SourceLocation at = begin;;) {
    clang::Token token;
    if (clang::Lexer::getRawToken(at, token, manager, language, true)) return {};
    if (token.isOneOf(clang::tok::eof, clang::tok::hash, clang::tok::hashhash, clang::tok::unknown))
      return {};
    const std::string spelled = clang::Lexer::getSpelling(token, manager, language);
    if (spelled == "__VA_ARGS__" || spelled == "__VA_OPT__") return {};
    text.push_back({spelled, token.getLocation() != at});
    if (token.getLocation() == end) return text;
    at = token.getEndLoc();
  }
}

/// Of the macro that is named there.
std::optional<std::vector<Text>> argumentsAt(SourceLocation name, const clang::SourceManager& manager,
                                             const clang::LangOptions& language) {
  std::vector<Text> arguments(1);
  unsigned depth = 0;
  for (SourceLocation at = clang::Lexer::getLocForEndOfToken(name, 0, manager, language);;) {
    clang::Token token;
    if (at.isInvalid() || clang::Lexer::getRawToken(at, token, manager, language, true)) return {};
    const bool blank = token.getLocation() != at;
    at = token.getEndLoc();
    if (token.isOneOf(clang::tok::eof, clang::tok::hash, clang::tok::hashhash)) return {};
    if (token.is(clang::tok::l_paren) && depth++ == 0) continue;
    if (depth == 0 || (token.is(clang::tok::r_paren) && --depth == 0)) break;
    if (token.is(clang::tok::comma) && depth == 1)
      arguments.emplace_back();
    else
      arguments.back().push_back({clang::Lexer::getSpelling(token, manager, language), blank});
  }
  return depth == 0 ? std::optional(std::move(arguments)) : std::nullopt;
}

/// With what the macro is given for its parameters.
bool substitute(Text& text, const clang::MacroInfo& macro, const std::vector<Text>& arguments) {
  if (macro.isVariadic() || macro.getNumParams() != arguments.size()) return false;
  Text result;
  for (Word& token : text) {
    const auto parameters = macro.params();
    const auto parameter = llvm::find_if(parameters, [&](const clang::IdentifierInfo* name) {
      return token.open && name->getName() == token.text;
    });
    if (parameter == parameters.end()) {
      token.open = false;
      result.push_back(std::move(token));
      continue;
    }
    const Text& given = arguments[static_cast<std::size_t>(parameter - parameters.begin())];
    if (given.empty()) return false;
    result.insert(result.end(), given.begin(), given.end());
    result[result.size() - given.size()].blank = token.blank;
  }
  text = std::move(result);
  return true;
}

}  // namespace

std::string Ranges::spelledOut(clang::SourceRange range) const {
  SourceLocation begin = range.getBegin(), end = range.getEnd();
  for (;;) {
    if (begin.isFileID() || end.isFileID()) return "";
    if (manager_.getFileID(begin) != manager_.getFileID(end)) {
      if (depth(begin) >= depth(end) ? !raiseBegin(begin) : !raiseEnd(end)) return "";
    } else if (manager_.isMacroArgExpansion(begin)) {
      begin = manager_.getImmediateSpellingLoc(begin);
      end = manager_.getImmediateSpellingLoc(end);
    } else {
      break;
    }
  }
  auto text = wordsUpTo(manager_.getImmediateSpellingLoc(begin), manager_.getImmediateSpellingLoc(end),
                        manager_, language_);
  for (SourceLocation at = begin; text;) {
    while (at.isMacroID() && manager_.isMacroArgExpansion(at)) at = manager_.getImmediateSpellingLoc(at);
    if (at.isFileID()) break;
    const clang::MacroInfo* macro = preprocessing_.macroAt(manager_.getImmediateSpellingLoc(at));
    at = manager_.getImmediateExpansionRange(at).getBegin();
    if (!macro || manager_.isWrittenInScratchSpace(manager_.getSpellingLoc(at))) return "";
    std::optional<std::vector<Text>> arguments(std::in_place);
    if (macro->isFunctionLike()) arguments = argumentsAt(manager_.getSpellingLoc(at), manager_, language_);
    if (!arguments || !substitute(*text, *macro, *arguments)) return "";
  }
  std::string result;
  if (!text) return result;
  for (const Word& token : *text) result += (token.blank && !result.empty() ? " " : "") + token.text;
  return result;
}

}  // namespace cui::constructs
