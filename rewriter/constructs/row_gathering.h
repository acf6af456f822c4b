// What there is to be known of an access that all threads of a row of the grid make alike (grid_row.h): the
// conditions on the way to it, and what declares the variables that it names for another thread.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "constructs/findings.h"
#include "constructs/kernel_values.h"
#include "constructs/scope.h"

namespace cui::constructs {

/// Conditions and declarations of one place in a kernel, gathered on the way out of it.
class RowGathering {
 public:
  RowGathering(const KernelValues& values, const Scope& scope) : values_(values), scope_(scope) {}

  /// All threads that come to path[function] come to path[at], if the guards hold.
  bool findGuards(std::size_t function, std::size_t at);
  bool addGuards(RowSeen& seen);
  /// Which others the same threads come to.
  void addSurroundings(std::size_t function, std::size_t at, RowSeen& seen) const;
  /// In loops there may be no guard, and something has to tell the times apart: one block would account for
  /// all.
  bool addNumbers(std::size_t function, std::size_t at, RowSeen& seen) const;
  /// What the place needs to be computed for another thread.
  bool addPlace(const clang::Expr& place, RowSeen& seen) { return addNames(place, false, seen); }
  /// What variables have been set to there.
  const ValuesNow& now() const { return now_; }
  /// From now on names may be those of variables that this loop declares: they are there wherever the place
  /// is computed.
  void enter(const clang::ForStmt& loop) { loop_ = &loop; }

 private:
  /// A condition that holds where the access is made.
  struct Guard {
    const clang::Expr* condition = nullptr;
    bool holds = true;  ///< false: its negation does
  };
  bool step(const clang::Stmt& parent, const clang::Stmt& child);
  bool addStatementsBefore(const clang::CompoundStmt& block, const clang::Stmt& child);
  bool addGuard(const clang::Expr& condition, bool holds);
  bool isConvex(const clang::Expr& condition, bool holds, unsigned& corners) const;
  bool isComparison(const clang::BinaryOperator& comparison, bool holds, unsigned& corners) const;
  bool onlyGrows(const clang::Expr& value) const;
  void see(const clang::VarDecl& variable);
  void seeDeclared(const clang::Stmt& statement);
  bool isNamedAlike(const clang::NamedDecl& named) const;
  std::string variablesIn(const clang::Stmt& stmt) const;
  bool addNames(const clang::Expr& expr, bool before, RowSeen& seen);
  bool addVariable(const clang::VarDecl& variable, bool before, RowSeen& seen);
  void forgetBeside(const clang::Stmt& parent, const clang::Stmt& child);
  const clang::Expr* valueOf(const clang::VarDecl& variable, bool before) const;
  bool onlyAdvances(const clang::VarDecl& variable) const;

  const KernelValues& values_;
  const Scope& scope_;
  std::vector<Guard> guards_, uniform_;  ///< the latter are the same for all threads of the row
  bool inLoop_ = false;
  const clang::ForStmt* loop_ = nullptr;
  std::vector<const clang::VarDecl*> visible_;  ///< from there
  std::set<const clang::VarDecl*> added_;
  ValuesNow now_;
  std::vector<Assignment> within_;  ///< the statement of the innermost block around the place, or the loop
};

}  // namespace cui::constructs
