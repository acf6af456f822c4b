// Calls of the runtime functions in device/api.def and of the driver's in device/driver_api.def: which
// variable they are about, and its element type.
#include <clang/AST/ExprCXX.h>

#include <unordered_map>
#include <unordered_set>

#include "constructs/access.h"
#include "constructs/callee.h"
#include "constructs/catalogue.h"
#include "constructs/describe.h"

namespace cui::constructs {
namespace {

using edit::Form;

bool isDriverFunction(const std::string& name) {
  static const std::unordered_set<std::string> names{
#define CUI_DRIVER_FUNCTION(name, category) #name,
#include "cuinstrument/device/driver_api.def"
  };
  return names.count(name) != 0;
}

/// Why a call of the runtime's is only said; null for other functions.
const char* whySkipped(const std::string& name) {
  static const std::unordered_map<std::string, const char*> reasons{
#define CUI_HOST_FUNCTION(name, reason) {#name, reason},
#include "constructs/calls.def"
  };
  const auto known = reasons.find(name);
  return known == reasons.end() ? nullptr : known->second;
}

/// The object in `&d_in`, `(void**)&s->p`, `d_in`; null if there is none.
const clang::Expr* subject(const clang::Expr* argument) {
  argument = argument->IgnoreParenCasts();
  if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(argument);
      unary && unary->getOpcode() == clang::UO_AddrOf)
    return unary->getSubExpr()->IgnoreParenCasts();
  return argument;
}

class ApiCall : public Construct {
  void onHostExpression(const clang::Expr& expr, Scope& scope) const override {
    const auto* call = clang::dyn_cast<clang::CallExpr>(&expr);
    if (!call) return;
    const std::optional<Callee> callee = namedCallee(*call, scope.ast.getSourceManager());
    if (!callee) return;
    if (callee->whose == Callee::Whose::program) {
      // Templates may have called it by a name that is the runtime's, too.
      if (scope.instantiated() && (isRuntimeFunction(callee->name) || isDriverFunction(callee->name)))
        scope.findings.addOwnCall(scope.ranges.resolveName(callee->location));
      return;
    }
    if (const char* reason = whySkipped(callee->name)) {
      say(*call, callee->location, reason, scope);
    } else if (isRuntimeFunction(callee->name)) {
      report(*call, *callee, callee->global ? Form::CUI_GLOBAL_API : Form::CUI_API, scope);
    } else if (isDriverFunction(callee->name)) {
      report(*call, *callee, callee->global ? Form::CUI_GLOBAL_DRIVER_API : Form::CUI_DRIVER_API, scope);
    }
  }

  static void report(const clang::CallExpr& call, const Callee& callee, Form form, Scope& scope) {
    CallFound found;
    found.name = scope.ranges.resolveName(callee.location);
    if (!found.name.located) return;
    if (callee.decorated && found.name.reason.empty()) found.name.reason = "a qualified name";
    if (found.name.pasted && form == Form::CUI_API) {
      found.name.reason.clear();
      form = Form::CUI_PASTED_API;
    }
    found.form = form;
    found.guessed = callee.whose == Callee::Whose::unknown;
    found.call.api = callee.name;
    found.call.function = scope.functionName();
    if (call.getNumArgs() > 0) describeSubject(*call.getArg(0), found.call, scope);
    scope.findings.add(std::move(found));
  }

  static void say(const clang::CallExpr& call, clang::SourceLocation name, const char* reason, Scope& scope) {
    AccessSeen access = seenIn(scope);
    access.site.function = scope.functionName();
    access.site.templateContext = scope.templateContext();
    access.site.expression = textOf(call, scope.ast, scope.ranges);
    access.site.reason = reason;
    access.layer = Layer::copyTarget;
    access.range = scope.ranges.resolveToken(name);
    scope.findings.add(std::move(access));
  }

  static void describeSubject(const clang::Expr& argument, sites::Call& call, const Scope& scope) {
    const clang::Expr* object = subject(&argument);
    if (!clang::isa<clang::DeclRefExpr, clang::MemberExpr, clang::ArraySubscriptExpr, clang::UnaryOperator,
                    clang::BinaryOperator, clang::CXXDependentScopeMemberExpr>(object))
      return;
    call.variable = textOf(*object, scope.ast, scope.ranges);
    clang::QualType type = object->getType();
    if (type->isPointerType() || type->isArrayType()) {
      type = type->isPointerType() ? type->getPointeeType() : scope.ast.getBaseElementType(type);
    }
    // An address of the driver's is an integer.
    const bool integer =
        type->isIntegerType() && !object->getType()->isPointerType() && !object->getType()->isArrayType();
    if (integer && isDriverFunction(call.api)) return;
    // A pitched pointer and an array's handle do not tell what is in it.
    if (type->isVoidType() || type->isDependentType() || call.api == "cudaMalloc3D" ||
        llvm::StringRef(call.api).ends_with("Array"))
      return;
    call.type = type.getUnqualifiedType().getAsString(scope.ast.getPrintingPolicy());
    if (!type->isIncompleteType() && !type->isFunctionType())
      call.elementBytes = static_cast<std::uint32_t>(scope.ast.getTypeSizeInChars(type).getQuantity());
  }
};

}  // namespace

std::unique_ptr<Construct> makeApiCall() {
  return std::make_unique<ApiCall>();
}

}  // namespace cui::constructs
