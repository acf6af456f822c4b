#include "constructs/alike.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include "constructs/kernel_values.h"
#include "constructs/loop_numbers.h"
#include "constructs/plain_value.h"
#include "constructs/storage.h"

namespace cui::constructs {
namespace {

using clang::Expr;
using clang::Stmt;

/// Whether a thread that comes to `parent` comes to `child`, and how often, is the same for its twins.
bool isReachedAlike(const Stmt& parent, const Stmt& child, const KernelValues& twins) {
  if (const auto* block = clang::dyn_cast<clang::CompoundStmt>(&parent)) {
    const KernelValues::Block& statements = twins.blockOf(*block);
    const auto end = statements.places.find(&child);
    if (end == statements.places.end()) return false;
    for (const KernelValues::Block::Notable& one : statements.notable) {
      if (one.place >= end->second) break;
      if (one.canReturn && !twins.isLeftAlike(*one.statement)) return false;
    }
    return true;
  }
  if (const auto* choice = clang::dyn_cast<clang::IfStmt>(&parent))
    return &child == choice->getCond() || choice->isConstexpr() || twins.isUniform(*choice->getCond());
  const Expr* condition = nullptr;
  const Stmt* body = nullptr;
  if (findLoop(parent, condition, body)) {
    const auto* loop = clang::dyn_cast<clang::ForStmt>(&parent);
    if (loop && &child == loop->getInit()) return true;
    return (!condition || twins.isUniform(*condition)) && twins.isLeftAlike(*body);
  }
  if (const auto* choice = clang::dyn_cast<clang::ConditionalOperator>(&parent))
    return &child == choice->getCond() || twins.isUniform(*choice->getCond());
  if (const auto* binary = clang::dyn_cast<clang::BinaryOperator>(&parent); binary && binary->isLogicalOp())
    return &child == binary->getLHS() || twins.isUniform(*binary->getLHS());
  return alwaysComesTo(parent);
}

}  // namespace

std::optional<LoopNumbers> alikeAround(const Expr& access, const Scope& scope) {
  const KernelValues* const twins = gpuValuesOf(scope, Among::twins);
  if (!twins || !isPlainPlace(access) || storageOf(access).space != format::Space::shared ||
      twins->degreeOfPlace(access) != 0)
    return std::nullopt;
  const std::size_t function = scope.depthOfFunction(), at = scope.depthOf(access);
  const auto isAlike = [twins](const Stmt& parent, const Stmt& child) {
    return isReachedAlike(parent, child, *twins);
  };
  if (at <= function || !scope.holdsOnTheWay(function, at, isAlike)) return std::nullopt;
  return loopNumbers(scope, function, at);
}

}  // namespace cui::constructs
