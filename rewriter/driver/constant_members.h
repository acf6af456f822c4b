// Static members that are named by `this` where a constant is wanted (`if constexpr (this->has_payload)`,
// `constexpr int n = this->size();`). Other compilers do not ask which object that is; to Clang such a `this`
// is no constant. The source is then parsed again with the members named by their class.
#pragma once

#include <clang/Frontend/CompilerInstance.h>

#include <vector>

#include "driver/places.h"

namespace cui::driver {

/// To be shown each token: has a `this->` at one of the places read as `Class::`.
class ConstantMembers {
 public:
  /// `places` must live as long as the parse.
  ConstantMembers(clang::CompilerInstance& compiler, const TokenPlaces& places)
      : compiler_(compiler), places_(places) {}

  void operator()(const clang::Token& token);

 private:
  clang::CompilerInstance& compiler_;
  const TokenPlaces& places_;
  bool named_ = false;  ///< the token before was such a `this`
};

/// The `this` in an array's sizes of which one is no constant to Clang (`int a[this->size()] = {…};`), from
/// the first of them on. The note that tells of others comes with a warning there.
std::vector<clang::SourceLocation> objectsInSizes(const clang::SourceManager& manager,
                                                  clang::SourceLocation place,
                                                  const clang::LangOptions& language);

/// Defines what the class is called: to be included before the source.
extern const char* const constantMemberHeader;

}  // namespace cui::driver
