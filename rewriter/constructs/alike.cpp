#include "constructs/alike.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include "constructs/kernel_values.h"
#include "constructs/loop_numbers.h"
#include "constructs/plain_value.h"
#include "constructs/storage.h"
#include "constructs/tile_loop.h"

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

LoopNumbers alikeNumbers(const Scope& scope, std::size_t function, std::size_t at) {
  return loopNumbers(scope, function, at, *valuesOf(scope, Among::row), *valuesOf(scope, Among::twins));
}

std::optional<LoopNumbers> alikeAround(const Expr& access, const Scope& scope) {
  const std::size_t function = scope.depthOfFunction(), at = scope.depthOf(access);
  if (at <= function || !gpuValuesOf(scope, Among::twins) || !isPlainPlace(access) ||
      storageOf(access).space != format::Space::shared)
    return std::nullopt;
  const std::optional<TileLoop> tiles = tileLoopAround(scope, function, at);
  const KernelValues& twins = *valuesOf(scope, Among::twins, tiles ? tiles->loop : nullptr);
  const auto isAlike = [&](const Stmt& parent, const Stmt& child) {
    return (tiles && &parent == tiles->loop) || isReachedAlike(parent, child, twins);
  };
  if (twins.degreeOfPlace(access) != 0 || !scope.holdsOnTheWay(function, at, isAlike)) return std::nullopt;
  if (!tiles) return alikeNumbers(scope, function, at);
  LoopNumbers numbers = loopNumbers(scope, function, at, *valuesOf(scope, Among::block), twins);
  numbers.tile = tileText(scope, *tiles, at);
  return numbers.tile.empty() ? std::nullopt : std::optional(std::move(numbers));
}

}  // namespace cui::constructs
