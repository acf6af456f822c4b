// An lvalue that a function of the user's returns: v[i] of a class, `at(i) = 0`. The function itself only
// forms the address; the access is where the result is used. So it is of a library's function that does
// nothing else: `thrust::get<0>(tuple)`, `a[i]` of a std::array.
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>

#include "constructs/access.h"
#include "constructs/catalogue.h"

namespace cui::constructs {
namespace {

class CallResult : public Construct {
  void onDeviceExpression(const clang::Expr& expr, Scope& scope) const override {
    const auto* call = clang::dyn_cast<clang::CallExpr>(&expr);
    if (!call || !call->isLValue() || call->isTypeDependent()) return;
    const clang::FunctionDecl* callee = call->getDirectCallee();
    // Other library functions: what they were given has been counted where it was passed.
    const clang::SourceManager& manager = scope.ast.getSourceManager();
    if (!callee || !(isUsersOwn(*callee, manager) || givesElement(*callee, manager))) return;
    // `a = b` and `a += b` give back their left side, which their own body has just accessed.
    if (const auto* operation = clang::dyn_cast<clang::CXXOperatorCallExpr>(call);
        operation && (operation->isAssignmentOp() || operation->getOperator() == clang::OO_PlusPlus ||
                      operation->getOperator() == clang::OO_MinusMinus))
      return;
    reportAccess(expr, scope);
  }
};

}  // namespace

std::unique_ptr<Construct> makeCallResult() {
  return std::make_unique<CallResult>();
}

}  // namespace cui::constructs
