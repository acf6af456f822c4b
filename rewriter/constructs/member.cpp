// p->x, a[i].x, p->*m, and a member named without `this->`: the member's own bytes at its own address.
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>

#include "constructs/access.h"
#include "constructs/catalogue.h"

namespace cui::constructs {
namespace {

class Member : public Construct {
  void onDeviceExpression(const clang::Expr& expr, Scope& scope) const override {
    if (const auto* member = clang::dyn_cast<clang::MemberExpr>(&expr)) {
      if (clang::isa<clang::FieldDecl, clang::IndirectFieldDecl, clang::VarDecl>(member->getMemberDecl()))
        reportAccess(expr, scope);
    } else if (const auto* binary = clang::dyn_cast<clang::BinaryOperator>(&expr)) {
      if (binary->isPtrMemOp() && binary->isGLValue()) reportAccess(expr, scope);
    } else if (clang::isa<clang::CXXDependentScopeMemberExpr>(expr)) {
      reportAccess(expr, scope);
    }
  }
};

}  // namespace

std::unique_ptr<Construct> makeMember() {
  return std::make_unique<Member>();
}

}  // namespace cui::constructs
