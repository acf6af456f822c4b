// Accesses of consecutive statements of a block that can be recorded together, in front of the first of them:
// `x[i] += dx; y[i] += dy;` is one call of the recorder instead of two.
//
// An access can be recorded in front of an earlier full expression, as if that were said at the access, if
//  - both are statements of the same block, or initialise variables that it declares, and so is all that is
//    in between, in the file itself, with nothing but blanks, comments and semicolons between them: no label,
//    no directive, no macro that might be something else elsewhere;
//  - whoever comes to the one comes to the other, and nothing else happens on the way: operators, the
//    toolkit's arithmetic, writing to memory last of all in each statement (together.h, quiet.h); no volatile
//    object;
//  - its place, which is plain (plain_value.h), names nothing that is declared or assigned to on the way, and
//    of what it reads to be computed nobody else has the address: else writing to memory might change it.
// Nor where numbers in memory decide which lanes come there: what is for parts of warps takes longer
// together. In the order of their evaluation these are the same records as before. That holds as long as no
// other access is recorded in between (driver/runs.h).
//
// Not for the CPU backend: there a record is also where lanes take turns (CUINSTRUMENT_CPU_LOCKSTEP), so that
// one statement's store is made in all of them before the next one's load, and the last record tells which
// access has failed. Nor are there calls to save.
#pragma once

#include <clang/AST/Expr.h>

#include <vector>

#include "constructs/scope.h"

namespace cui::constructs {

/// The full expressions in front of which `access` can be recorded besides `whole`, which is wholeAround()
/// it; nearest first.
std::vector<Span> wholesBefore(const clang::Expr& access, const clang::Expr& whole, const Scope& scope);

}  // namespace cui::constructs
