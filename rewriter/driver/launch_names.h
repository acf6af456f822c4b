// Kernels that only the namespaces of a launch's arguments have (`clear<<<1, 1>>>(field)` of a kernel beside
// the class of `field`). nvcc looks there as for any call; Clang does so for names that a parenthesis
// follows, and calls these unknown, or finds no candidate. The source is then parsed again, and they are
// looked up so.
#pragma once

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Sema/Sema.h>

#include <set>

#include "driver/places.h"

namespace cui::driver {

struct LaunchNames {
  TokenPlaces unknown;                  ///< those to be looked up so
  TokenPlaces templates;                ///< those that template arguments follow
  std::set<clang::SourceLocation> met;  ///< all that stand in front of a launch's brackets, as they are met
};

/// Adds the names of launches that Clang does not know, or knows no candidate by, and unknown ones that
/// template arguments follow. False if there is nothing new.
bool addLaunchNames(const clang::CompilerInstance& compiler, const std::set<clang::SourceLocation>& unknown,
                    const std::set<clang::SourceLocation>& withoutCandidates, LaunchNames& names);

/// To be shown each token: makes the unknown names what Clang takes names in front of a parenthesis for.
class LaunchNameWatcher {
 public:
  /// `names` must live as long as the parse.
  LaunchNameWatcher(clang::CompilerInstance& compiler, LaunchNames& names)
      : compiler_(compiler), names_(names) {}

  void operator()(const clang::Token& token);

 private:
  clang::Token annotated(const clang::Token& name) const;

  clang::CompilerInstance& compiler_;
  LaunchNames& names_;
  clang::SourceLocation name_;  ///< the token before, if it is a name
};

/// Has Clang find the kernel templates of all namespaces by those names, to which it must know the template
/// arguments to belong before it has seen the launch's. `names` must live as long as the parse.
void findTemplatesElsewhere(clang::Sema& sema, const LaunchNames& names);

}  // namespace cui::driver
