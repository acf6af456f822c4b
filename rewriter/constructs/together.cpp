#include "constructs/together.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>

#include "constructs/plain_value.h"
#include "constructs/quiet.h"
#include "constructs/use.h"

namespace cui::constructs {
namespace {

using clang::Expr;

/// What surrounds the operands of `x = …`, in the order of evaluation: the left side comes last.
const Expr& withoutFrame(const Expr& whole) {
  const Expr* expr = &whole;
  for (;;) {
    const Expr* inner = expr->IgnoreParenImpCasts();
    if (const auto* full = clang::dyn_cast<clang::FullExpr>(inner)) inner = full->getSubExpr();
    if (inner == expr) return *expr;
    expr = inner;
  }
}

/// The operators of the whole, which may write to memory last of all, but change nothing before.
bool isQuiet(const clang::Stmt& stmt, const clang::Stmt* last, const clang::SourceManager& manager) {
  if (clang::isa<clang::UnaryExprOrTypeTraitExpr, clang::PseudoObjectExpr, clang::ConstantExpr>(stmt))
    return true;
  const auto* expr = clang::dyn_cast<Expr>(&stmt);
  if (!expr) return false;
  if (!isQuietExpression(*expr, manager)) return false;
  if (const auto* call = clang::dyn_cast<clang::CallExpr>(expr);
      call && isPlainAssignment(*call) && expr != last)
    return false;
  if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(expr);
      unary && unary->isIncrementDecrementOp() && expr != last)
    return false;
  if (const auto* binary = clang::dyn_cast<clang::BinaryOperator>(expr);
      binary && (binary->getOpcode() == clang::BO_Comma || binary->isPtrMemOp() ||
                 (binary->isAssignmentOp() && expr != last)))
    return false;
  return std::all_of(stmt.child_begin(), stmt.child_end(),
                     [&](const clang::Stmt* child) { return !child || isQuiet(*child, last, manager); });
}

/// What is put in front of it by a comma leaves it what it is there.
bool acceptsComma(const Node& parent, const Expr& whole) {
  if (clang::isa<clang::InitListExpr>(withoutFrame(whole))) return false;  // braces are no operand
  const auto isNumber = [](clang::QualType type) { return type->isScalarType() || isToolkitNumber(type); };
  const bool number = whole.isPRValue() && isNumber(whole.getType());
  if (parent.decl) {
    const auto* variable = clang::dyn_cast<clang::VarDecl>(parent.decl);
    return variable && number && isNumber(variable->getType()) && variable->hasLocalStorage() &&
           !variable->isInitCapture() &&
           (variable->getType()->isScalarType() || variable->getInitStyle() == clang::VarDecl::CInit);
  }
  if (clang::isa<clang::ReturnStmt>(parent.stmt)) return number;
  if (clang::isa<clang::CompoundStmt, clang::ForStmt, clang::IfStmt, clang::WhileStmt, clang::DoStmt,
                 clang::SwitchStmt, clang::LabelStmt, clang::CaseStmt, clang::DefaultStmt,
                 clang::AttributedStmt>(parent.stmt))
    return true;
  return false;
}

}  // namespace

bool alwaysEvaluates(const Expr& parent, const Expr& child) {
  if (const auto* conditional = clang::dyn_cast<clang::ConditionalOperator>(&parent))
    return conditional->getCond() == &child;
  if (const auto* binary = clang::dyn_cast<clang::BinaryOperator>(&parent); binary && binary->isLogicalOp())
    return binary->getLHS() == &child;
  return true;
}

bool isTarget(const clang::Expr& access, const clang::Expr& whole) {
  const Expr& last = withoutFrame(whole);
  const Expr* target = nullptr;
  if (const auto* binary = clang::dyn_cast<clang::BinaryOperator>(&last); binary && binary->isAssignmentOp())
    target = binary->getLHS();
  else if (const auto* call = clang::dyn_cast<clang::CallExpr>(&last); call && isPlainAssignment(*call))
    target = call->getArg(0);
  return target && target->IgnoreParenImpCasts() == access.IgnoreParenImpCasts();
}

const clang::Expr* wholeAround(const clang::Expr& access, const Scope& scope) {
  if (scope.dependent() || !isPlainPlace(access)) return nullptr;
  const std::vector<Node>& path = scope.path;
  std::size_t at = scope.depthOf(access);
  const Expr* whole = &access;
  for (; at > 0; --at) {
    const Node& parent = path[at - 1];
    const auto* expr = parent.stmt ? clang::dyn_cast<Expr>(parent.stmt) : nullptr;
    if (!expr) {
      if (!acceptsComma(parent, *whole)) return nullptr;
      const auto [known, fresh] = scope.quiet.try_emplace(whole);
      if (fresh) known->second = isQuiet(*whole, &withoutFrame(*whole), scope.ranges.manager());
      return known->second ? whole : nullptr;
    }
    if (!alwaysEvaluates(*expr, *whole)) return nullptr;
    whole = expr;
  }
  return nullptr;
}

}  // namespace cui::constructs
