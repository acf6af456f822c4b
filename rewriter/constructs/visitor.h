// Clang's walk over a tree, for those who look at some of its nodes and go the usual way. Its template takes
// a compiler ten seconds each time it is instantiated: for them that is once.
#pragma once

namespace clang {
class Decl;
class FunctionDecl;
class LambdaExpr;
class Stmt;
class VarDecl;
}  // namespace clang

namespace cui::constructs {

class Visitor {
 public:
  Visitor() = default;
  Visitor(const Visitor&) = delete;
  Visitor& operator=(const Visitor&) = delete;
  virtual ~Visitor() = default;

  /// Each node in front of what is in it. False if one of the functions below was: it ends the walk.
  bool traverse(const clang::Decl& root);
  bool traverse(const clang::Stmt& root);

  /// In front of the three below. What does not call `inside` leaves out what is in the declaration, and
  /// itself.
  virtual bool onDeclaration(clang::Decl& declaration) { return inside(declaration); }
  virtual bool onStatement(clang::Stmt&) { return true; }
  virtual bool onFunction(clang::FunctionDecl&) { return true; }
  virtual bool onVariable(clang::VarDecl&) { return true; }
  virtual bool behindLambda(clang::LambdaExpr&) { return true; }
  /// Otherwise the statement and what is in it are left out.
  virtual bool enters(clang::Stmt&) { return true; }
  virtual bool seesTypes() const { return true; }  ///< as they are spelled
  virtual bool seesImplicitCode() const { return false; }
  virtual bool seesInstantiations() const { return false; }

 protected:
  bool inside(clang::Decl& declaration);

 private:
  class Walk;
};

}  // namespace cui::constructs
