// `(a[i] = b) += c`, `++(++a[i])`: the object that an assignment gives back is accessed once more where
// something else changes it. What only reads it has its value already.
#include <clang/AST/Expr.h>

#include "constructs/access.h"
#include "constructs/catalogue.h"

namespace cui::constructs {
namespace {

class Changed : public Construct {
  void onDeviceExpression(const clang::Expr& expr, Scope& scope) const override {
    if (!changes(expr) || !expr.isLValue() || expr.isTypeDependent()) return;
    const Use use = usageOf(scope.path, scope.ast).use;
    if (use == Use::assign || use == Use::store || use == Use::rmw) reportAccess(expr, scope);
  }
};

}  // namespace

std::unique_ptr<Construct> makeChanged() {
  return std::make_unique<Changed>();
}

}  // namespace cui::constructs
