// Accesses that can be recorded together, in front of the full expression that makes them all: `c[i] = a[i] +
// b[i]` is one call of the recorder instead of three, with one branch where recording is off.
#pragma once

#include <clang/AST/Expr.h>

#include "constructs/scope.h"

namespace cui::constructs {

/// The full expression around the access `access`, which is a node of the path: what is said in front of it
/// is as if it were said at the access. Its place can be computed there once more, since nothing that is
/// evaluated before the access changes it; the access is made whenever the whole is evaluated; no other code,
/// which might make accesses of its own or wait for other threads, runs in between. Null if there is none.
const clang::Expr* wholeAround(const clang::Expr& access, const Scope& scope);

/// `parent` evaluates its operand `child` whenever it is evaluated itself.
bool alwaysEvaluates(const clang::Expr& parent, const clang::Expr& child);

/// The access is what `whole` assigns to: last in the order of evaluation.
bool isTarget(const clang::Expr& access, const clang::Expr& whole);

}  // namespace cui::constructs
