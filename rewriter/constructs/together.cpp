#include "constructs/together.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>
#include <optional>
#include <vector>

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

/// A variable of the thread's own; null if it is none, or another name for something.
const clang::VarDecl* ownVariable(const Expr& expr) {
  const auto* name = clang::dyn_cast<clang::DeclRefExpr>(expr.IgnoreParens());
  const auto* variable = name ? clang::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  return variable && variable->hasLocalStorage() && !name->refersToEnclosingVariableOrCapture() &&
                 variable->getType()->isScalarType() && !variable->getType().isVolatileQualified()
             ? variable
             : nullptr;
}

using Variables = std::vector<const clang::VarDecl*>;

/// What the whole does. It may write to memory last of all; before, only to `assigned`.
class Quiet {
 public:
  Quiet(const Expr& whole, const clang::SourceManager& manager)
      : last_(&withoutFrame(whole)), manager_(manager), quiet_(look(whole)) {}
  std::optional<Variables> assigned() const { return quiet_ ? std::optional(assigned_) : std::nullopt; }

 private:
  bool look(const clang::Stmt& stmt) {
    if (clang::isa<clang::UnaryExprOrTypeTraitExpr, clang::PseudoObjectExpr, clang::ConstantExpr>(stmt))
      return true;
    const auto* expr = clang::dyn_cast<Expr>(&stmt);
    if (!expr || !isQuietExpression(*expr, manager_) || !keeps(*expr)) return false;
    return std::all_of(stmt.child_begin(), stmt.child_end(),
                       [&](const clang::Stmt* child) { return !child || look(*child); });
  }

  bool keeps(const Expr& expr) {
    if (const auto* call = clang::dyn_cast<clang::CallExpr>(&expr))
      return !isPlainAssignment(*call) || &expr == last_;
    if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(&expr))
      return !unary->isIncrementDecrementOp() || &expr == last_;
    const auto* binary = clang::dyn_cast<clang::BinaryOperator>(&expr);
    if (!binary) return true;
    if (binary->getOpcode() == clang::BO_Comma || binary->isPtrMemOp()) return false;
    if (!binary->isAssignmentOp() || &expr == last_) return true;
    const clang::VarDecl* variable = ownVariable(*binary->getLHS());
    if (variable) assigned_.push_back(variable);
    return variable != nullptr;
  }

  const Expr* last_;
  const clang::SourceManager& manager_;
  Variables assigned_;
  bool quiet_;
};

/// What is put in front of it by a comma leaves it what it is there.
bool acceptsComma(const Node& parent, const Expr& whole) {
  if (clang::isa<clang::InitListExpr>(withoutFrame(whole))) return false;  // braces are no operand
  const bool number = whole.isPRValue() && isNumberOrPointer(whole.getType());
  if (parent.decl) {
    const auto* variable = clang::dyn_cast<clang::VarDecl>(parent.decl);
    return variable && number && isNumberOrPointer(variable->getType()) && variable->hasLocalStorage() &&
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

bool isNumberOrPointer(clang::QualType type) {
  return type->isScalarType() || isToolkitNumber(type);
}

bool mentions(const clang::Stmt& stmt, const Variables& variables) {
  const auto* name = clang::dyn_cast<clang::DeclRefExpr>(&stmt);
  if (name && std::find(variables.begin(), variables.end(), name->getDecl()) != variables.end()) return true;
  return std::any_of(stmt.child_begin(), stmt.child_end(),
                     [&](const clang::Stmt* child) { return child && mentions(*child, variables); });
}

const std::optional<Variables>& assignedOnTheWay(const Expr& whole, const Scope& scope) {
  const auto [known, fresh] = scope.quiet.try_emplace(&whole);
  if (fresh) known->second = Quiet(whole, scope.ranges.manager()).assigned();
  return known->second;
}

const Expr* lastTarget(const Expr& whole) {
  const Expr& last = withoutFrame(whole);
  if (const auto* binary = clang::dyn_cast<clang::BinaryOperator>(&last))
    return binary->isAssignmentOp() ? binary->getLHS() : nullptr;
  if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(&last))
    return unary->isIncrementDecrementOp() ? unary->getSubExpr() : nullptr;
  const auto* call = clang::dyn_cast<clang::CallExpr>(&last);
  return call && isPlainAssignment(*call) ? call->getArg(0) : nullptr;
}

bool alwaysEvaluates(const Expr& parent, const Expr& child) {
  if (const auto* conditional = clang::dyn_cast<clang::ConditionalOperator>(&parent))
    return conditional->getCond() == &child;
  if (const auto* binary = clang::dyn_cast<clang::BinaryOperator>(&parent); binary && binary->isLogicalOp())
    return binary->getLHS() == &child;
  return true;
}

bool isTarget(const clang::Expr& access, const clang::Expr& whole) {
  const Expr* target = lastTarget(whole);
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
      const std::optional<Variables>& assigned = assignedOnTheWay(*whole, scope);
      return assigned && !mentions(access, *assigned) ? whole : nullptr;
    }
    if (!alwaysEvaluates(*expr, *whole)) return nullptr;
    whole = expr;
  }
  return nullptr;
}

}  // namespace cui::constructs
