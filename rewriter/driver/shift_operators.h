// `operator<<` in front of its template's arguments (`operator<<<int>(x)`), which Clang reads as a launch's
// brackets and nvcc does not.
#pragma once

#include <clang/Frontend/CompilerInstance.h>

namespace cui::driver {

/// To be shown each token: has the brackets behind an `operator` read as C++ has them.
class ShiftOperators {
 public:
  explicit ShiftOperators(clang::CompilerInstance& compiler) : compiler_(compiler) {}

  void operator()(const clang::Token& token);

 private:
  clang::CompilerInstance& compiler_;
  bool asInCpp_ = false;  ///< the token at hand is to be read so
};

}  // namespace cui::driver
