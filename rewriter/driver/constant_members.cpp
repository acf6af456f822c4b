#include "driver/constant_members.h"

#include <clang/Lex/Lexer.h>
#include <clang/Lex/Preprocessor.h>

#include <utility>

#include "driver/tokens.h"

namespace cui::driver {

void ConstantMembers::operator()(const clang::Token& token) {
  using namespace clang::tok;
  if (places_.empty()) return;
  clang::Preprocessor& preprocessor = compiler_.getPreprocessor();
  const clang::SourceManager& manager = compiler_.getSourceManager();
  clang::Token other = token;
  if (std::exchange(named_, false) && token.is(arrow)) {
    other.setKind(coloncolon);
    readInstead(preprocessor, token, other);
  }
  if (token.isNot(kw_this) || !places_.has(manager, token.getLocation())) return;
  clang::Token sign;
  const clang::SourceLocation behind =
      manager.getSpellingLoc(token.getLocation()).getLocWithOffset(static_cast<int>(token.getLength()));
  if (clang::Lexer::getRawToken(behind, sign, manager, compiler_.getLangOpts(), true) || sign.isNot(arrow))
    return;
  named_ = true;
  other.setKind(identifier);
  other.setIdentifierInfo(preprocessor.getIdentifierInfo("cuiClassOf"));
  const clang::SourceLocation place = token.getLocation();
  readInstead(preprocessor, token, other);
  readNext(preprocessor,
           {{less, ""},
            {kw_decltype, "decltype"},
            {l_paren, ""},
            {star, ""},
            {kw_this, "this"},
            {r_paren, ""},
            {greater, ""}},
           place);
}

std::vector<clang::SourceLocation> objectsInSizes(const clang::SourceManager& manager,
                                                  clang::SourceLocation place,
                                                  const clang::LangOptions& language) {
  using namespace clang::tok;
  std::vector<clang::SourceLocation> objects;
  if (!place.isFileID()) return objects;
  for (clang::Token token; !clang::Lexer::getRawToken(place, token, manager, language, true) &&
                           !token.isOneOf(equal, l_brace, semi, eof);
       place = token.getEndLoc())
    if (token.is(raw_identifier) && token.getRawIdentifier() == "this")
      objects.push_back(token.getLocation());
  return objects;
}

const char* const constantMemberHeader =
    "template <class T> struct cuiClassOfReference;\n"
    "template <class T> struct cuiClassOfReference<T&> { typedef T Type; };\n"
    "template <class T> using cuiClassOf = typename cuiClassOfReference<T>::Type;\n";

}  // namespace cui::driver
