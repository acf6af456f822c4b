#include "driver/shift_operators.h"

#include <clang/Lex/Lexer.h>

namespace cui::driver {

void ShiftOperators::operator()(const clang::Token& token) {
  clang::LangOptions& language = compiler_.getLangOpts();
  if (asInCpp_) language.CUDA = true;
  asInCpp_ = false;
  if (token.isNot(clang::tok::kw_operator)) return;
  const clang::SourceManager& manager = compiler_.getSourceManager();
  const clang::SourceLocation behind =
      manager.getSpellingLoc(token.getLocation()).getLocWithOffset(static_cast<int>(token.getLength()));
  clang::Token next;
  if (clang::Lexer::getRawToken(behind, next, manager, language, true) ||
      next.isNot(clang::tok::lesslessless))
    return;
  asInCpp_ = true;
  language.CUDA = false;
}

}  // namespace cui::driver
