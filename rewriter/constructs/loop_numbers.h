// Which time round its loops a place in a kernel is come to, in numbers that all blocks agree on: so that
// another block can account for each time.
#pragma once

#include <cstddef>

#include "constructs/findings.h"
#include "constructs/scope.h"

namespace cui::constructs {

/// Numbers that tell the times apart that all threads of a block come to path[at] together: variables of the
/// loops around it, which go round in all blocks alike.
LoopNumbers loopNumbers(const Scope& scope, std::size_t function, std::size_t at);

}  // namespace cui::constructs
