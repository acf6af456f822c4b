// Words that templates want and nvcc does without, because it knows what a name is when the template is
// instantiated. The source is then parsed again as if they were there:
// - `template` in front of member templates of dependent objects (`x.f<0>(p)`), which Clang has compared with
//   the zero by then.
// - `typename` in front of the types of dependent classes of which values are made (`T::Type(0)`), which
//   Clang has called by then.
#pragma once

#include <clang/Frontend/CompilerInstance.h>

#include <set>
#include <string>

#include "driver/places.h"

namespace cui::driver {

/// Where the words are missing.
struct MissingWords {
  std::set<std::string> templates;  ///< names of members
  Places types;                     ///< the beginnings of types
};

/// Adds what Clang complained of at these places: members, and types. False if there is nothing new.
bool addMissingWords(const clang::CompilerInstance& compiler,
                     const std::set<clang::SourceLocation>& templates,
                     const std::set<clang::SourceLocation>& types, MissingWords& missing);

/// To be shown each token: has `template` read behind a `.` or `->` that one of the names with a `<` right
/// behind it follows, and `typename` in front of the types.
class TemplateWords {
 public:
  /// `missing` must live as long as the parse.
  TemplateWords(clang::CompilerInstance& compiler, const MissingWords& missing)
      : compiler_(compiler), missing_(missing) {}

  void operator()(const clang::Token& token);

 private:
  void insert(llvm::StringRef word, clang::tok::TokenKind kind, clang::SourceLocation place);
  bool isInFrontOfTemplate(const clang::Token& token) const;
  /// From the token's beginning to that of a type right behind it; 0 if there is none.
  unsigned distanceToType(const clang::Token& token) const;
  clang::SourceLocation behind(const clang::Token& token) const;

  clang::CompilerInstance& compiler_;
  const MissingWords& missing_;
};

}  // namespace cui::driver
