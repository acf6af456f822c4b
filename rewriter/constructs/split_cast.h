// An access that begins behind a cast in a macro's argument, `(T)p[i]`, and ends in the macro's text, `A.x`:
// only with the cast in front it is a text that can be wrapped, and CUI_CAST takes that off again.
#pragma once

#include <clang/AST/Expr.h>

#include "constructs/scope.h"

namespace cui::constructs {

/// The text of such a cast; with a reason where it is none.
Resolved splitCast(const clang::CStyleCastExpr& cast, const Scope& scope);
/// The same of the cast around `object`, which is the current node and is loaded for it.
Resolved splitCastAround(const clang::Expr& object, const Scope& scope);

}  // namespace cui::constructs
