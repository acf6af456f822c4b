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

bool addTemplateNames(const clang::CompilerInstance& compiler, const std::set<clang::SourceLocation>& places,
                      std::set<std::string>& names) {
  const clang::SourceManager& manager = compiler.getSourceManager();
  bool added = false;
  for (const clang::SourceLocation place : places) {
    const llvm::StringRef name =
        nameOfTemplate(manager.getSpellingLoc(place), manager, compiler.getLangOpts());
    if (!name.empty()) added |= names.insert(name.str()).second;
  }
  return added;
}

void TemplateWords::operator()(const clang::Token& token) {
  if (names_.empty() || !token.isOneOf(clang::tok::period, clang::tok::arrow) || !isFollowed(token)) return;
  clang::Preprocessor& preprocessor = compiler_.getPreprocessor();
  auto word = std::make_unique<clang::Token[]>(1);
  word[0].startToken();
  word[0].setKind(clang::tok::kw_template);
  word[0].setIdentifierInfo(preprocessor.getIdentifierInfo("template"));
  word[0].setLocation(token.getLocation());
  preprocessor.EnterTokenStream(std::move(word), 1, true, true);
}

bool TemplateWords::isFollowed(const clang::Token& token) const {
  const clang::SourceManager& manager = compiler_.getSourceManager();
  const clang::SourceLocation behind =
      manager.getSpellingLoc(token.getLocation()).getLocWithOffset(static_cast<int>(token.getLength()));
  return names_.count(nameOfTemplate(behind, manager, compiler_.getLangOpts()).str()) > 0;
}

}  // namespace cui::driver
