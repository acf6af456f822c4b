// Accesses that all threads of a row of the grid (blocks that differ in blockIdx.x only) make alike, so that
// one warp can account for all of them: each thread comes there once, if conditions hold that other threads'
// can be told from, and the place is a sum of what is the same in the row and multiples of coordinates.
#pragma once

#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <optional>

#include "constructs/findings.h"
#include "constructs/scope.h"

namespace cui::constructs {

/// How CUI_BY_ROW says it of the access, or of the full expression around it that always makes it
/// (wholeAround()). Null if that cannot be said. In loops that all threads of the row go round alike another
/// block accounts for each time round, so that none is waited for; there are no guards there.
std::optional<RowSeen> rowAround(const clang::Expr& access, const Scope& scope);

/// The same of all times round a loop, the innermost around the access, which is scope.path[at] and of a kind
/// that can be recorded in front of it (loop.h).
std::optional<RowSeen> loopRow(const clang::ForStmt& loop, std::size_t at, const clang::Expr& access,
                               const Scope& scope);

/// The threads of a warp go round the loop equally often, nearly always, as their indices and what the kernel
/// was launched with tell; it stands in the kernel itself.
bool isSteady(const clang::ForStmt& loop, const Scope& scope);
/// What a kernel calls changes none of its variables that are named there: nobody else has their addresses.
bool hasOwnVariables(const clang::Stmt& statement, const Scope& scope);

}  // namespace cui::constructs
