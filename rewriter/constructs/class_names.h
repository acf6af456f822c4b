// How the code at hand can name a class that a form must name.
#pragma once

#include <clang/AST/Expr.h>

#include <string>

#include "constructs/scope.h"

namespace cui::constructs {

/// A class's name; "" if the code here has none for it: it is another function's own, or private.
std::string nameHere(clang::QualType type, const Scope& scope);

/// The same of any type.
std::string typeHere(clang::QualType type, const Scope& scope);

/// What is in front of the name in `T::x` and `p->T::x`, as a type. "" if there is nothing, or nothing that
/// would be found without the object.
std::string classInFront(const clang::MemberExpr& member, const Scope& scope);

}  // namespace cui::constructs
