#include "constructs/visitor.h"

#include <clang/AST/RecursiveASTVisitor.h>

namespace cui::constructs {

class Visitor::Walk : public clang::RecursiveASTVisitor<Visitor::Walk> {
  using Base = clang::RecursiveASTVisitor<Visitor::Walk>;

 public:
  explicit Walk(Visitor& visitor) : visitor_(visitor) {}

  bool shouldVisitTemplateInstantiations() const { return visitor_.seesInstantiations(); }
  bool shouldVisitImplicitCode() const { return visitor_.seesImplicitCode(); }

  // NOLINTBEGIN(readability-identifier-naming): Clang's names
  bool TraverseDecl(clang::Decl* decl) { return !decl || visitor_.onDeclaration(*decl); }
  bool dataTraverseStmtPre(clang::Stmt* statement) { return visitor_.enters(*statement); }
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) {
    return Base::TraverseLambdaExpr(lambda) && visitor_.behindLambda(*lambda);
  }
  template <class... Options>
  bool TraverseTypeLoc(clang::TypeLoc type, Options... options) {
    return !visitor_.seesTypes() || Base::TraverseTypeLoc(type, options...);
  }
  bool VisitStmt(clang::Stmt* statement) { return visitor_.onStatement(*statement); }
  bool VisitFunctionDecl(clang::FunctionDecl* function) { return visitor_.onFunction(*function); }
  bool VisitVarDecl(clang::VarDecl* variable) { return visitor_.onVariable(*variable); }
  // NOLINTEND(readability-identifier-naming)

  bool inside(clang::Decl& decl) { return Base::TraverseDecl(&decl); }

 private:
  Visitor& visitor_;
};

// Visitors could change what they see, to Clang.
bool Visitor::traverse(const clang::Decl& root) {
  return Walk(*this).TraverseDecl(const_cast<clang::Decl*>(&root));
}
bool Visitor::traverse(const clang::Stmt& root) {
  return Walk(*this).TraverseStmt(const_cast<clang::Stmt*>(&root));
}
bool Visitor::inside(clang::Decl& declaration) {
  return Walk(*this).inside(declaration);
}

}  // namespace cui::constructs
