// a[i]: of a pointer, an array of any number of dimensions (only the last step reads), a vector type.
#include <clang/AST/Expr.h>

#include "constructs/access.h"
#include "constructs/catalogue.h"

namespace cui::constructs {
namespace {

class Subscript : public Construct {
  void onDeviceExpression(const clang::Expr& expr, Scope& scope) const override {
    if (clang::isa<clang::ArraySubscriptExpr>(expr)) reportAccess(expr, scope);
  }
};

}  // namespace

std::unique_ptr<Construct> makeSubscript() {
  return std::make_unique<Subscript>();
}

}  // namespace cui::constructs
