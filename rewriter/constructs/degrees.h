// How integers, and places in memory, depend on something that counts: a loop's variable, or a thread's
// coordinates.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

namespace cui::constructs {

constexpr int uneven = 2;  ///< a degree: neither constant (0) nor linear (1)

/// The degree of values (isPlainValue) and places (isPlainPlace) in what counts.
class Degrees {
 public:
  explicit Degrees(const clang::ASTContext& ast) : ast_(ast) {}
  virtual ~Degrees() = default;

  int degree(const clang::Expr& value) const;
  int degreeOfPlace(const clang::Expr& place) const;
  int degreeOfPointer(const clang::Expr& pointer) const;

 protected:
  Degrees(const Degrees&) = default;
  virtual int degreeOf(const clang::VarDecl& variable) const = 0;
  virtual int degreeOfMembers(const clang::VarDecl& variable) const = 0;
  /// Of where it lies.
  virtual int degreeOfLocation(const clang::VarDecl& variable) const = 0;
  /// Of `threadIdx.x` and its like.
  virtual int degreeOfIndex(const clang::PseudoObjectExpr& index) const = 0;

  const clang::ASTContext& ast_;
};

/// The variable that an expression names or reads; null if it is something else.
const clang::VarDecl* variableIn(const clang::Expr& expr);
/// A variable, or a member of one, is read by the cast.
bool readsVariable(const clang::CastExpr& cast);
/// The initialiser, without the braces of `int k{0}`; null if there is none.
const clang::Expr* initOf(const clang::VarDecl& variable);

}  // namespace cui::constructs
