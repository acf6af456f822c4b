// Loops whose accesses can be recorded in front of them: `for (int k = 0; k < n; ++k) sum += a[k] * b[k * w]`
// is one call of the recorder instead of n. The source shows that the places advance evenly from one time
// round to the next, and that nothing else happens in between; the recorder makes sure of what only numbers
// tell.
#pragma once

#include <clang/AST/Expr.h>

#include <optional>

#include "constructs/scope.h"

namespace cui::constructs {

/// The innermost loop around `access`, which is a node of the path, if every time round makes this access
/// once and the loop is of the kind above. Other accesses in it may still forbid it.
std::optional<LoopSeen> loopAround(const clang::Expr& access, const Scope& scope);

/// How CUI_LOOP_BY_ROW says it of the access, for which loopAround() has found a loop: all threads of a row
/// of the grid (grid_row.h) go round it equally often. Null if that cannot be said.
std::optional<RowSeen> loopRowAround(const clang::Expr& access, const Scope& scope);

}  // namespace cui::constructs
