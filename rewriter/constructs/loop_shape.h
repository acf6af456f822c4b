// What a loop does, as far as its statements show: what changes in its body; what an expression in it depends
// on.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "constructs/degrees.h"
#include "constructs/loop_head.h"

namespace cui::constructs {

/// The body leaves the loop by its end alone, makes no other accesses than those written in it, and waits for
/// nobody.
bool isQuietBody(const clang::Stmt& body, const clang::SourceManager& manager);

/// The body leaves the loop by its end alone, goes on to the next time round only there, and changes no
/// variable but where it is named: what it calls is no lambda's.
bool isLeftByItsEnd(const clang::Stmt& body, const clang::SourceManager& manager);

/// How what a loop's body uses changes from one time round to the next.
class LoopChanges : public Degrees {
 public:
  LoopChanges(const clang::ForStmt& loop, const LoopHead& head);

  /// The body leaves the variable that counts alone, and all else that the increment does is known.
  bool keepsCount() const { return changed_.count(head_.variable) == 0 && knowsIncrement_; }
  /// Variables beside the one that counts that go on evenly, too.
  const std::map<const clang::VarDecl*, Advance>& advances() const { return advances_; }
  /// An integer (isPlainValue) that stays the same, or changes by the same amount each time.
  bool isSteady(const clang::Expr& value) const { return degree(value) == 0; }
  bool isEven(const clang::Expr& value) const { return degree(value) <= 1; }
  /// A place (isPlainPlace) likewise.
  bool isEvenPlace(const clang::Expr& place) const { return degreeOfPlace(place) <= 1; }
  /// Such a place advances evenly whatever the numbers are: no index on its way can begin anew. Of signed
  /// integers the language says so; what has 64 bits is a place's distance even then.
  bool isSurelyEven(const clang::Expr& place) const { return keepsPlace(place); }
  /// Of the places and values asked for from now on: these variables, which are other loops' in this one, are
  /// what they are at some time round those.
  void ask(std::set<const clang::VarDecl*> held) const {
    needed_.clear();
    held_ = std::move(held);
  }
  /// The body's own variables that the places and values asked for depend on, in any order.
  const std::vector<const clang::DeclStmt*>& needed() const { return needed_; }
  /// In front of the loop, with what is needed there, every name in it means what it means in the body.
  bool keepsNames(const clang::Stmt& place) const;

 private:
  int degreeOf(const clang::VarDecl& variable) const override;
  int degreeOfMembers(const clang::VarDecl& variable) const override;
  int degreeOfLocation(const clang::VarDecl& variable) const override;
  int degreeOfIndex(const clang::PseudoObjectExpr&) const override { return 0; }
  bool keeps(const clang::Expr& value) const;
  bool keepsPlace(const clang::Expr& place) const;
  bool keepsPointer(const clang::Expr& pointer) const;
  bool keepsVariable(const clang::VarDecl& variable) const;
  void need(const clang::DeclStmt& declaration) const;
  void findAdvances(const clang::Stmt& body);

  LoopHead head_;
  std::map<const clang::VarDecl*, unsigned> changed_;  ///< and in how many places
  std::map<const clang::VarDecl*, Advance> advances_;  ///< of these
  bool knowsIncrement_ = true;
  std::map<const clang::VarDecl*, const clang::DeclStmt*> own_;
  std::set<const clang::DeclStmt*> outermost_;  ///< of these, the statements of the body itself
  mutable std::vector<const clang::DeclStmt*> needed_;
  mutable std::set<const clang::VarDecl*> held_;
};

}  // namespace cui::constructs
