#include "driver/template_words.h"

#include <clang/Lex/Lexer.h>
#include <clang/Lex/Preprocessor.h>

#include <memory>

namespace cui::driver {

namespace {

/// The name at `place`, or behind blanks there, if a `<` is right behind it, else "".
llvm::StringRef nameOfTemplate(clang::SourceLocation place, const clang::SourceManager& manager,
                               const clang::LangOptions& language) {
  clang::Token name, bracket;
  if (clang::Lexer::getRawToken(place, name, manager, language, true) ||
      name.isNot(clang::tok::raw_identifier) ||
      clang::Lexer::getRawToken(name.getEndLoc(), bracket, manager, language) ||
      bracket.isNot(clang::tok::less))
    return {};
  return name.getRawIdentifier();
}

}  // namespace

bool addMissingWords(const clang::CompilerInstance& compiler,
                     const std::set<clang::SourceLocation>& templates,
                     const std::set<clang::SourceLocation>& types,
                     const std::set<clang::SourceLocation>& members, MissingWords& missing) {
  const clang::SourceManager& manager = compiler.getSourceManager();
  bool added = false;
  for (const clang::SourceLocation place : templates) {
    const llvm::StringRef name =
        nameOfTemplate(manager.getSpellingLoc(place), manager, compiler.getLangOpts());
    if (!name.empty()) added |= missing.templates.insert(name.str()).second;
  }
  for (const clang::SourceLocation place : types) {
    added |= addPlace(manager, manager.getSpellingLoc(place), missing.types);
    if (place.isMacroID()) added |= missing.expandedTypes.insert(place).second;
  }
  for (const clang::SourceLocation place : members)
    added |= addPlace(manager, manager.getSpellingLoc(place), missing.members);
  return added;
}

void TemplateWords::operator()(const clang::Token& token) {
  if (isInFrontOfTemplate(token)) insert("template", clang::tok::kw_template, token.getLocation());
  insertTypename(token);
  if (const unsigned distance = distanceTo(missing_.members, token))
    insert("this", clang::tok::kw_this, token.getLocation().getLocWithOffset(static_cast<int>(distance)),
           true);
  watchLaunch(token);
}

/// Its place is where the type begins: so do the expressions that begin with it.
void TemplateWords::insertTypename(const clang::Token& token) {
  const clang::SourceLocation place = token.getLocation();
  if (missing_.expandedTypes.count(place) > 0 && before_.isValid())
    missing_.inFrontOfTypes.try_emplace(before_, place);
  before_ = place;
  const auto expanded = missing_.inFrontOfTypes.find(place);
  if (const unsigned distance = distanceTo(missing_.types, token))
    insert("typename", clang::tok::kw_typename, place.getLocWithOffset(static_cast<int>(distance)));
  else if (expanded != missing_.inFrontOfTypes.end())
    insert("typename", clang::tok::kw_typename, expanded->second);
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
    insert("cuiLaunchList", clang::tok::identifier, list->second);
  else
    separator_ = token.getLocation();
}

void TemplateWords::insert(llvm::StringRef word, clang::tok::TokenKind kind, clang::SourceLocation place,
                           bool arrow) {
  clang::Preprocessor& preprocessor = compiler_.getPreprocessor();
  auto tokens = std::make_unique<clang::Token[]>(2);
  tokens[0].startToken();
  tokens[0].setKind(kind);
  tokens[0].setIdentifierInfo(preprocessor.getIdentifierInfo(word));
  tokens[0].setLocation(place);
  tokens[1].startToken();
  tokens[1].setKind(clang::tok::arrow);
  tokens[1].setLocation(place);
  preprocessor.EnterTokenStream(std::move(tokens), arrow ? 2 : 1, true, true);
}

clang::SourceLocation TemplateWords::behind(const clang::Token& token) const {
  return compiler_.getSourceManager()
      .getSpellingLoc(token.getLocation())
      .getLocWithOffset(static_cast<int>(token.getLength()));
}

bool TemplateWords::isInFrontOfTemplate(const clang::Token& token) const {
  if (missing_.templates.empty() || !token.isOneOf(clang::tok::period, clang::tok::arrow)) return false;
  const llvm::StringRef name =
      nameOfTemplate(behind(token), compiler_.getSourceManager(), compiler_.getLangOpts());
  return missing_.templates.count(name.str()) > 0;
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
