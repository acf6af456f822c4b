#include "constructs/grid_row.h"

#include <clang/AST/ASTContext.h>

#include <algorithm>

#include "constructs/kernel_values.h"
#include "constructs/loop_shape.h"
#include "constructs/plain_value.h"
#include "constructs/row_gathering.h"
#include "cuinstrument/format/record.h"

namespace cui::constructs {
namespace {

using clang::Expr;

}  // namespace

std::optional<RowSeen> rowAround(const Expr& access, const Scope& scope) {
  const KernelValues* const values = gpuValuesOf(scope, Among::row);
  if (!values || !isPlainPlace(access) ||
      scope.ast.getTypeSizeInChars(access.getType()).getQuantity() > format::maxTogetherBytes)
    return std::nullopt;
  const std::size_t function = scope.depthOfFunction(), at = scope.depthOf(access);
  if (at <= function) return std::nullopt;
  RowGathering gathering(*values, scope);
  RowSeen seen;
  if (!gathering.findGuards(function, at) || values->degreeOfPlaceNow(access, gathering.now()) > 1 ||
      !gathering.addGuards(seen) || !gathering.addPlace(access, seen) ||
      !gathering.addNumbers(function, at, seen))
    return std::nullopt;
  gathering.addSurroundings(function, at, seen);
  return seen;
}

std::optional<RowSeen> loopRow(const clang::ForStmt& loop, std::size_t at, const Expr& access,
                               const Scope& scope) {
  const KernelValues* const values = gpuValuesOf(scope, Among::row);
  const std::optional<LoopHead> head = headOf(loop);
  const std::size_t function = scope.depthOfFunction();
  if (!values || !head || !head->first || head->relation == clang::BO_NE || at <= function ||
      scope.ast.getTypeSizeInChars(access.getType()).getQuantity() > format::maxTogetherBytes ||
      (head->step && !values->isUniform(*head->step)))
    return std::nullopt;
  RowSeen seen;
  RowGathering gathering(*values, scope);
  if (!gathering.findGuards(function, at) || !gathering.addGuards(seen)) return std::nullopt;
  // How often a thread goes round is a sum of coordinates, too, as far as that is the same.
  unsigned coordinates = 0;
  for (const Expr* bound : {head->first, head->bound}) {
    if (!isPlainValue(*bound) || values->degree(*bound) > 1 || !gathering.addPlace(*bound, seen))
      return std::nullopt;
    coordinates |= values->coordinatesOf(*bound);
    if (values->degree(*bound) == 1 && seen.corners == 0) seen.corners = 2;
  }
  if ((coordinates & (coordinates - 1)) != 0) seen.corners = 8;
  if (head->step && !gathering.addPlace(*head->step, seen)) return std::nullopt;
  gathering.enter(loop);
  if (values->degreeOfPlaceIn(*head->variable, *head->first, access, gathering.now()) > 1 ||
      !gathering.addPlace(access, seen) || !gathering.addNumbers(function, at, seen))
    return std::nullopt;
  return seen;
}

bool isSteady(const clang::ForStmt& loop, const Scope& scope) {
  constexpr std::uint64_t widthOfWarp = 32;
  const KernelValues* const values = valuesOf(scope, Among::row);
  const std::optional<LoopHead> head = headOf(loop);
  if (!values || !head || !head->first) return false;
  const auto isOfIndices = [values](const Expr& value) {
    return isPlainValue(value) && values->degree(value) <= 1;
  };
  if (!isOfIndices(*head->first) || !isOfIndices(*head->bound) || (head->step && !isOfIndices(*head->step)))
    return false;
  if ((values->coordinatesOf(*head->first) | values->coordinatesOf(*head->bound)) == 0) return true;
  // Neighbours begin or end side by side: by few steps that is as many times.
  Expr::EvalResult step;
  return head->step && (!head->step->EvaluateAsInt(step, scope.ast) ||
                        step.Val.getInt().abs().getLimitedValue() >= widthOfWarp);
}

bool hasOwnVariables(const clang::Stmt& statement, const Scope& scope) {
  const KernelValues* const values = valuesOf(scope, Among::row);
  if (!values) return false;
  const auto* name = clang::dyn_cast<clang::DeclRefExpr>(&statement);
  const auto* variable = name ? clang::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  if (variable && variable->hasLocalStorage() && !values->isOwn(*variable)) return false;
  return std::all_of(statement.child_begin(), statement.child_end(),
                     [&](const clang::Stmt* child) { return !child || hasOwnVariables(*child, scope); });
}

}  // namespace cui::constructs
