#include "constructs/loop_head.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>

#include "constructs/degrees.h"
#include "constructs/plain_value.h"

namespace cui::constructs {

using clang::Expr;

bool canCount(const clang::VarDecl& variable) {
  const clang::QualType type = variable.getType();
  return variable.hasLocalStorage() && type->isIntegerType() && !type->isEnumeralType() &&
         !type.isVolatileQualified() && !type->isReferenceType() &&
         variable.getASTContext().getTypeSize(type) >= 32 &&
         clang::isa<clang::BuiltinType>(type.getCanonicalType().getUnqualifiedType().getTypePtr());
}

std::optional<Advance> advanceOf(const Expr& expr) {
  Advance advance;
  const Expr* increment = expr.IgnoreParens();
  if (const auto* full = clang::dyn_cast<clang::FullExpr>(increment)) increment = full->getSubExpr();
  if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(increment)) {
    advance.down = unary->isDecrementOp();
    advance.variable = unary->isIncrementDecrementOp() ? variableIn(*unary->getSubExpr()) : nullptr;
    return advance.variable ? std::optional(advance) : std::nullopt;
  }
  const auto* binary = clang::dyn_cast<clang::BinaryOperator>(increment);
  advance.variable = binary ? variableIn(*binary->getLHS()) : nullptr;
  if (!advance.variable) return std::nullopt;
  advance.down = binary->getOpcode() == clang::BO_SubAssign;
  advance.step = binary->getRHS();
  if (binary->getOpcode() == clang::BO_Assign) {
    binary = clang::dyn_cast<clang::BinaryOperator>(binary->getRHS()->IgnoreParenImpCasts());
    if (!binary || !binary->isAdditiveOp() || variableIn(*binary->getLHS()) != advance.variable)
      return std::nullopt;
    advance.down = binary->getOpcode() == clang::BO_Sub;
    advance.step = binary->getRHS();
  } else if (binary->getOpcode() != clang::BO_AddAssign && !advance.down) {
    return std::nullopt;
  }
  return isPlainValue(*advance.step) ? std::optional(advance) : std::nullopt;
}

namespace {

bool findStart(const clang::Stmt* init, LoopHead& head) {
  if (!init) return true;
  if (const auto* declaration = clang::dyn_cast<clang::DeclStmt>(init)) {
    if (!declaration->isSingleDecl()) return false;
    head.variable = clang::dyn_cast<clang::VarDecl>(declaration->getSingleDecl());
    head.first = head.variable ? initOf(*head.variable) : nullptr;
    return head.first && isPlainValue(*head.first);
  }
  const auto* assignment = clang::dyn_cast<clang::BinaryOperator>(init);
  if (!assignment || assignment->getOpcode() != clang::BO_Assign) return false;
  head.variable = variableIn(*assignment->getLHS());
  head.first = assignment->getRHS();
  return head.variable && isPlainValue(*head.first);
}

bool findBound(const Expr* condition, LoopHead& head) {
  const auto* comparison =
      condition ? clang::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts()) : nullptr;
  if (!comparison || !(comparison->isRelationalOp() || comparison->getOpcode() == clang::BO_NE)) return false;
  const clang::VarDecl* variable = variableIn(*comparison->getLHS());
  if (!variable || (head.variable && variable != head.variable)) return false;
  head.variable = variable;
  head.relation = comparison->getOpcode();
  head.bound = comparison->getRHS();
  return isPlainValue(*head.bound);
}

bool findStep(const Expr* increment, LoopHead& head) {
  if (!increment) return false;
  bool found = false;
  for (const Expr* rest = increment->IgnoreParens(); rest;) {
    const auto* comma = clang::dyn_cast<clang::BinaryOperator>(rest);
    if (comma && !comma->isCommaOp()) comma = nullptr;
    const Expr* part = comma ? comma->getRHS() : rest;
    rest = comma ? comma->getLHS()->IgnoreParens() : nullptr;
    const std::optional<Advance> advance = advanceOf(*part);
    if (advance && advance->variable == head.variable && !found) {
      found = true;
      head.step = advance->step;
      head.down = advance->down;
    } else {
      head.others.push_back(part);
    }
  }
  return found;
}

std::optional<std::int64_t> constantOf(const Expr& expr, const clang::ASTContext& ast) {
  Expr::EvalResult result;
  if (expr.isValueDependent() || !expr.EvaluateAsInt(result, ast)) return std::nullopt;
  if (!result.Val.getInt().isRepresentableByInt64()) return std::nullopt;
  return result.Val.getInt().getExtValue();
}

}  // namespace

std::optional<LoopHead> headOf(const clang::ForStmt& loop) {
  LoopHead head;
  if (loop.getConditionVariable() || !findStart(loop.getInit(), head) || !findBound(loop.getCond(), head) ||
      !canCount(*head.variable) || !findStep(loop.getInc(), head))
    return std::nullopt;
  return head;
}

std::optional<std::uint64_t> timesOf(const LoopHead& head) {
  const clang::ASTContext& ast = head.variable->getASTContext();
  constexpr std::int64_t limit = std::int64_t{1} << 30;  // far from overflow
  const auto constant = [&](const Expr* expr) {
    return expr ? constantOf(*expr, ast).value_or(limit + 1) : limit + 1;
  };
  const std::int64_t first = constant(head.first), bound = constant(head.bound);
  const std::int64_t step = head.step ? constant(head.step) : 1;
  if (step <= 0 || std::max({first, bound, step}) > limit || std::min(first, bound) < -limit)
    return std::nullopt;
  std::int64_t distance = head.down ? first - bound : bound - first;
  const bool descends = head.relation == clang::BO_GT || head.relation == clang::BO_GE;
  if (head.relation == clang::BO_NE ? distance < 0 || distance % step != 0 : descends != head.down)
    return std::nullopt;
  if (head.relation == clang::BO_LE || head.relation == clang::BO_GE) ++distance;
  const std::int64_t times = distance <= 0 ? 0 : (distance + step - 1) / step;
  // Nothing becomes another number by being compared as unsigned, or by being counted to.
  const std::int64_t last = first + (head.down ? -times : times) * step;
  const bool negative = first < 0 || last < 0;
  const clang::QualType type = head.variable->getType();
  if (negative && (type->isUnsignedIntegerType() || head.bound->getType()->isUnsignedIntegerType()))
    return std::nullopt;
  return static_cast<std::uint64_t>(times);
}

std::optional<LoopStart> startOf(const LoopHead& head) {
  const clang::ASTContext& ast = head.variable->getASTContext();
  const std::optional<std::int64_t> first = head.first ? constantOf(*head.first, ast) : std::nullopt;
  const std::optional<std::int64_t> step = head.step ? constantOf(*head.step, ast) : 1;
  if (!first || !step) return std::nullopt;
  return LoopStart{*first, head.down ? -*step : *step};
}

}  // namespace cui::constructs
