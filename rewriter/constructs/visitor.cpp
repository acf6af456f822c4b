#include "constructs/visitor.h"

#include <clang/AST/RecursiveASTVisitor.h>

namespace cui::constructs {
namespace {

class Walk : public clang::RecursiveASTVisitor<Walk> {
 public:
  explicit Walk(Visitor& visitor) : visitor_(visitor) {}

  bool shouldVisitTemplateInstantiations() const { return visitor_.seesInstantiations(); }

  // NOLINTBEGIN(readability-identifier-naming): Clang's names
  bool VisitStmt(clang::Stmt* statement) { return visitor_.onStatement(*statement); }
  bool VisitFunctionDecl(clang::FunctionDecl* function) { return visitor_.onFunction(*function); }
  // NOLINTEND(readability-identifier-naming)

 private:
  Visitor& visitor_;
};

}  // namespace

// Visitors could change what they see, to Clang.
bool Visitor::traverse(const clang::Decl& root) {
  return Walk(*this).TraverseDecl(const_cast<clang::Decl*>(&root));
}
bool Visitor::traverse(const clang::Stmt& root) {
  return Walk(*this).TraverseStmt(const_cast<clang::Stmt*>(&root));
}

}  // namespace cui::constructs
