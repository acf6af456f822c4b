// Words that Clang wants and nvcc does without. The source is then parsed again as if they were there. In
// templates, where nvcc knows what a name is when they are instantiated:
// - `template` in front of member templates of dependent objects (`x.f<0>(p)`), which Clang has compared with
//   the zero by then.
// - `typename` in front of the types of dependent classes of which values are made (`T::Type(0)`), which
//   Clang has called by then.
// - `this->` in front of members of dependent base classes (`f(t)`), which other compilers do not look for.
// And the name of a class in front of a list in braces that a macro gives a launch for its configuration
// (`RUN(k, {1, 2}, 32)`); those that stand between the brackets themselves edit/chevrons.h sees to.
#pragma once

#include <clang/Frontend/CompilerInstance.h>

#include <map>
#include <set>
#include <string>

#include "driver/places.h"

namespace cui::driver {

/// Where the words are missing.
struct MissingWords {
  std::set<std::string> templates;  ///< names of members
  Places types;                     ///< the beginnings of types
  Places members;                   ///< the names of members
  /// Those that a macro's argument names, as the macro's text has them, and what is in front of each there,
  /// as it has been met.
  std::set<clang::SourceLocation> expandedTypes;
  std::map<clang::SourceLocation, clang::SourceLocation> inFrontOfTypes;
  /// Such lists by what is in front of them, as they have been met.
  std::map<clang::SourceLocation, clang::SourceLocation> lists;
};

/// Adds what Clang complained of at these places: members, types, and members of base classes. False if there
/// is nothing new.
bool addMissingWords(const clang::CompilerInstance& compiler,
                     const std::set<clang::SourceLocation>& templates,
                     const std::set<clang::SourceLocation>& types,
                     const std::set<clang::SourceLocation>& members, MissingWords& missing);

/// To be shown each token: has `template` read behind a `.` or `->` that one of the names with a `<` right
/// behind it follows, `typename` in front of the types, `this->` in front of the members, and the class's
/// name in front of the lists, which are added to `missing` when they are met for the first time.
class TemplateWords {
 public:
  /// `missing` must live as long as the parse.
  TemplateWords(clang::CompilerInstance& compiler, MissingWords& missing)
      : compiler_(compiler), missing_(missing) {}

  void operator()(const clang::Token& token);

 private:
  void insert(llvm::StringRef word, clang::tok::TokenKind kind, clang::SourceLocation place,
              bool arrow = false);
  bool isInFrontOfTemplate(const clang::Token& token) const;
  /// From the token's beginning to one of the places, right behind it; 0 if none is.
  unsigned distanceTo(const Places& places, const clang::Token& token) const;
  clang::SourceLocation behind(const clang::Token& token) const;
  void watchLaunch(const clang::Token& token);
  void insertTypename(const clang::Token& token);

  clang::CompilerInstance& compiler_;
  MissingWords& missing_;
  clang::SourceLocation before_;     ///< the token before
  clang::SourceLocation separator_;  ///< the token before, if a launch's argument follows
  bool inLaunch_ = false;            ///< between a launch's brackets
  int depth_ = 0;                    ///< of brackets in it
};

/// Defines that class: to be included before the source.
extern const char* const launchListHeader;

}  // namespace cui::driver
