// An lvalue that a function of the user's returns: v[i] of a class, `at(i) = 0`. The function itself only
// forms the address; the access is where the result is used. So it is of a library's function that does
// nothing else: `thrust::get<0>(tuple)`, `a[i]` of a std::array or a std::span.
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>

#include "constructs/access.h"
#include "constructs/catalogue.h"
#include "constructs/of_library.h"

namespace cui::constructs {
namespace {

/// The type of the element for which an object of that type stands: thrust::device_reference<T> and its kin.
clang::QualType standsFor(clang::QualType type, const clang::SourceManager& manager) {
  const auto* record =
      clang::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (!record || !record->getIdentifier() || !isOfLibrary(*record, manager)) return {};
  const llvm::StringRef name = record->getName();
  if (name != "device_reference" && name != "tagged_reference" && name != "reference") return {};
  const clang::TemplateArgument& element = record->getTemplateArgs()[0];
  return element.getKind() == clang::TemplateArgument::Type ? element.getAsType() : clang::QualType();
}

/// What is done with such an object, by an operator of its own.
Use useOfStandIn(const std::vector<Node>& path) {
  for (std::size_t at = path.size() - 1; at-- > 0;) {
    const clang::Stmt* stmt = path[at].stmt;
    if (const auto* call = clang::dyn_cast_or_null<clang::CXXOperatorCallExpr>(stmt)) {
      const bool target =
          call->getArg(0)->IgnoreImplicit() == path[at + 1].stmt || call->getArg(0) == path[at + 1].stmt;
      if (!target) return Use::load;
      if (call->getOperator() == clang::OO_Amp) return Use::none;
      if (call->getOperator() == clang::OO_Equal) return Use::store;
      const bool changes = call->isAssignmentOp() || call->getOperator() == clang::OO_PlusPlus ||
                           call->getOperator() == clang::OO_MinusMinus;
      return changes ? Use::rmw : Use::load;
    }
    if (!stmt || !clang::isa<clang::MaterializeTemporaryExpr, clang::ImplicitCastExpr, clang::ParenExpr,
                             clang::CXXBindTemporaryExpr>(stmt))
      return Use::load;
  }
  return Use::load;
}

/// No expression of the source is the element: only said.
void say(const clang::Expr& expr, clang::QualType element, Use use, const char* reason, Scope& scope) {
  AccessSeen access = seenIn(scope);
  access.site = describeSite(expr, element, scope);
  access.site.base = access.site.expression;
  access.site.kind = kindOf(use, element, scope.ast);
  access.site.reason = reason;
  access.range = scope.ranges.resolve(expr.getSourceRange());
  scope.findings.add(std::move(access));
}

class CallResult : public Construct {
  void onDeviceExpression(const clang::Expr& expr, Scope& scope) const override {
    const auto* call = clang::dyn_cast<clang::CallExpr>(&expr);
    if (!call || call->isTypeDependent()) return;
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const clang::SourceManager& manager = scope.ast.getSourceManager();
    if (!call->isLValue()) {
      const clang::QualType element = standsFor(call->getType(), manager);
      const Use use = element.isNull() ? Use::none : useOfStandIn(scope.path);
      if (use != Use::none)
        say(expr, element, use, "an element that an object of library code stands for", scope);
      return;
    }
    if (const auto* conversion = clang::dyn_cast_or_null<clang::CXXConversionDecl>(callee);
        conversion && isOfLibrary(*conversion->getParent(), manager) &&
        conversion->getParent()->getName() == "reference_wrapper") {
      const Usage usage = usageOf(scope.path, scope.ast);
      if (usage.use != Use::none)
        say(expr, call->getType(), usage.use, "a conversion of library code", scope);
      return;
    }
    // Other library functions: what they were given has been counted where it was passed.
    if (!callee ||
        !(isUsersOwn(*callee, manager) || givesElement(*callee, manager) || givesViewed(*callee, manager)))
      return;
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
