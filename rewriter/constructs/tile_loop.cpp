#include "constructs/tile_loop.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>

#include "constructs/degrees.h"
#include "constructs/kernel_values.h"
#include "constructs/loop_head.h"
#include "constructs/plain_value.h"

namespace cui::constructs {
namespace {

using clang::Expr;
using clang::Stmt;

bool isIndex(const Expr* value, llvm::StringRef name) {
  const auto* index =
      value ? clang::dyn_cast<clang::PseudoObjectExpr>(value->IgnoreParenImpCasts()) : nullptr;
  if (!index) return false;
  const ThreadIndexName of = indexOf(*index);
  return of.name == name && of.coordinate == "x";
}

/// A jump out of the statement that is not a return: in a loop of its own, or a `switch`, it leads there.
bool jumpsOut(const Stmt& stmt, bool breaks = true, bool continues = true) {
  if (clang::isa<clang::LambdaExpr>(stmt)) return false;
  if (clang::isa<clang::BreakStmt>(stmt)) return breaks;
  if (clang::isa<clang::ContinueStmt>(stmt)) return continues;
  const bool isLoop =
      clang::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(stmt);
  if (isLoop) breaks = continues = false;
  if (clang::isa<clang::SwitchStmt>(stmt)) breaks = false;
  return std::any_of(stmt.child_begin(), stmt.child_end(),
                     [=](const Stmt* child) { return child && jumpsOut(*child, breaks, continues); });
}

/// It is the same whenever it is evaluated.
bool isSettled(const Stmt& value, const KernelValues& values) {
  const auto* name = clang::dyn_cast<clang::DeclRefExpr>(&value);
  const auto* variable = name ? clang::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  if (variable && variable->hasLocalStorage()) {
    if (!values.isConstant(*variable) || !values.isOwn(*variable)) return false;
    const Expr* init = clang::isa<clang::ParmVarDecl>(variable) ? nullptr : initOf(*variable);
    if (init ? !isSettled(*init, values) : !clang::isa<clang::ParmVarDecl>(variable)) return false;
  }
  return std::all_of(value.child_begin(), value.child_end(),
                     [&](const Stmt* child) { return !child || isSettled(*child, values); });
}

bool sharesOutTiles(const clang::ForStmt& loop, const Scope& scope, TileLoop& found) {
  const std::optional<LoopHead> head = headOf(loop);
  const auto* declaration = clang::dyn_cast_or_null<clang::DeclStmt>(loop.getInit());
  if (!head || !declaration || !isIndex(head->first, "blockIdx") || !isIndex(head->step, "gridDim") ||
      head->down || head->relation != clang::BO_LT || !head->others.empty() || loop.getConditionVariable())
    return false;
  const KernelValues* const twins = gpuValuesOf(scope, Among::twins, &loop);
  if (!twins || !twins->isUniform(*head->bound) || !isSettled(*head->bound, *twins) ||
      !valuesOf(scope, Among::block)->isUniform(*head->bound) || !twins->isOwn(*head->variable) ||
      jumpsOut(*loop.getBody()) || twins->canReturn(*loop.getBody()))
    return false;
  for (const Assignment& one : twins->assignmentsIn(*loop.getBody()))
    if (one.variable == head->variable) return false;
  found.loop = &loop;
  found.tile = head->variable;
  found.tiles = head->bound;
  return true;
}

}  // namespace

std::optional<TileLoop> tileLoopAround(const Scope& scope, std::size_t function, std::size_t at) {
  TileLoop found;
  for (std::size_t i = function + 1; i < at; ++i) {
    const auto* loop = clang::dyn_cast_or_null<clang::ForStmt>(scope.path[i].stmt);
    if (!loop || scope.path[i + 1].stmt != loop->getBody() || !sharesOutTiles(*loop, scope, found)) continue;
    found.at = i;
    return found;
  }
  return std::nullopt;
}

}  // namespace cui::constructs
