// The head of a `for`, as far as it shows what counts: which variable, from where, how far, in what steps.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace cui::constructs {

/// `for (variable = first; variable relation bound; variable += step)`
struct LoopHead {
  const clang::VarDecl* variable = nullptr;
  const clang::Expr* first = nullptr;  ///< null: what it is in front of the loop
  clang::BinaryOperatorKind relation = clang::BO_LT;
  const clang::Expr* bound = nullptr;
  const clang::Expr* step = nullptr;       ///< null: 1
  bool down = false;                       ///< the step is subtracted
  std::vector<const clang::Expr*> others;  ///< that the increment evaluates, too
};
std::optional<LoopHead> headOf(const clang::ForStmt& loop);

/// How often it goes round, where its source says so.
std::optional<std::uint64_t> timesOf(const LoopHead& head);
/// What its variable is the first time round, and how far it goes each time, where its source says so.
struct LoopStart {
  std::int64_t first = 0, step = 1;
};
std::optional<LoopStart> startOf(const LoopHead& head);

/// `variable += step`, which every time round evaluates once.
struct Advance {
  const clang::VarDecl* variable = nullptr;
  const clang::Expr* step = nullptr;  ///< null: 1
  bool down = false;                  ///< the step is subtracted
  clang::SourceLocation place;        ///< of the statement in the body; invalid: in the loop's increment
};
/// `k += c`, `++k`, `k = k + c`, and the same downwards.
std::optional<Advance> advanceOf(const clang::Expr& expr);
/// Of 32 bits at least, so that it is what it is said to be: narrower ones come back from int.
bool canCount(const clang::VarDecl& variable);

}  // namespace cui::constructs
