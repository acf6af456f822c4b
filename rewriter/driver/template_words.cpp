#include "driver/template_words.h"

#include <clang/Lex/Lexer.h>
#include <clang/Lex/Preprocessor.h>

#include <cstring>

namespace cui::driver {

namespace {

/// Whether that is what is read from `sign` on, which is then the token behind.
bool isOperatorOfCalls(clang::Token& sign, const clang::SourceManager& manager,
                       const clang::LangOptions& language) {
  for (const clang::tok::TokenKind kind : {clang::tok::l_paren, clang::tok::r_paren})
    if (sign.isNot(kind) || clang::Lexer::getRawToken(sign.getEndLoc(), sign, manager, language))
      return false;
  return true;
}

/// Behind the `>` that closes the `<` which ends at `place`, on the way to which there is neither a brace nor
/// a semicolon; none if there is no such sign.
clang::SourceLocation behindArguments(clang::SourceLocation place, const clang::SourceManager& manager,
                                      const clang::LangOptions& language) {
  int open = 1, parentheses = 0;
  clang::Token token;
  while (open > 0 && !clang::Lexer::getRawToken(place, token, manager, language, true)) {
    if (token.isOneOf(clang::tok::l_paren, clang::tok::l_square)) ++parentheses;
    if (token.isOneOf(clang::tok::r_paren, clang::tok::r_square)) --parentheses;
    if (parentheses == 0) {
      if (token.is(clang::tok::less)) ++open;
      if (token.is(clang::tok::greater)) --open;
      if (token.is(clang::tok::greatergreater)) open -= 2;
    }
    if (parentheses < 0 || token.isOneOf(clang::tok::semi, clang::tok::l_brace, clang::tok::eof)) return {};
    place = token.getEndLoc();
  }
  return open == 0 ? place : clang::SourceLocation();
}

/// The name at `place`, or behind blanks there, if a `<` is right behind it; else it has no length. Of
/// `operator()`, the first word.
/// `qualified`: `A::B::` and `A<T>::` may be in front.
clang::Token nameOfTemplate(clang::SourceLocation place, const clang::SourceManager& manager,
                            const clang::LangOptions& language, bool qualified = false) {
  clang::Token name, sign;
  if (!clang::Lexer::getRawToken(place, name, manager, language, true) &&
      name.is(clang::tok::raw_identifier) &&
      !clang::Lexer::getRawToken(name.getEndLoc(), sign, manager, language)) {
    if (name.getRawIdentifier() == "operator" && !isOperatorOfCalls(sign, manager, language))
      sign.startToken();
    if (qualified && sign.is(clang::tok::coloncolon))
      return nameOfTemplate(sign.getEndLoc(), manager, language, true);
    if (sign.is(clang::tok::less)) {
      clang::Token behind;
      const clang::SourceLocation end =
          qualified ? behindArguments(sign.getEndLoc(), manager, language) : clang::SourceLocation();
      if (end.isValid() && !clang::Lexer::getRawToken(end, behind, manager, language) &&
          behind.is(clang::tok::coloncolon))
        if (const clang::Token member = nameOfTemplate(behind.getEndLoc(), manager, language, true);
            member.isNot(clang::tok::unknown))
          return member;
      return name;
    }
  }
  name.startToken();
  return name;
}

/// `__attribute__((host, device))`
const Words& sides() {
  using namespace clang::tok;
  static const Words words{{kw___attribute, "__attribute__"},
                           {l_paren, ""},
                           {l_paren, ""},
                           {identifier, "host"},
                           {comma, ""},
                           {identifier, "device"},
                           {r_paren, ""},
                           {r_paren, ""}};
  return words;
}

}  // namespace

bool addMissingWords(const clang::CompilerInstance& compiler, const Complaints& complaints,
                     MissingWords& missing) {
  const clang::SourceManager& manager = compiler.getSourceManager();
  bool added = false;
  for (const clang::SourceLocation place : complaints.templates) {
    const clang::SourceLocation begin = manager.getSpellingLoc(place);
    const clang::Token name = nameOfTemplate(begin, manager, compiler.getLangOpts(), true);
    if (name.is(clang::tok::unknown)) continue;
    // Names behind `::` are declared so, too.
    added |= name.getLocation() == begin ? missing.templates.insert(name.getRawIdentifier().str()).second
                                         : addPlace(manager, name.getLocation(), missing.qualified.places);
  }
  const auto addAll = [&](const std::set<clang::SourceLocation>& places, Beginnings& beginnings) {
    for (const clang::SourceLocation place : places) {
      added |= addPlace(manager, manager.getSpellingLoc(place), beginnings.places);
      if (place.isMacroID()) added |= beginnings.expanded.insert(place).second;
    }
  };
  addAll(complaints.types, missing.types);
  addAll(complaints.bytes, missing.bytes);
  addAll(complaints.movedBytes, missing.movedBytes);
  // In front of them are attributes, whose words stand elsewhere.
  for (const clang::SourceLocation place : complaints.guides)
    added |= missing.guides.expanded.insert(place).second;
  for (const clang::SourceLocation place : complaints.members)
    added |= addPlace(manager, manager.getSpellingLoc(place), missing.members);
  for (const clang::SourceLocation place : complaints.objects) added |= missing.objects.add(manager, place);
  return added;
}

void TemplateWords::operator()(const clang::Token& token) {
  using namespace clang::tok;
  if (isInFrontOfTemplate(token)) insert({{kw_template, "template"}}, token.getLocation());
  insertInFrontOf(missing_.qualified, {{kw_template, "template"}}, token);
  insertInFrontOf(missing_.types, {{kw_typename, "typename"}}, token);
  insertInFrontOf(missing_.bytes, {{l_paren, ""}, {kw_char, "char"}, {star, ""}, {r_paren, ""}}, token);
  insertInFrontOf(missing_.movedBytes,
                  {{l_paren, ""}, {kw_char, "char"}, {star, ""}, {amp, ""}, {r_paren, ""}}, token);
  insertInFrontOf(missing_.guides, sides(), token);
  before_ = token.getLocation();
  if (const unsigned distance = distanceTo(missing_.members, token))
    insert({{kw_this, "this"}, {arrow, ""}},
           token.getLocation().getLocWithOffset(static_cast<int>(distance)));
  watchLaunch(token);
}

/// Their place is where that begins: so do the expressions that begin with it.
void TemplateWords::insertInFrontOf(Beginnings& beginnings, const Words& words, const clang::Token& token) {
  const clang::SourceLocation place = token.getLocation();
  if (beginnings.expanded.count(place) > 0 && before_.isValid())
    beginnings.inFront.try_emplace(before_, place);
  const auto expanded = beginnings.inFront.find(place);
  if (const unsigned distance = distanceTo(beginnings.places, token))
    insert(words, place.getLocWithOffset(static_cast<int>(distance)));
  else if (expanded != beginnings.inFront.end())
    insert(words, expanded->second);
}

void TemplateWords::watchLaunch(const clang::Token& token) {
  if (!inLaunch_ && token.isNot(clang::tok::lesslessless)) return;
  if (separator_.isValid() && token.is(clang::tok::l_brace))
    missing_.lists.try_emplace(separator_, token.getLocation());
  separator_ = {};
  if (token.isOneOf(clang::tok::l_paren, clang::tok::l_square, clang::tok::l_brace)) ++depth_;
  if (token.isOneOf(clang::tok::r_paren, clang::tok::r_square, clang::tok::r_brace)) --depth_;
  if (token.is(clang::tok::lesslessless)) {
    inLaunch_ = true;
    depth_ = 0;
  } else if (depth_ != 0 || token.isNot(clang::tok::comma)) {
    if (depth_ < 0 || token.isOneOf(clang::tok::greatergreatergreater, clang::tok::semi, clang::tok::eof))
      inLaunch_ = false;
    return;
  }
  if (const auto list = missing_.lists.find(token.getLocation()); list != missing_.lists.end())
    insert({{clang::tok::identifier, "cuiLaunchList"}}, list->second);
  else
    separator_ = token.getLocation();
}

void TemplateWords::insert(const Words& words, clang::SourceLocation place) {
  readNext(compiler_.getPreprocessor(), words, place);
}

clang::SourceLocation TemplateWords::behind(const clang::Token& token) const {
  return compiler_.getSourceManager()
      .getSpellingLoc(token.getLocation())
      .getLocWithOffset(static_cast<int>(token.getLength()));
}

/// An `operator()` with a `<` behind it is compared with nothing, of whatever object.
bool TemplateWords::isInFrontOfTemplate(const clang::Token& token) const {
  if (!token.isOneOf(clang::tok::period, clang::tok::arrow)) return false;
  const clang::SourceManager& manager = compiler_.getSourceManager();
  if (missing_.templates.empty() && std::strncmp(manager.getCharacterData(behind(token)), "operator", 8) != 0)
    return false;
  const clang::Token name = nameOfTemplate(behind(token), manager, compiler_.getLangOpts());
  return name.is(clang::tok::raw_identifier) && (name.getRawIdentifier() == "operator" ||
                                                 missing_.templates.count(name.getRawIdentifier().str()) > 0);
}

unsigned TemplateWords::distanceTo(const Places& places, const clang::Token& token) const {
  if (places.empty() || token.isAnnotation() || token.is(clang::tok::eof)) return 0;
  const clang::SourceManager& manager = compiler_.getSourceManager();
  const auto [id, end] = manager.getDecomposedLoc(behind(token));
  const auto file = manager.getFileEntryRefForID(id);
  const auto known = file ? places.find(file->getUniqueID()) : places.end();
  if (known == places.end()) return 0;
  const auto next = known->second.lower_bound(end);
  if (next == known->second.end() || !manager.getBufferData(id).slice(end, *next).trim().empty()) return 0;
  return *next - end + token.getLength();
}

// Nothing tells which of the launch's arguments a list is: commas in front of it may be a template's.
const char* const launchListHeader =
    "#pragma once\n"
    "#pragma clang system_header\n"
    "#define CUI_EITHER __attribute__((host)) __attribute__((device))\n"
    "struct cuiLaunchList {\n"
    "  template <class... T> CUI_EITHER cuiLaunchList(const T&...);\n"
    "  CUI_EITHER cuiLaunchList(const uint3&);\n"
    "  CUI_EITHER operator dim3() const;\n"
    "  CUI_EITHER operator decltype(sizeof(0))() const;\n"
    "  CUI_EITHER operator cudaStream_t() const;\n"
    "};\n"
    "#undef CUI_EITHER\n";

}  // namespace cui::driver
