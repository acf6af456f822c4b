// A name that is memory by itself: a reference, a structured binding, a __shared__, __device__,
// __constant__ or __managed__ variable. Parameters passed by value and plain locals are not.
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>

#include "constructs/access.h"
#include "constructs/catalogue.h"

namespace cui::constructs {
namespace {

class Variable : public Construct {
  void onDeviceExpression(const clang::Expr& expr, Scope& scope) const override {
    const auto* name = clang::dyn_cast<clang::DeclRefExpr>(&expr);
    if (name && clang::isa<clang::VarDecl, clang::BindingDecl>(name->getDecl())) reportAccess(expr, scope);
  }
};

}  // namespace

std::unique_ptr<Construct> makeVariable() {
  return std::make_unique<Variable>();
}

}  // namespace cui::constructs
