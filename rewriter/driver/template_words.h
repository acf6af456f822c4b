// Member templates of dependent objects that are named without `template` (`x.f<0>(p)`): nvcc knows what the
// member is when the template is instantiated; Clang has compared it with the zero by then. The source is
// then parsed again as if the word were there.
#pragma once

#include <clang/Frontend/CompilerInstance.h>

#include <set>
#include <string>

namespace cui::driver {

/// Adds the names at these places. False if there is nothing new.
bool addTemplateNames(const clang::CompilerInstance& compiler, const std::set<clang::SourceLocation>& places,
                      std::set<std::string>& names);

/// To be shown each token: has `template` read behind a `.` or `->` that one of the names with a `<` right
/// behind it follows.
class TemplateWords {
 public:
  /// `names` must live as long as the parse.
  TemplateWords(clang::CompilerInstance& compiler, const std::set<std::string>& names)
      : compiler_(compiler), names_(names) {}

  void operator()(const clang::Token& token);

 private:
  bool isFollowed(const clang::Token& token) const;

  clang::CompilerInstance& compiler_;
  const std::set<std::string>& names_;
};

}  // namespace cui::driver
