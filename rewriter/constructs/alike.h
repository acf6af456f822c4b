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
/// In a loop over tiles (tile_loop.h) it is that for all tiles, each of which one block has.
std::optional<LoopNumbers> alikeAround(const clang::Expr& access, const Scope& scope);
/// The numbers of all blocks, without tiles, that tell apart when path[at] is come to.
LoopNumbers alikeNumbers(const Scope& scope, std::size_t function, std::size_t at);

}  // namespace cui::constructs
