// One walk over the whole translation unit that shows every node of the user's code to every construct.
#pragma once

#include "constructs/construct.h"

namespace cui::constructs {

/// Fills `findings`. Template patterns and all their instantiations are visited.
void walk(clang::ASTContext& ast, const Ranges& ranges, Settings settings, Findings& findings);

}  // namespace cui::constructs
