#include "constructs/together.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>

#include "constructs/plain_value.h"
#include "constructs/use.h"

namespace cui::constructs {
namespace {

using clang::Expr;

/// float4 = float4 and its kind.
bool isPlainAssignment(const clang::CallExpr& call) {
  const auto* assignment = clang::dyn_cast<clang::CXXOperatorCallExpr>(&call);
  const auto* method = clang::dyn_cast_or_null<clang::CXXMethodDecl>(call.getDirectCallee());
  return assignment && assignment->getOperator() == clang::OO_Equal && method && method->isTrivial();
}

bool isArithmetic(clang::QualType type) {
  type = type.getNonReferenceType();
  return type->isArithmeticType() && !type.isVolatileQualified();
}

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
  if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(&stmt);
      unary && unary->isIncrementDecrementOp() && &stmt != last)
    return false;
  if (const auto* binary = clang::dyn_cast<clang::BinaryOperator>(&stmt)) {
    if (binary->getOpcode() == clang::BO_Comma || binary->isPtrMemOp()) return false;
    if (binary->isAssignmentOp() && &stmt != last) return false;
  } else if (const auto* call = clang::dyn_cast<clang::CallExpr>(&stmt)) {
    if (!isQuietCall(*call, manager) && !(isPlainAssignment(*call) && &stmt == last)) return false;
  } else if (!clang::isa<clang::UnaryOperator, clang::ParenExpr, clang::CastExpr, clang::FullExpr,
                         clang::ArraySubscriptExpr, clang::MemberExpr, clang::DeclRefExpr, clang::CXXThisExpr,
                         clang::ConditionalOperator, clang::MaterializeTemporaryExpr,
                         clang::SubstNonTypeTemplateParmExpr, clang::IntegerLiteral, clang::FloatingLiteral,
                         clang::CharacterLiteral, clang::CXXBoolLiteralExpr, clang::CXXNullPtrLiteralExpr>(
                 stmt)) {
    return false;
  }
  return std::all_of(stmt.child_begin(), stmt.child_end(),
                     [&](const clang::Stmt* child) { return !child || isQuiet(*child, last, manager); });
}

/// What is put in front of it by a comma leaves it what it is there.
bool acceptsComma(const Node& parent, const Expr& whole) {
  const bool scalar = whole.isPRValue() && whole.getType()->isScalarType();
  if (parent.decl) {
    const auto* variable = clang::dyn_cast<clang::VarDecl>(parent.decl);
    return variable && scalar && variable->getType()->isScalarType() && variable->hasLocalStorage() &&
           !variable->isInitCapture();
  }
  if (clang::isa<clang::ReturnStmt>(parent.stmt)) return scalar;
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

bool isQuietCall(const clang::CallExpr& call, const clang::SourceManager& manager) {
  const clang::FunctionDecl* function = call.getDirectCallee();
  if (!function || !function->getDeclName().isIdentifier() || clang::isa<clang::CXXMethodDecl>(function))
    return false;
  if (!manager.isInSystemHeader(manager.getExpansionLoc(function->getLocation())) &&
      function->getBuiltinID() == 0)
    return false;
  const llvm::StringRef name = function->getName();
  for (const char* other : {"sync", "shfl", "ballot", "barrier", "fence", "sleep", "trap", "assert"})
    if (name.contains(other)) return false;
  return function->getNumParams() > 0 && isArithmetic(function->getReturnType()) &&
         std::all_of(function->param_begin(), function->param_end(),
                     [](const clang::ParmVarDecl* parameter) { return isArithmetic(parameter->getType()); });
}

bool isQuietMethod(const clang::CXXMethodDecl& method) {
  if (method.isTrivial()) return true;
  return isToolkitNumber(method.getFunctionObjectParameterType()) &&
         (clang::isa<clang::CXXConversionDecl>(method) ||
          (clang::isa<clang::CXXConstructorDecl>(method) && method.getNumParams() == 1 &&
           method.getParamDecl(0)->getType()->isArithmeticType()));
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
