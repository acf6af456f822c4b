// Loops by which the blocks of a grid share out numbers, each number one block's:
// `for (t = blockIdx.x; t < tiles; t += gridDim.x)`.
#pragma once

#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <cstddef>
#include <optional>

#include "constructs/scope.h"

namespace cui::constructs {

struct TileLoop {
  const clang::ForStmt* loop = nullptr;
  const clang::VarDecl* tile = nullptr;
  const clang::Expr* tiles = nullptr;  ///< how many there are: the same for all threads, and all the time
  std::size_t at = 0;                  ///< the loop is scope.path[at]
};

/// The outermost such loop between path[function] and path[at], which is in its body. All of its numbers are
/// somebody's: nobody leaves it before it ends, nor changes what it counts by.
std::optional<TileLoop> tileLoopAround(const Scope& scope, std::size_t function, std::size_t at);

}  // namespace cui::constructs
