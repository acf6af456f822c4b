// An lvalue that a function of the user's returns: v[i] of a class, `at(i) = 0`, also where a pointer tells
// which function that is. The function itself only forms the address; the access is where the result is used.
// So it is of a library's function that does nothing else: `thrust::get<0>(tuple)`, `a[i]` of a std::array or
// a std::span. An element that an object of library code stands for is accessed where that object is used.
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>

#include "constructs/access.h"
#include "constructs/catalogue.h"
#include "constructs/class_names.h"
#include "constructs/describe.h"
#include "constructs/of_library.h"
#include "constructs/stand_in.h"

namespace cui::constructs {
namespace {

/// A conversion, which nothing in the source names: its text is the object's.
bool isImplicit(const clang::CallExpr& call, const clang::FunctionDecl* callee) {
  const auto* member = clang::dyn_cast<clang::CXXMemberCallExpr>(&call);
  return callee && clang::isa<clang::CXXConversionDecl>(callee) && member &&
         member->getEndLoc() == member->getImplicitObjectArgument()->getEndLoc();
}

/// The element that an object of library code stands for: it tells where that is.
void reportStandIn(const clang::Expr& object, clang::QualType element, Scope& scope) {
  const auto [usage, isKept] = usageOfStandIn(scope.path, scope.ast.getSourceManager());
  const bool named = object.isGLValue();  // one that was kept
  // What has that text in other instantiations of a template may be the element, and read there.
  if (isKept && !named && scope.instantiated())
    scope.findings.veto(scope.ranges.resolve(object.getSourceRange()),
                        "an object of library code that stands for an element is kept");
  if (usage.use == Use::none) return;
  AccessSeen access = seenIn(scope);
  access.site = describeSite(object, element, scope);
  const Description description = describe(object, scope.ast, scope.ranges);
  access.site.base = description.base;
  access.site.index = description.index;
  access.site.kind = kindOf(usage.use, element, scope.ast);
  access.site.reason = usage.reason;
  if (named) {
    access.form = edit::Form::CUI_REFERRED;
    access.layer = Layer::referred;
  }
  access.range = scope.ranges.resolve(object.getSourceRange());
  scope.findings.add(std::move(access));
}

/// Whether the object is an argument of a call, which may be of another function where it is the reference.
bool isArgument(const Scope& scope) {
  for (std::size_t at = scope.path.size() - 1; at-- > 0;) {
    const clang::Stmt* stmt = scope.path[at].stmt;
    if (!stmt) return false;
    if (const auto* made = clang::dyn_cast<clang::CXXConstructExpr>(stmt))
      return !made->getConstructor()->isCopyOrMoveConstructor();
    if (clang::isa<clang::CallExpr>(stmt)) return true;
    if (!clang::isa<clang::ImplicitCastExpr, clang::ParenExpr, clang::MaterializeTemporaryExpr>(stmt))
      return false;
  }
  return false;
}

/// How the code here names a number or a class; "" of others.
std::string spelledHere(clang::QualType type, const Scope& scope) {
  const std::string name =
      type->isArithmeticType() && !type->isEnumeralType()
          ? type.getCanonicalType().getUnqualifiedType().getAsString(scope.ast.getPrintingPolicy())
      : type->isRecordType() ? nameHere(type.getCanonicalType().getUnqualifiedType(), scope)
                             : "";
  return name.empty() || type.isVolatileQualified() ? "" : (type.isConstQualified() ? "const " : "") + name;
}

/// What an object is converted to, a reference. Of one of the library's we know how to ask where that is.
void reportConversion(const clang::CallExpr& call, const clang::FunctionDecl& conversion, Scope& scope) {
  const clang::SourceManager& manager = scope.ast.getSourceManager();
  const auto& object = *clang::cast<clang::CXXMethodDecl>(conversion).getParent();
  const bool isWrapper =
      isOfLibrary(object, manager) && object.getIdentifier() && object.getName() == "reference_wrapper";
  if (!isWrapper && !isUsersOwn(conversion, manager)) return;
  const Usage usage = usageOf(scope.path, scope.ast);
  if (usage.use == Use::none) return;
  AccessSeen access = seenIn(scope);
  access.site = describeSite(call, call.getType(), scope);
  access.site.base = access.site.expression;
  access.site.kind = kindOf(usage.use, call.getType(), scope.ast);
  access.site.reason = usage.reason;
  access.form = edit::Form::CUI_REFERRED;
  access.layer = Layer::referred;
  if (!isWrapper) {
    access.form = edit::Form::CUI_CONVERTED;
    access.count = isArgument(scope) ? "" : spelledHere(call.getType(), scope);
    if (access.count.empty()) access.site.reason = "a conversion of its class";
  }
  access.range = scope.ranges.resolve(call.getSourceRange());
  scope.findings.add(std::move(access));
}

class CallResult : public Construct {
  void onDeviceExpression(const clang::Expr& expr, Scope& scope) const override {
    const auto* call = clang::dyn_cast<clang::CallExpr>(&expr);
    if (!call && expr.isLValue() && namesObject(expr)) return reportNamed(expr, scope);
    if (!call || call->isTypeDependent()) return;
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const clang::SourceManager& manager = scope.ast.getSourceManager();
    if (!call->isLValue()) {
      const clang::QualType element = standsFor(call->getType(), manager);
      if (!element.isNull()) reportStandIn(*call, element, scope);
      return;
    }
    if (isImplicit(*call, callee)) return reportConversion(*call, *callee, scope);
    // Other library functions: what they were given has been counted where it was passed.
    if (callee &&
        !(isUsersOwn(*callee, manager) || givesElement(*callee, manager) || givesViewed(*callee, manager)))
      return;
    // `a = b` and `a += b` give back their left side, which their own body has just accessed.
    if (const auto* operation = clang::dyn_cast<clang::CXXOperatorCallExpr>(call);
        operation && (operation->isAssignmentOp() || operation->getOperator() == clang::OO_PlusPlus ||
                      operation->getOperator() == clang::OO_MinusMinus))
      return;
    reportAccess(expr, scope);
  }

  /// `auto kept = p[i]; kept = 3;`
  static void reportNamed(const clang::Expr& expr, Scope& scope) {
    const clang::QualType element = standsFor(expr.getType(), scope.ast.getSourceManager());
    if (!element.isNull()) reportStandIn(expr, element, scope);
  }
};

}  // namespace

std::unique_ptr<Construct> makeCallResult() {
  return std::make_unique<CallResult>();
}

}  // namespace cui::constructs
