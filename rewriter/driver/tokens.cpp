#include "driver/tokens.h"

#include <memory>

namespace cui::driver {

void readNext(clang::Preprocessor& preprocessor, const Words& words, clang::SourceLocation place) {
  auto tokens = std::make_unique<clang::Token[]>(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    tokens[i].startToken();
    tokens[i].setKind(words[i].first);
    if (!words[i].second.empty())
      tokens[i].setIdentifierInfo(preprocessor.getIdentifierInfo(words[i].second));
    tokens[i].setLocation(place);
  }
  preprocessor.EnterTokenStream(std::move(tokens), words.size(), true, true);
}

void readInstead(clang::Preprocessor& preprocessor, const clang::Token& shown, const clang::Token& other) {
  // It may be kept to be read once more.
  if (preprocessor.isBacktrackEnabled() && preprocessor.IsPreviousCachedToken(shown))
    preprocessor.ReplacePreviousCachedToken(other);
  // What is shown is a variable of the parser's, or of the preprocessor's own.
  const_cast<clang::Token&>(shown) = other;
}

}  // namespace cui::driver
