// *p.
#include <clang/AST/Expr.h>

#include "constructs/access.h"
#include "constructs/catalogue.h"

namespace cui::constructs {
namespace {

class Dereference : public Construct {
  void onDeviceExpression(const clang::Expr& expr, Scope& scope) const override {
    const auto* unary = clang::dyn_cast<clang::UnaryOperator>(&expr);
    if (unary && unary->getOpcode() == clang::UO_Deref && !unary->getType()->isFunctionType())
      reportAccess(expr, scope);
  }
};

}  // namespace

std::unique_ptr<Construct> makeDereference() {
  return std::make_unique<Dereference>();
}

}  // namespace cui::constructs
