#include "constructs/loop_numbers.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>
#include <set>

#include "constructs/kernel_values.h"

namespace cui::constructs {
namespace {

using clang::Expr;
using clang::Stmt;

/// Whether another variable of that name, declared from path[from] on, is nearer to path[at].
bool isHidden(const clang::VarDecl& variable, const Scope& scope, std::size_t from, std::size_t at) {
  const auto hides = [&](const Stmt* child) {
    const auto* declaration = clang::dyn_cast_or_null<clang::DeclStmt>(child);
    return declaration &&
           std::any_of(declaration->decl_begin(), declaration->decl_end(), [&](const clang::Decl* one) {
             const auto* named = clang::dyn_cast<clang::NamedDecl>(one);
             return named && named != &variable && named->getDeclName() == variable.getDeclName();
           });
  };
  for (; from < at; ++from) {
    const Stmt* stmt = scope.path[from].stmt;
    if (stmt && std::any_of(stmt->child_begin(), stmt->child_end(), hides)) return true;
  }
  return false;
}

}  // namespace

LoopNumbers loopNumbers(const Scope& scope, std::size_t function, std::size_t at, const KernelValues& values,
                        const KernelValues& twins) {
  LoopNumbers names;
  std::set<const clang::VarDecl*> found;
  const auto add = [&](const auto& self, const Stmt& stmt, std::size_t loop) -> void {
    const auto* name = clang::dyn_cast<clang::DeclRefExpr>(&stmt);
    const auto* variable = name ? clang::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
    if (variable && variable->hasLocalStorage() && variable->getType()->isIntegerType() &&
        !values.isConstant(*variable) && values.isSame(*variable) && twins.isSame(*variable) &&
        variable->getDeclName().isIdentifier() && !isHidden(*variable, scope, loop, at))
      found.insert(variable);
    for (const Stmt* child : stmt.children())
      if (child) self(self, *child, loop);
  };
  for (std::size_t i = function + 1; i < at; ++i) {
    const Expr* condition = nullptr;
    const Stmt* body = nullptr;
    if (!scope.path[i].stmt || !findLoop(*scope.path[i].stmt, condition, body)) continue;
    names.outer = names.all();
    names.inner.clear();
    found.clear();
    if (condition) add(add, *condition, i);
    for (const clang::VarDecl* variable : found) names.inner.push_back(variable->getName().str());
    std::sort(names.inner.begin(), names.inner.end());
  }
  return names;
}

std::string tileText(const Scope& scope, const TileLoop& tiles, std::size_t at) {
  const auto isSeen = [&](const auto& self, const Stmt& stmt) -> bool {
    const auto* name = clang::dyn_cast<clang::DeclRefExpr>(&stmt);
    const auto* variable = name ? clang::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
    if (variable && isHidden(*variable, scope, tiles.at, at)) return false;
    return std::all_of(stmt.child_begin(), stmt.child_end(),
                       [&](const Stmt* child) { return !child || self(self, *child); });
  };
  const std::string count = scope.ranges.line(tiles.tiles->getSourceRange());
  if (count.empty() || !tiles.tile->getDeclName().isIdentifier() ||
      isHidden(*tiles.tile, scope, tiles.at, at) || !isSeen(isSeen, *tiles.tiles))
    return "";
  return "CUI_TILE(" + tiles.tile->getName().str() + ", " + count + ")";
}

}  // namespace cui::constructs
