// Clang's walk over a tree, for those who look at some of its nodes and go the usual way. Its template takes
// a compiler five seconds each time it is instantiated: for them that is once.
#pragma once

namespace clang {
class Decl;
class FunctionDecl;
class Stmt;
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

  virtual bool onStatement(clang::Stmt&) { return true; }
  virtual bool onFunction(clang::FunctionDecl&) { return true; }
  virtual bool seesInstantiations() const { return false; }
};

}  // namespace cui::constructs
