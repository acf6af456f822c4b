// Accesses that can be recorded together, in front of the full expression that makes them all: `c[i] = a[i] +
// b[i]` is one call of the recorder instead of three, with one branch where recording is off.
#pragma once

#include <clang/AST/Expr.h>

#include <optional>
#include <vector>

#include "constructs/scope.h"

namespace cui::constructs {

/// The full expression around the access `access`, which is a node of the path: what is said in front of it
/// is as if it were said at the access. Its place can be computed there once more, since nothing that is
/// evaluated before the access changes it; the access is made whenever the whole is evaluated; no other code,
/// which might make accesses of its own or wait for other threads, runs in between. Null if there is none.
const clang::Expr* wholeAround(const clang::Expr& access, const Scope& scope);

/// The variables that the full expression assigns to on its way, before what it does last of all; none: it
/// does more than that, or runs other code.
const std::optional<std::vector<const clang::VarDecl*>>& assignedOnTheWay(const clang::Expr& whole,
                                                                          const Scope& scope);
/// What the full expression assigns to, or increments, last of all; null: nothing.
const clang::Expr* lastTarget(const clang::Expr& whole);
/// The statement names one of these.
bool mentions(const clang::Stmt& stmt, const std::vector<const clang::VarDecl*>& variables);
/// A variable of such a type can be initialised by an expression with a comma in front of it.
bool isNumberOrPointer(clang::QualType type);

/// `parent` evaluates its operand `child` whenever it is evaluated itself.
bool alwaysEvaluates(const clang::Expr& parent, const clang::Expr& child);

/// The access is what `whole` assigns to: last in the order of evaluation.
bool isTarget(const clang::Expr& access, const clang::Expr& whole);

}  // namespace cui::constructs
