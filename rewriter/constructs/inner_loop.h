// Loops in a loop that is recorded in front of it (loop.h): one that goes round a few times, as the source
// says, makes as many places of each that is written in it.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

#include <set>
#include <string>
#include <vector>

#include "constructs/findings.h"
#include "constructs/scope.h"

namespace cui::constructs {

struct InnerLoop {
  Span span;
  const clang::VarDecl* variable = nullptr;
  std::vector<std::string> values;  ///< literals of its type
};

/// Null if the source does not say what its variable is each time round, or if that is too often. Looked at
/// once.
const InnerLoop* innerLoop(const clang::ForStmt& loop, const Scope& scope);

std::set<const clang::VarDecl*> variablesOf(const std::vector<const InnerLoop*>& loops);

}  // namespace cui::constructs
