// Loops whose accesses can be recorded in front of them: `for (int k = 0; k < n; ++k) sum += a[k] * b[k * w]`
// is one call of the recorder instead of n. The source shows that the places advance evenly from one time
// round to the next, and that nothing else happens in between; the recorder makes sure of what only numbers
// tell.
#pragma once

#include <clang/AST/Expr.h>

#include <vector>

#include "constructs/scope.h"

namespace cui::constructs {

/// The loops around `access`, which is a node of the path and written at `text`, from inside, that are of the
/// kind above and every time round which makes this access once, or once each time round the loops in between
/// (inner_loop.h). Other accesses in them may still forbid it. `alike`: see alike.h.
std::vector<LoopSeen> loopsAround(const clang::Expr& access, const Span& text, bool alike,
                                  const Scope& scope);

}  // namespace cui::constructs
