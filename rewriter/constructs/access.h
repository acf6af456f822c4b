// What all access constructs share: from an expression that names an object to a recorded access.
#pragma once

#include "constructs/scope.h"

namespace cui::constructs {

/// Adds the access that the current node (scope.path.back(), which names an object) makes, if it makes one.
void reportAccess(const clang::Expr& expr, Scope& scope);

/// Fills what a site says beyond place, kind and status. `accessed` has the accessed type.
sites::Site describeSite(const clang::Expr& expr, clang::QualType accessed, const Scope& scope);

/// Why a reference cannot be bound to that glvalue; "" if it can.
std::string whyNotBindable(const clang::Expr& glvalue);

}  // namespace cui::constructs
