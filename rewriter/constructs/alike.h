// Accesses to shared memory that all blocks make alike: each thread comes there as often as its twins in the
// other blocks, and finds the same place in the block's memory. So one block can stand for all of them.
#pragma once

#include <clang/AST/Expr.h>

#include <optional>

#include "constructs/findings.h"
#include "constructs/scope.h"

namespace cui::constructs {

/// How CUI_ALIKE says it of the access; null if that cannot be said. The kernel's own code only: who calls a
/// function, and how often, is not looked for.
std::optional<LoopNumbers> alikeAround(const clang::Expr& access, const Scope& scope);

}  // namespace cui::constructs
