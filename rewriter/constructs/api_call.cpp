// Calls of the runtime functions in device/api.def: which variable they are about, and its element type.
#include <clang/AST/ExprCXX.h>

#include <unordered_map>
#include <unordered_set>

#include "constructs/access.h"
#include "constructs/catalogue.h"
#include "constructs/describe.h"

namespace cui::constructs {
namespace {

bool isListed(llvm::StringRef name) {
  static const std::unordered_set<std::string> names{
#define CUI_API_FUNCTION(name, category) #name,
#include "cuinstrument/device/api.def"
#undef CUI_API_FUNCTION
  };
  return names.count(name.str()) != 0;
}

/// Why a call of the runtime's is only said; null for other functions.
const char* whySkipped(llvm::StringRef name) {
  static const std::unordered_map<std::string, const char*> reasons{
#define CUI_HOST_FUNCTION(name, reason) {#name, reason},
#include "constructs/calls.def"
  };
  const auto known = reasons.find(name.str());
  return known == reasons.end() ? nullptr : known->second;
}

/// What belongs to the name in a call: `::cudaMalloc` is one of its own.
struct Decoration {
  bool global = false, other = false;
};
template <class Name>
Decoration decorationOf(const Name& name) {
  Decoration result;
  result.other = name.hasExplicitTemplateArgs();
  if (const clang::NestedNameSpecifierLoc qualifier = name.getQualifierLoc(); qualifier.hasQualifier()) {
    result.global = qualifier.getBeginLoc() == qualifier.getEndLoc();  // `::` alone
    result.other |= !result.global;
  }
  return result;
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
    const clang::Expr* callee = call->getCallee()->IgnoreParenImpCasts();
    if (const auto* name = clang::dyn_cast<clang::DeclRefExpr>(callee)) {
      const auto* function = clang::dyn_cast<clang::FunctionDecl>(name->getDecl());
      if (!function || hasUserBody(*function, scope.ast.getSourceManager())) return;
      report(*call, name->getNameInfo(), decorationOf(*name), scope);
    } else if (const auto* unresolved = clang::dyn_cast<clang::UnresolvedLookupExpr>(callee)) {
      report(*call, unresolved->getNameInfo(), decorationOf(*unresolved), scope);
    }
  }

  static void report(const clang::CallExpr& call, const clang::DeclarationNameInfo& name,
                     const Decoration& decoration, Scope& scope) {
    const clang::IdentifierInfo* identifier = name.getName().getAsIdentifierInfo();
    if (!identifier) return;
    if (const char* reason = whySkipped(identifier->getName())) {
      // There each run of a graph is launches of its own, which say what a node cannot.
      if (scope.settings.cpu && identifier->getName().starts_with("cudaGraphAdd")) return;
      return say(call, name.getLoc(), reason, scope);
    }
    if (!isListed(identifier->getName())) return;
    CallFound found;
    found.name = scope.ranges.resolveCall(clang::SourceRange(name.getLoc()));
    if (!found.name.located) return;
    if (decoration.other && found.name.reason.empty()) found.name.reason = "a qualified name";
    found.global = decoration.global;
    found.call.api = identifier->getName().str();
    found.call.function = scope.functionName();
    if (call.getNumArgs() > 0) describeSubject(*call.getArg(0), found.call, scope);
    scope.findings.add(std::move(found));
  }

  static void say(const clang::CallExpr& call, clang::SourceLocation name, const char* reason, Scope& scope) {
    AccessSeen access;
    access.site.function = scope.functionName();
    access.site.templateContext = scope.templateContext();
    access.site.expression = textOf(call, scope.ast, scope.ranges);
    access.site.reason = reason;
    access.layer = Layer::copyTarget;
    access.range = scope.ranges.resolveToken(name);
    access.body = scope.body();
    access.dependent = scope.dependent();
    access.instantiated = scope.instantiated();
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
