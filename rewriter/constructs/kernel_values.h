// What a kernel's variables are to some of its threads: the same in all of them, or a sum of such values and
// multiples of coordinates (of a thread in its block, and of a block in its row); and where the kernel can be
// left.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <cstddef>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "constructs/degrees.h"
#include "constructs/scope.h"

namespace cui::constructs {

/// The condition, null without one, and the body of `for`, `while` and `do`; false of other statements.
bool findLoop(const clang::Stmt& stmt, const clang::Expr*& condition, const clang::Stmt*& body);

/// Who comes to the statement comes to what is in it, each time once; of those that decide nothing.
bool alwaysComesTo(const clang::Stmt& stmt);

/// Whose values are compared.
enum class Among {
  row,    ///< threads of a row of the grid, blocks that differ in `blockIdx.x` only
  twins,  ///< threads of all blocks that have the same `threadIdx`
  block,  ///< threads of a block
};

/// What variables that change have been set to where something is evaluated, by the thread that comes there;
/// null: that is not known. One that is not there is as its initialiser says.
using ValuesNow = std::map<const clang::VarDecl*, const clang::Expr*>;

/// A statement changes a variable.
struct Assignment {
  const clang::VarDecl* variable;
  const clang::Expr* value;  ///< what is assigned, or added and the like; null: a constant is
  bool whole;                ///< the statement does nothing but to assign it
  bool adds;                 ///< it does not depend on the value alone: `+=`, `++`
};

/// Degrees in `threadIdx` and `blockIdx.x`, in `blockIdx`, or in `threadIdx`.
class KernelValues : public Degrees {
 public:
  /// `tiles`: null, or a loop over tiles (tile_loop.h), in the body of which threads are compared whatever
  /// their tile is. What is said of other places then is not to be asked for.
  KernelValues(const clang::FunctionDecl& kernel, Among among, const clang::ForStmt* tiles = nullptr);

  /// All threads of those compared that come to the place where it is evaluated find the same there.
  bool isUniform(const clang::Expr& value) const;
  /// degreeOfPlace() in the body of a loop whose variable counts, too: a coordinate as others are, that
  /// begins at `first`.
  int degreeOfPlaceIn(const clang::VarDecl& counter, const clang::Expr& first, const clang::Expr& place,
                      const ValuesNow& now) const;
  /// degreeOfPlace() where variables that change have these values.
  int degreeOfPlaceNow(const clang::Expr& place, const ValuesNow& now) const;
  /// Whether all of them that come to the statement leave it in the same way: jumps out of it, and of loops
  /// in it, depend on nothing else. Looked at once.
  bool isLeftAlike(const clang::Stmt& statement) const;
  /// Whether the kernel can be left in it.
  bool canReturn(const clang::Stmt& stmt) const;
  bool isSame(const clang::VarDecl& variable) const { return varying_.count(&variable) == 0; }
  /// The coordinates of a thread that a value depends on: 1, 2 and 4.
  unsigned coordinatesOf(const clang::Expr& value) const;
  /// It is what its initialiser says wherever it can be named.
  bool isConstant(const clang::VarDecl& variable) const { return definitions_.count(&variable) == 0; }
  /// Nobody else has its address, so that all that changes it is known.
  bool isOwn(const clang::VarDecl& variable) const { return escaped_.count(&variable) == 0; }
  /// Some variable changes whose values differ between these threads.
  bool changesAny() const { return changesAny_; }
  /// What a statement, or a part of one, changes of these.
  std::vector<Assignment> assignmentsIn(const clang::Stmt& statement) const;
  /// A `goto` may lead back to what has been done: nothing is known then.
  bool hasLabels() const { return hasLabels_; }
  /// Of a block's statements those that declare something, change something, or can leave the kernel, in
  /// order; and where each statement stands.
  struct Block {
    struct Notable {
      std::size_t place;
      const clang::Stmt* statement;
      bool canReturn;
      std::vector<Assignment> assignments;
    };
    std::vector<Notable> notable;
    std::unordered_map<const clang::Stmt*, std::size_t> places;
  };
  /// Looked at once: each access in the block asks.
  const Block& blockOf(const clang::CompoundStmt& compound) const;

 protected:
  int degreeOf(const clang::VarDecl& variable) const override;
  int degreeOfMembers(const clang::VarDecl& variable) const override;
  int degreeOfLocation(const clang::VarDecl& variable) const override;
  int degreeOfIndex(const clang::PseudoObjectExpr& index) const override;

 private:
  struct Definition {
    const clang::Expr* value = nullptr;          ///< null: what it was, by a constant
    std::vector<const clang::Expr*> conditions;  ///< that decide whether it is defined here
    bool divergent = false;                      ///< by something that is not a plain value
  };
  struct Control {
    std::vector<const clang::Expr*> conditions;
    bool divergent = false;
  };
  struct Known {
    int degree;
    unsigned coordinates;
  };
  int degreeOfPlaceWith(const clang::Expr& place, const ValuesNow& now,
                        std::map<const clang::VarDecl*, Known> known) const;
  const clang::Expr* valueNow(const clang::VarDecl& variable) const;
  void addAssignments(const clang::Stmt& stmt, bool whole, std::vector<Assignment>& all) const;
  bool jumpsAlike(const clang::Stmt* stmt) const;
  static void addCondition(const clang::Expr* condition, Control& control);
  void walk(const clang::Stmt* stmt, Control& control);
  void walkUnder(const clang::Expr* condition, const clang::Stmt* stmt, Control control);
  void walkLoop(const clang::Expr* condition, const clang::Stmt* body, const clang::Stmt* increment,
                Control control);
  void walkTiles(Control control);
  void define(const clang::VarDecl& variable, const clang::Expr* value, const Control& control);
  void declare(const clang::VarDecl& variable, const Control& control);
  bool isUniformDefinition(const clang::VarDecl& variable, const Definition& definition) const;
  void settle();

  std::map<const clang::VarDecl*, std::vector<Definition>> definitions_;  ///< but for initialisers
  std::map<const clang::VarDecl*, Definition> initialised_;
  std::set<const clang::VarDecl*> escaped_, varying_;
  std::set<const clang::Expr*> targets_;  ///< names of variables that are assigned to
  const clang::ForStmt* const tiles_;
  bool inTiles_ = false;                     ///< walk() is in their loop
  std::set<const clang::VarDecl*> ofTiles_;  ///< which declares these
  bool hasLabels_ = false;
  bool settled_ = false;  ///< varying_ is complete
  bool changesAny_ = false;
  mutable std::map<const clang::VarDecl*, Known> known_;  ///< of varying_, as far as asked for
  mutable std::map<const clang::CompoundStmt*, Block> blocks_;
  mutable std::map<const clang::Stmt*, bool> left_;
  const Among among_;
  mutable const clang::VarDecl* counter_ = nullptr;  ///< degreeOfPlaceIn()'s
  mutable const ValuesNow* now_ = nullptr;           ///< likewise, and degreeOfPlaceNow()'s
};

/// Those of the kernel that `scope` is in; null elsewhere, and where nothing can be said. Looked at once.
const KernelValues* valuesOf(const Scope& scope, Among among, const clang::ForStmt* tiles = nullptr);
/// Without those of the CPU backend's code, where blocks do not account for each other.
const KernelValues* gpuValuesOf(const Scope& scope, Among among, const clang::ForStmt* tiles = nullptr);

}  // namespace cui::constructs
