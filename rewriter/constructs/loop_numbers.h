// Which time round its loops a place in a kernel is come to, in numbers that all blocks agree on: so that
// another block can account for each time.
#pragma once

#include <cstddef>

#include "constructs/findings.h"
#include "constructs/kernel_values.h"
#include "constructs/scope.h"
#include "constructs/tile_loop.h"

namespace cui::constructs {

/// Numbers that tell the times apart that all threads of a block come to path[at] together: variables of the
/// loops around it, which go round in all blocks alike, and which are the same for all threads that `values`
/// and `twins` compare.
LoopNumbers loopNumbers(const Scope& scope, std::size_t function, std::size_t at, const KernelValues& values,
                        const KernelValues& twins);
/// A tile as CUI_TILE has it; empty if its names mean something else at path[at].
std::string tileText(const Scope& scope, const TileLoop& tiles, std::size_t at);

}  // namespace cui::constructs
