// Functions that are there to be asked, not called: `declval`, and those of a trait whose signatures say
// whether a type has a member. To nvcc they are for both sides. To Clang they are the host's, and find no
// member that is `__device__`, without a word: another overload is chosen, or none.
#pragma once

#include <clang/AST/ASTContext.h>

namespace cui::driver {

/// For `declval` of a namespace that ends here.
void askOnBothSides(const clang::NamespaceDecl& ended);

/// For the functions of a class that ends here, if it is such a trait.
void askOnBothSides(const clang::RecordDecl& ended);

}  // namespace cui::driver
