#include "constructs/ranges.h"

#include "constructs/alike_macros.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallString.h>

#include <clang/Lex/Lexer.h>

#include <algorithm>

namespace cui::constructs {

using clang::FileID;
using clang::SourceLocation;

namespace {

constexpr char pasted[] = "made by token pasting";

/// The outermost macro whose body holds `location`. A macro's argument is not its body.
std::string holdingMacro(SourceLocation location, const clang::SourceManager& manager,
                         const clang::LangOptions& language) {
  std::string name;
  while (location.isMacroID()) {
    if (manager.isMacroArgExpansion(location)) {
      location = manager.getImmediateSpellingLoc(location);
      continue;
    }
    name = clang::Lexer::getImmediateMacroName(location, manager, language).str();
    location = manager.getImmediateExpansionRange(location).getBegin();
  }
  return name;
}

}  // namespace

unsigned Ranges::depth(SourceLocation location) const {
  unsigned result = 0;
  for (; location.isMacroID(); ++result) location = manager_.getImmediateExpansionRange(location).getBegin();
  return result;
}

bool Ranges::raiseBegin(SourceLocation& begin) const {
  if (!manager_.isAtStartOfImmediateMacroExpansion(begin)) return false;
  begin = manager_.getImmediateExpansionRange(begin).getBegin();
  return true;
}

bool Ranges::raiseEnd(SourceLocation& end) const {
  const unsigned length = clang::Lexer::MeasureTokenLength(manager_.getSpellingLoc(end), manager_, language_);
  if (!manager_.isAtEndOfImmediateMacroExpansion(end.getLocWithOffset(static_cast<int>(length))))
    return false;
  end = manager_.getImmediateExpansionRange(end).getEnd();
  return true;
}

/// The macro (null: unknown) whose argument holds the token, and that argument's parameter.
const clang::MacroInfo* Ranges::macroOfArgument(SourceLocation location, std::string& parameter) const {
  // The parameter's own token in the body names the macro and the parameter.
  const SourceLocation inBody = manager_.getImmediateExpansionRange(location).getBegin();
  const SourceLocation use = manager_.getSpellingLoc(inBody);
  llvm::SmallString<32> buffer;
  parameter = clang::Lexer::getSpelling(use, buffer, manager_, language_).str();
  if (const clang::MacroInfo* macro = preprocessing_.macroAt(use)) return macro;
  // A system macro: look it up by its name. Of those around an argument that is handed on, the innermost.
  if (!inBody.isMacroID()) return nullptr;
  const SourceLocation call = manager_.getSpellingLoc(manager_.getImmediateExpansionRange(inBody).getBegin());
  llvm::SmallString<32> nameBuffer;
  return preprocessing_.functionLike(clang::Lexer::getSpelling(call, nameBuffer, manager_, language_));
}

/// Whether the macro argument that holds the token is <assert.h>'s.
bool Ranges::isAssert(SourceLocation location, Span& name) const {
  const SourceLocation inBody = manager_.getImmediateExpansionRange(location).getBegin();
  const SourceLocation call = manager_.getImmediateExpansionRange(inBody).getBegin();
  const SourceLocation spelled = manager_.getSpellingLoc(call);
  llvm::SmallString<32> buffer;
  if (!call.isValid() || clang::Lexer::getSpelling(spelled, buffer, manager_, language_) != "assert" ||
      !manager_.isInSystemHeader(manager_.getSpellingLoc(inBody)))
    return false;
  return spanOf(spelled, spelled, name) && sources_.file(name.file).wanted;
}

/// False if that is not in a file that may be edited.
bool Ranges::keepText(clang::SourceRange text, std::vector<Span>& kept) const {
  Span span;
  if (!text.getBegin().isFileID() || !spanOf(text.getBegin(), text.getEnd(), span) ||
      !sources_.file(span.file).wanted)
    return false;
  kept.push_back(span);
  return true;
}

/// Whether parentheses of the macro argument's own are around the token. What a macro joins to the argument
/// with `##` is joined to its ends.
bool Ranges::isInParentheses(SourceLocation location) const {
  int open = 0;
  for (SourceLocation end = location; end.isValid(); end = endOfPartBefore(end)) {
    const auto length = static_cast<SourceLocation::IntTy>(manager_.getDecomposedLoc(end).second);
    const SourceLocation begin = manager_.getSpellingLoc(end.getLocWithOffset(-length));
    const auto [file, from] = manager_.getDecomposedLoc(begin);
    const std::string text =  // which a lexer wants to end with a zero
        manager_.getBufferData(file).substr(from, static_cast<std::size_t>(length)).str();
    clang::Lexer lexer(begin, language_, text.data(), text.data(), text.data() + text.size());
    clang::Token token;
    for (lexer.LexFromRawLexer(token); token.isNot(clang::tok::eof); lexer.LexFromRawLexer(token))
      open += token.is(clang::tok::l_paren) ? 1 : token.is(clang::tok::r_paren) ? -1 : 0;
  }
  return open > 0;
}

/// Tokens of a macro's argument that come from several places, or are far apart, are parts of it, one behind
/// the other. The end of the part in front of the token's; invalid if there is none.
SourceLocation Ranges::endOfPartBefore(SourceLocation location) const {
  const auto offset = static_cast<SourceLocation::IntTy>(manager_.getDecomposedLoc(location).second);
  const SourceLocation before = location.getLocWithOffset(-offset - 1);
  const bool same = before.isMacroID() && manager_.isMacroArgExpansion(before) &&
                    manager_.getImmediateExpansionRange(before).getBegin() ==
                        manager_.getImmediateExpansionRange(location).getBegin();
  return same ? before : SourceLocation();
}

/// Whether the macro argument that holds the token is also made into text, and not only by `result`'s texts
/// and asserts, whose text can be kept as it is.
bool Ranges::argumentIsText(SourceLocation location, Resolved& result) const {
  if (Span called; isAssert(location, called)) {
    result.asserts.push_back(called);
    return false;
  }
  std::string name;
  const clang::MacroInfo* macro = macroOfArgument(location, name);
  if (!macro) return true;
  for (const clang::IdentifierInfo* parameter : macro->params()) {
    if (parameter->getName() != name) continue;
    if (!preprocessing_.isStringised(*macro, parameter)) return false;
    if (isInParentheses(location) &&
        !preprocessing_.isStringised(*macro, parameter, Preprocessing::Joined::passes))
      return false;
    const bool first =
        manager_.getDecomposedLoc(location).second == 0 && endOfPartBefore(location).isInvalid();
    if (!first && !preprocessing_.isStringised(*macro, parameter, Preprocessing::Joined::countsBehind))
      return false;
    return !keepTexts(*macro, parameter, result);
  }
  return true;
}

bool Ranges::keepTexts(const clang::MacroInfo& macro, const clang::IdentifierInfo* parameter,
                       Resolved& result) const {
  ArgumentTexts texts;
  if (!preprocessing_.findTexts(macro, parameter, texts)) return false;
  result.handedOn |= texts.handedOn;
  return llvm::all_of(texts.runs, [&](auto& run) { return keepText(run, result.texts); }) &&
         llvm::all_of(texts.asserts, [&](auto& called) { return keepText(called, result.asserts); });
}

/// Null where that is not the whole of the macro's text, or its use cannot be edited or becomes text.
std::shared_ptr<const Resolved> Ranges::useOf(const clang::MacroInfo& macro, clang::SourceRange spelled,
                                              SourceLocation expanded) const {
  auto tokens = macro.tokens();
  while (tokens.size() > 2 && tokens.front().getLocation() != spelled.getBegin() &&
         tokens.front().is(clang::tok::l_paren) && tokens.back().is(clang::tok::r_paren))
    tokens = tokens.drop_front().drop_back();
  if (tokens.empty() || tokens.front().getLocation() != spelled.getBegin() ||
      tokens.back().getLocation() != spelled.getEnd())
    return nullptr;
  Resolved use = resolve(manager_.getImmediateExpansionRange(expanded).getAsRange(), true, true);
  if (use.whereUsed) return use.whereUsed;
  if (!use.reason.empty() || !use.texts.empty() || !use.asserts.empty() || use.handedOn) return nullptr;
  use.standsFor = clang::Lexer::getImmediateMacroName(expanded, manager_, language_).str();
  return std::make_shared<const Resolved>(std::move(use));
}

/// The text of the part of a macro's argument that holds the location, in front of it or from it on.
llvm::StringRef Ranges::restOfPart(SourceLocation location, Side side) const {
  const auto [part, offset] = manager_.getDecomposedLoc(location);
  const auto [text, at] = manager_.getDecomposedLoc(manager_.getSpellingLoc(location));
  const llvm::StringRef all = manager_.getBufferData(text);
  if (side == Side::begin) return at < offset ? llvm::StringRef() : all.slice(at - offset, at);
  return all.substr(at, manager_.getFileIDSize(part) - offset);
}

/// Those around tokens of a macro's argument that begin it and end it.
void Ranges::takeParentheses(SourceLocation& begin, SourceLocation& end) const {
  using Offset = SourceLocation::IntTy;
  constexpr llvm::StringRef blanks = " \t";
  SourceLocation first = begin, last = end;
  std::size_t open = 0, closed = 0;
  for (SourceLocation at = begin; at.isValid(); at = endOfPartBefore(at)) {
    const llvm::StringRef text = restOfPart(at, Side::begin);
    if (text.find_first_not_of("( \t") != llvm::StringRef::npos) return;
    open += text.count('(');
    if (!text.empty()) first = at.getLocWithOffset(-static_cast<Offset>(text.size()));
  }
  const clang::SourceLocation argument = manager_.getImmediateExpansionRange(end).getBegin();
  const auto isOfArgument = [&](SourceLocation at) {
    return at.isMacroID() && manager_.isMacroArgExpansion(at) &&
           manager_.getImmediateExpansionRange(at).getBegin() == argument;
  };
  const unsigned length = clang::Lexer::MeasureTokenLength(manager_.getSpellingLoc(end), manager_, language_);
  SourceLocation at = end.getLocWithOffset(static_cast<Offset>(length));
  // A location behind a part is the part's own.
  for (; closed < open && isOfArgument(at); at = at.getLocWithOffset(1)) {
    const llvm::StringRef text = restOfPart(at, Side::end);
    for (std::size_t i = 0; i < text.size() && closed < open; ++i) {
      if (blanks.contains(text[i])) continue;
      if (text[i] != ')') return;
      last = at.getLocWithOffset(static_cast<Offset>(i));
      ++closed;
    }
    at = at.getLocWithOffset(static_cast<Offset>(text.size()));
  }
  if (closed < open) return;
  begin = first;
  end = last;
}

/// Null where that is not the whole of a macro's argument, but for parentheses, or the macro's text cannot be
/// edited.
std::shared_ptr<const Resolved> Ranges::parameterOf(SourceLocation begin, SourceLocation end) const {
  takeParentheses(begin, end);
  if (!raiseBegin(begin) || !raiseEnd(end) || begin != end) return nullptr;
  Resolved parameter = resolve({begin, end}, true, true);
  if (!parameter.macro || !parameter.reason.empty() || !parameter.texts.empty() ||
      !parameter.asserts.empty() || parameter.handedOn)
    return nullptr;
  return std::make_shared<const Resolved>(std::move(parameter));
}

bool Ranges::usedOnce(SourceLocation location) const {
  for (; location.isMacroID() && manager_.isMacroArgExpansion(location);
       location = manager_.getImmediateSpellingLoc(location)) {
    std::string name;
    const clang::MacroInfo* macro = macroOfArgument(location, name);
    if (!macro) return false;
    const auto isParameter = [&](const clang::Token& token) {
      return token.getIdentifierInfo() && token.getIdentifierInfo()->getName() == name;
    };
    if (std::count_if(macro->tokens().begin(), macro->tokens().end(), isParameter) != 1) return false;
  }
  return true;
}

bool Ranges::spanOf(SourceLocation begin, SourceLocation end, Span& span) const {
  const auto [beginId, beginOffset] = manager_.getDecomposedLoc(begin);
  const auto [endId, endOffset] = manager_.getDecomposedLoc(end);
  if (beginId != endId || endOffset < beginOffset || !sources_.find(beginId, span.file)) return false;
  span.begin = sources_.beginOfToken(span.file, beginOffset);
  span.end =
      sources_.endOfToken(span.file, endOffset, clang::Lexer::MeasureTokenLength(end, manager_, language_));
  return true;
}

Resolved Ranges::resolve(clang::SourceRange range, bool wrap, bool keepsText) const {
  Resolved result;
  SourceLocation begin = range.getBegin(), end = range.getEnd();
  if (begin.isInvalid() || end.isInvalid()) {
    result.reason = "the compiler gives no place for it";
    return result;
  }
  result.located = spanOf(manager_.getExpansionRange(begin).getBegin(),
                          manager_.getExpansionRange(end).getEnd(), result.use);
  if (begin.isMacroID()) {
    SourceLocation outer = begin;
    for (SourceLocation up; outer.isMacroID(); outer = up) {
      up = manager_.getImmediateExpansionRange(outer).getBegin();
      if (up.isFileID() && !manager_.isMacroArgExpansion(outer))
        result.outermostMacro = clang::Lexer::getImmediateMacroName(outer, manager_, language_).str();
    }
  }
  // Each turn goes one step towards file text: down into the argument both ends were written in, or up
  // from a macro to the place that expands it.
  while (begin.isMacroID() || end.isMacroID()) {
    const bool sameUse = begin.isMacroID() && end.isMacroID() &&
                         manager_.getImmediateExpansionRange(begin).getBegin() ==
                             manager_.getImmediateExpansionRange(end).getBegin();
    if (sameUse && manager_.isMacroArgExpansion(begin) && manager_.isMacroArgExpansion(end)) {
      // What a system macro hands to another, `cuMemcpy` to what chooses its suffix: only the place of use
      // may be edited.
      const SourceLocation taker = manager_.getImmediateExpansionRange(begin).getBegin();
      if (manager_.isInSystemHeader(manager_.getSpellingLoc(begin)) &&
          manager_.isInSystemHeader(manager_.getSpellingLoc(taker)) && raiseBegin(begin) && raiseEnd(end))
        continue;
      if (wrap && keepsText && !result.inArgument) result.asParameter = parameterOf(begin, end);
      result.inArgument = true;
      // What another macro has handed on to those that make a text of it arrives there expanded.
      result.handedOn |= !result.texts.empty() || !result.asserts.empty();
      if (argumentIsText(begin, result) && keepsText) {
        result.reason = turnedIntoText;
        return result;
      }
      begin = manager_.getImmediateSpellingLoc(begin);
      end = manager_.getImmediateSpellingLoc(end);
      continue;
    }
    if (begin.isMacroID() && end.isMacroID() && manager_.getFileID(begin) == manager_.getFileID(end)) {
      const SourceLocation spelledBegin = manager_.getImmediateSpellingLoc(begin);
      const SourceLocation spelledEnd = manager_.getImmediateSpellingLoc(end);
      const clang::MacroInfo* macro = preprocessing_.macroAt(spelledBegin);
      FileIndex file;
      if (macro && spelledBegin.isFileID() && sources_.find(manager_.getFileID(spelledBegin), file) &&
          sources_.file(file).user) {
        result.macro = macro;
        result.outermostMacro = holdingMacro(begin, manager_, language_);
        result.expansion = manager_.getImmediateExpansionRange(begin).getBegin();
        result.body = manager_.getFileID(begin);
        result.line = manager_.getExpansionLineNumber(begin);
        result.endLine = manager_.getExpansionLineNumber(manager_.getExpansionRange(end).getEnd());
        if (wrap && keepsText && result.texts.empty() && result.asserts.empty() && !result.handedOn)
          result.whereUsed = useOf(*macro, {spelledBegin, spelledEnd}, begin);
        begin = spelledBegin;
        end = spelledEnd;
        break;
      }
      // Not ours to edit: only a range that is the whole expansion can be wrapped, where it is used.
      if (!raiseBegin(begin) || !raiseEnd(end)) {
        result.reason =
            manager_.isWrittenInScratchSpace(spelledBegin) ? pasted : "in the body of a system macro";
        return result;
      }
      continue;
    }
    if (depth(begin) >= depth(end) ? !raiseBegin(begin) : !raiseEnd(end)) {
      result.reason = "partly in a macro's text";
      return result;
    }
  }
  finish(begin, end, wrap, result);
  return result;
}

Resolved Ranges::resolveName(clang::SourceLocation name) const {
  Resolved result = resolve(clang::SourceRange(name), false, false);
  if (result.reason.empty() && manager_.isWrittenInScratchSpace(manager_.getSpellingLoc(name))) {
    result.reason = pasted;
    const auto text =
        llvm::StringRef(sources_.file(result.span.file).text).slice(result.span.begin, result.span.end);
    result.pasted = result.macro && text.contains("##");
  }
  return result;
}

/// `location` seen from a macro's expanded text (`body`), or from the file (no `body`). Invalid if it is not
/// there; if `whole`, also if it is in the middle of what an expansion or an argument there stands for.
SourceLocation Ranges::within(SourceLocation location, clang::FileID body, Side side, bool whole) const {
  const auto expandsInBody = [&](SourceLocation up) {
    while (up.isMacroID() && manager_.getFileID(up) != body)
      up = manager_.getImmediateExpansionRange(up).getBegin();
    return up.isMacroID();
  };
  // An argument that the body's text gives to another macro is expanded there, too: it stands where it is
  // spelled.
  const auto spelledInBody = [&](SourceLocation down) {
    while (down.isMacroID() && manager_.isMacroArgExpansion(down)) {
      down = manager_.getImmediateSpellingLoc(down);
      if (expandsInBody(down)) return true;
    }
    return false;
  };
  while (location.isMacroID() && (body.isInvalid() || manager_.getFileID(location) != body)) {
    const bool up = body.isValid() ? expandsInBody(location) && !spelledInBody(location)
                                   : !manager_.isMacroArgExpansion(location);
    if (!up && !manager_.isMacroArgExpansion(location)) return {};
    SourceLocation outside = location;
    const bool atEdge = side == Side::begin ? raiseBegin(outside) : raiseEnd(outside);
    if (up && whole && !atEdge) return {};
    const auto around = manager_.getImmediateExpansionRange(location);
    location = !up                   ? manager_.getImmediateSpellingLoc(location)
               : side == Side::begin ? around.getBegin()
                                     : around.getEnd();
  }
  if (body.isInvalid()) return location;
  return location.isMacroID() ? manager_.getImmediateSpellingLoc(location) : SourceLocation();
}

Resolved Ranges::resolveBeside(clang::SourceLocation token, const Resolved& other) const {
  return spelledWith({token, token}, other, false);
}

Resolved Ranges::resolveBeside(clang::SourceRange range, const Resolved& other) const {
  return spelledWith(range, other, true);
}

Resolved Ranges::resolvePart(clang::SourceRange range, const Resolved& outer) const {
  return partOf(outer, range, false);
}

Resolved Ranges::resolveWholePart(clang::SourceRange range, const Resolved& outer) const {
  return partOf(outer, range, true);
}

Resolved Ranges::partOf(const Resolved& outer, clang::SourceRange range, bool whole) const {
  Resolved result = spelledWith(range, outer, whole);
  if (result.reason.empty() && (result.span.file != outer.span.file || result.span.begin < outer.span.begin ||
                                result.span.end > outer.span.end))
    result.reason = "partly in a macro's text";
  return result;
}

Resolved Ranges::spelledWith(clang::SourceRange range, const Resolved& other, bool whole) const {
  Resolved result;
  result.reason = other.reason;
  if (!other.reason.empty()) return result;
  result.macro = other.macro;
  result.expansion = other.expansion;
  result.body = other.body;
  result.use = other.use;
  result.located = other.located;
  result.outermostMacro = other.outermostMacro;
  result.texts = other.texts;
  result.asserts = other.asserts;
  result.handedOn = other.handedOn;
  const SourceLocation begin = within(range.getBegin(), other.body, Side::begin, whole);
  const SourceLocation end = within(range.getEnd(), other.body, Side::end, whole);
  if (begin.isInvalid() || end.isInvalid())
    result.reason = "partly in a macro's text";
  else
    finish(begin, end, true, result);
  return result;
}

/// Text is excluded where it stands; a macro's, also where it is used.
std::string Ranges::whyExcluded(const Resolved& range) const {
  const std::string reason = sources_.whyExcluded(range.span.file, range.span.begin, range.span.end);
  return !reason.empty() ? reason : sources_.whyExcluded(range.use.file, range.use.begin, range.use.end);
}

std::string Ranges::whyNotWrappable(const Span& span) const {
  const edit::TokenIndex& tokens = sources_.tokens(span.file);
  std::string reason(tokens.whyNotWrappable(span.begin, span.end));
  if (!reason.empty()) return reason;
  for (const auto& [name, word] : tokens.namePairs(span.begin, span.end))
    if (preprocessing_.byName.count(std::string(name)) > 0 && preprocessing_.hasMacro(word))
      return "a macro's name is in it that another macro keeps from being expanded";
  return "";
}

void Ranges::finish(SourceLocation begin, SourceLocation end, bool wrap, Resolved& result) const {
  if (!result.macro) result.outermostMacro.clear();
  if (!spanOf(begin, end, result.span)) {
    result.reason = "not in one file";
    return;
  }
  if (!result.located) result.use = result.span;
  result.located = true;
  const SourceFile& file = sources_.file(result.span.file);
  if (wrap && file.user) {
    // Of members of anonymous structures, Clang's begin is behind their class.
    const unsigned whole =
        static_cast<unsigned>(sources_.tokens(result.span.file).beginOfQualified(result.span.begin));
    if (result.use == result.span) result.use.begin = whole;
    result.span.begin = whole;
  }
  if (!file.user)
    result.reason = "not in a file of the user's";
  else if (!file.wanted)
    result.reason = "in a file that --include or --exclude leaves out";
  else if (std::string reason = whyExcluded(result); !reason.empty())
    result.reason = std::move(reason);
  else if (wrap)
    result.reason = whyNotWrappable(result.span);
  if (result.reason.empty() && result.macro) moveToFirst(result, preprocessing_, sources_);
}

std::string Ranges::text(clang::SourceRange range) const {
  const auto characters =
      clang::Lexer::makeFileCharRange(clang::CharSourceRange::getTokenRange(range), manager_, language_);
  const llvm::StringRef parsed = clang::Lexer::getSourceText(characters, manager_, language_);
  if (!parsed.contains("CUI_")) return parsed.str();
  // The parse may know other words, which are as long (driver/other_words.h).
  const auto [id, begin] = manager_.getDecomposedLoc(characters.getBegin());
  const auto entry = manager_.getFileEntryRefForID(id);
  FileIndex index = 0;
  if (!entry || !sources_.find(&entry->getFileEntry(), index)) return parsed.str();
  return sources_.file(index).text.substr(begin, parsed.size()).str();
}

std::string Ranges::line(clang::SourceRange range) const {
  std::string result = text(range);
  if (result.find_first_of("\n\\") != result.npos || result.find("//") != result.npos) return "";
  // What is text of a file itself; a macro's is not looked at beyond it.
  Span span;
  if (range.getBegin().isFileID() && range.getEnd().isFileID() &&
      spanOf(range.getBegin(), range.getEnd(), span)) {
    const edit::TokenIndex& tokens = sources_.tokens(span.file);
    if (!tokens.expandsNothing(span.begin, span.end) || tokens.isExpanded(span.begin, span.end)) return "";
  }
  return result;
}

}  // namespace cui::constructs
