// Words that Clang wants and nvcc does without. The source is then parsed again as if they were there. In
// templates, where nvcc knows what a name is when they are instantiated:
// - `template` in front of member templates of dependent objects and classes (`x.f<0>(p)`, `T::f<0>(p)`),
//   which Clang has compared with the zero by then.
// - `typename` in front of the types of dependent classes of which values are made (`T::Type(0)`,
//   `T::template Type<0>()`), which Clang has called by then.
// - `this->` in front of members of dependent base classes (`f(t)`), which other compilers do not look for.
// `__host__ __device__` in front of deduction guides that say one of them (`__host__ A(T) -> A<T>;`).
// A cast in front of pointers to void with which is calculated (`(int*)(p + 4)` of a `void* p`): GNU's
// compilers and nvcc count bytes then. And the name of a class in front of a list in braces that a macro
// gives a launch for its configuration (`RUN(k, {1, 2}, 32)`); those that stand between the brackets
// themselves edit/chevrons.h sees to.
#pragma once

#include <clang/Frontend/CompilerInstance.h>

#include <map>
#include <set>
#include <string>

#include "driver/places.h"
#include "driver/tokens.h"

namespace cui::driver {

/// Beginnings of something in front of which words are missing.
struct Beginnings {
  Places places;
  /// Those that a macro's argument names, as the macro's text has them, and what is in front of each there,
  /// as it has been met.
  std::set<clang::SourceLocation> expanded;
  std::map<clang::SourceLocation, clang::SourceLocation> inFront;
};

/// What Clang complained of, by where words may be missing.
struct Complaints {
  std::set<clang::SourceLocation> templates;   ///< members that may be templates, named without the word
  std::set<clang::SourceLocation> types;       ///< the beginnings of types that are named without `typename`
  std::set<clang::SourceLocation> members;     ///< the names of members of base classes
  std::set<clang::SourceLocation> bytes;       ///< the beginnings of pointers to void to which is added
  std::set<clang::SourceLocation> movedBytes;  ///< and of those that are changed so
  std::set<clang::SourceLocation> guides;      ///< deduction guides that only one side has
  std::set<clang::SourceLocation> objects;     ///< `this` in constants
  bool empty() const {
    return templates.empty() && types.empty() && members.empty() && bytes.empty() && movedBytes.empty() &&
           guides.empty() && objects.empty();
  }
};

/// Where the words are missing.
struct MissingWords {
  std::set<std::string> templates;  ///< names of members of objects
  Beginnings qualified;             ///< those that `A::` is in front of
  Beginnings types, bytes, movedBytes, guides;
  Places members;       ///< the names of members
  TokenPlaces objects;  ///< which constant_members.h is for
  /// How many beginnings and lists have been met.
  std::size_t met() const {
    return lists.size() + types.inFront.size() + bytes.inFront.size() + movedBytes.inFront.size() +
           guides.inFront.size();
  }
  /// Such lists by what is in front of them, as they have been met.
  std::map<clang::SourceLocation, clang::SourceLocation> lists;
};

/// Adds what Clang complained of. False if there is nothing new.
bool addMissingWords(const clang::CompilerInstance& compiler, const Complaints& complaints,
                     MissingWords& missing);

/// To be shown each token: has `template` read behind a `.` or `->` that one of the names with a `<` right
/// behind it follows, `typename` in front of the types, `this->` in front of the members, a cast in front of
/// the pointers, and the class's name in front of the lists, which are added to `missing` when they are met
/// for the first time.
class TemplateWords {
 public:
  /// `missing` must live as long as the parse.
  TemplateWords(clang::CompilerInstance& compiler, MissingWords& missing)
      : compiler_(compiler), missing_(missing) {}

  void operator()(const clang::Token& token);

 private:
  void insert(const Words& words, clang::SourceLocation place);
  bool isInFrontOfTemplate(const clang::Token& token) const;
  /// From the token's beginning to one of the places, right behind it; 0 if none is.
  unsigned distanceTo(const Places& places, const clang::Token& token) const;
  clang::SourceLocation behind(const clang::Token& token) const;
  void watchLaunch(const clang::Token& token);
  void insertInFrontOf(Beginnings& beginnings, const Words& words, const clang::Token& token);

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
