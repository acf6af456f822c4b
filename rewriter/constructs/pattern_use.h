// What a template's pattern tells of a use that only an instantiation could decide: library code instantiates
// functors where nobody sees it.
#pragma once

#include <clang/AST/Expr.h>

#include "constructs/use.h"

namespace cui::constructs {

/// The innermost one that path[at] is in; null at the top.
const clang::FunctionDecl* functionAround(const std::vector<Node>& path, std::size_t at);

/// In the pattern, without the conversion that reads it in an instantiation: a pointer that is subscripted,
/// an index, a condition.
bool isReadInPattern(const clang::Stmt& parent, const clang::Expr& node);

/// Of a use that is unknown, what it most likely is. path[at] decided nothing of `node`, which is `access` or
/// around it; Use::unknown if there is nothing to tell by.
Use likelyUse(const std::vector<Node>& path, std::size_t at, const clang::Expr& node,
              const clang::Expr& access, const clang::ASTContext& ast);

}  // namespace cui::constructs
