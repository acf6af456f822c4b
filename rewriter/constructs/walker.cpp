#include "constructs/walker.h"

#include <optional>

#include <clang/AST/Attr.h>
#include <clang/AST/ExprConcepts.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/Builtins.h>

#include "constructs/access.h"
#include "constructs/describe.h"
#include "constructs/field.h"
#include "constructs/of_library.h"
#include "constructs/own_pointer.h"
#include "constructs/quiet.h"
#include "constructs/split_cast.h"
#include "constructs/storage.h"
#include "constructs/use.h"

namespace cui::constructs {
namespace {

constexpr char copiedByCapture[] = "copied by a lambda's capture";

template <class A>
bool hasExplicit(const clang::Decl& decl) {
  const auto* attribute = decl.getAttr<A>();
  return attribute && !attribute->isImplicit();
}

class Walker : public clang::RecursiveASTVisitor<Walker> {
  using Base = clang::RecursiveASTVisitor<Walker>;

 public:
  Walker(clang::ASTContext& ast, const Ranges& ranges, Settings settings, Findings& findings)
      : scope_{ast, ranges, findings, settings, {}, nullptr, false, 0, {}, {}, {}, {}, {}, {}, {}},
        constructs_(makeConstructs()) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseDecl(clang::Decl* decl) {
    if (!decl) return true;
    const clang::SourceManager& manager = scope_.ranges.manager();
    if (isOfLibrary(*decl, manager)) return true;
    Nested nested(scope_, {nullptr, decl}, isConstant(*decl));
    if (const auto* variable = clang::dyn_cast<clang::VarDecl>(decl))
      for (const auto& construct : constructs_) construct->onVariable(*variable, scope_);
    const auto* function = clang::dyn_cast<clang::FunctionDecl>(decl);
    if (!function || !function->doesThisDeclarationHaveABody()) return Base::TraverseDecl(decl);
    InFunction inside(scope_, *function, runsOnDevice(*function));
    for (const auto& construct : constructs_) construct->onFunction(*function, scope_);
    return Base::TraverseDecl(decl);
  }

  // What it captures is read where it is made, by what is around it.
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) {
    auto init = lambda->capture_init_begin();
    for (const clang::LambdaCapture& capture : lambda->captures())
      if (!traverseCapture(*lambda, capture, *init++)) return false;
    {
      InFunction inside(scope_, *lambda->getCallOperator(), runsOnDevice(*lambda->getCallOperator()));
      if (!Base::TraverseLambdaExpr(lambda)) return false;
    }
    if (clang::FunctionTemplateDecl* generic = lambda->getLambdaClass()->getDependentLambdaCallOperator())
      for (clang::FunctionDecl* instance : generic->specializations())
        if (!TraverseDecl(instance)) return false;
    return true;
  }
  bool TraverseLambdaCapture(clang::LambdaExpr*, const clang::LambdaCapture*, clang::Expr*) { return true; }

  // What runs is the semantic form; the syntactic one has neither conversions nor the omitted elements.
  bool TraverseInitListExpr(clang::InitListExpr* list) {
    return Base::TraverseSynOrSemInitListExpr(
        list->isSemanticForm() || !list->getSemanticForm() ? list : list->getSemanticForm());
  }

  // `auto [x, y] = array;`: the array is in what its elements are read from, which no visitor is shown.
  bool TraverseArrayInitLoopExpr(clang::ArrayInitLoopExpr* loop) {
    return TraverseStmt(loop->getCommonExpr()->getSourceExpr());
  }

  // Without a queue, so that the recursion is the path.
  bool TraverseStmt(clang::Stmt* stmt) {
    if (!stmt) return true;
    std::optional<InFunction> inside;
    if (const clang::FunctionDecl* function = evaluatingDefault(*stmt)) {
      if (!function->isDependentContext() && isDependent(*stmt)) return true;  // the pattern's
      inside.emplace(scope_, *function,
                     function->isImplicit() ? couldRunOnDevice(*stmt) : runsOnDevice(*function));
    }
    Nested nested(scope_, {stmt, nullptr}, isConstant(*stmt));
    if (const auto* expr = clang::dyn_cast<clang::Expr>(stmt)) checkBindable(*expr);
    if (const auto* member = clang::dyn_cast<clang::UnresolvedMemberExpr>(stmt)) checkTemplateName(*member);
    if (const auto* call = clang::dyn_cast<clang::CallExpr>(stmt);
        call && scope_.instantiated() && !isQuietExpression(*call, scope_.ranges.manager()) &&
        !readsIndex(*call))
      scope_.findings.evaluateOnce(scope_.ranges.resolve(call->getSourceRange()));
    if (scope_.constant == 0) show(*stmt);
    // A list evaluates the initialisers of a class without any function: here, and where else one is.
    if (auto* own = clang::dyn_cast<clang::CXXDefaultInitExpr>(stmt);
        own && !methodFor(*clang::cast<clang::CXXRecordDecl>(own->getField()->getParent())))
      return TraverseStmt(own->getExpr());
    return Base::TraverseStmt(stmt);
  }

  template <class... Options>
  bool TraverseTypeLoc(clang::TypeLoc type, Options... options) {
    Nested nested(scope_, {}, true);
    return Base::TraverseTypeLoc(type, options...);
  }
  bool TraverseTemplateArgumentLoc(const clang::TemplateArgumentLoc& argument) {
    Nested nested(scope_, {}, true);
    return Base::TraverseTemplateArgumentLoc(argument);
  }

 private:
  /// One step further in; an empty node only marks what is below as constant.
  struct Nested {
    Nested(Scope& s, Node node, bool isConstant)
        : scope(s), pushed(node.stmt || node.decl), constant(isConstant) {
      if (pushed) scope.path.push_back(node);
      if (constant) ++scope.constant;
    }
    ~Nested() {
      if (pushed) scope.path.pop_back();
      if (constant) --scope.constant;
    }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;
    Scope& scope;
    bool pushed, constant;
  };
  struct InFunction {
    InFunction(Scope& s, const clang::FunctionDecl& function, bool device)
        : scope(s), outer(s.function), outerDevice(s.device), outerConstant(s.constant) {
      scope.function = &function;
      scope.device = device;
      scope.constant = 0;
      if (!scope.dependent()) scope.findings.addInstantiated(scope.body());
    }
    ~InFunction() {
      scope.function = outer;
      scope.device = outerDevice;
      scope.constant = outerConstant;
    }
    InFunction(const InFunction&) = delete;
    InFunction& operator=(const InFunction&) = delete;
    Scope& scope;
    const clang::FunctionDecl* outer;
    bool outerDevice;
    unsigned outerConstant;
  };

  /// What a declaration gives for want of something else, which others evaluate: of a default argument, the
  /// function it belongs to; of a member's initialiser, a function of its class that runs on the device, any
  /// that the user wrote, or what the compiler declared, which is for both sides.
  const clang::FunctionDecl* evaluatingDefault(const clang::Stmt& stmt) const {
    const clang::Decl* decl = scope_.path.empty() ? nullptr : scope_.path.back().decl;
    if (const auto* member = clang::dyn_cast_or_null<clang::FieldDecl>(decl))
      return member->hasInClassInitializer() && member->getInClassInitializer() == &stmt
                 ? methodFor(*clang::cast<clang::CXXRecordDecl>(member->getParent()))
                 : nullptr;
    const auto* parameter = clang::dyn_cast_or_null<clang::ParmVarDecl>(decl);
    if (!parameter || !parameter->hasDefaultArg() || parameter->hasUnparsedDefaultArg()) return nullptr;
    const clang::Expr* value = parameter->hasUninstantiatedDefaultArg()
                                   ? parameter->getUninstantiatedDefaultArg()
                                   : parameter->getDefaultArg();
    return value == &stmt ? clang::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext()) : nullptr;
  }

  // A capture must be a name. By reference it accesses nothing; a copy of what a reference names does.
  bool traverseCapture(clang::LambdaExpr& lambda, const clang::LambdaCapture& capture, clang::Expr* init) {
    if (!lambda.isInitCapture(&capture)) {
      if (capture.getCaptureKind() == clang::LCK_ByRef) return true;
      if (capture.isImplicit()) {
        if (init && capture.capturesVariable()) addImplicitCapture(lambda, capture, *init);
        return true;
      }
      const clang::SourceRange name =
          init ? init->getSourceRange() : clang::SourceRange(capture.getLocation());
      scope_.findings.veto(scope_.ranges.resolve(name), copiedByCapture);
    }
    return Base::TraverseLambdaCapture(&lambda, &capture, init);
  }

  /// Of `[=]`, which has no name to wrap.
  void addImplicitCapture(const clang::LambdaExpr& lambda, const clang::LambdaCapture& capture,
                          const clang::Expr& init) {
    const clang::ValueDecl& variable = *capture.getCapturedVar();
    const clang::QualType type = variable.getType().getNonReferenceType();
    const Storage storage = storageOf(*nameIn(init));
    if (!scope_.device || scope_.constant > 0 || storage.where != Storage::Where::memory ||
        type->isDependentType())
      return;
    AccessSeen access = seenIn(scope_);
    access.site = describeSite(init, type, scope_);
    access.site.expression = access.site.base = variable.getNameAsString();
    access.site.kind =
        kindOf(type->isRecordType() || type->isArrayType() ? Use::copyFrom : Use::load, type, scope_.ast);
    access.site.space = storage.space;
    access.site.reason = copiedByCapture;
    access.layer = static_cast<Layer>(static_cast<unsigned>(Layer::part) +
                                      static_cast<unsigned>(&capture - lambda.capture_begin()));
    access.range = scope_.ranges.resolveToken(lambda.getCaptureDefaultLoc());
    scope_.findings.add(std::move(access));
  }

  /// What is copied: of an array, element by element.
  static const clang::Expr* nameIn(const clang::Expr& init) {
    const clang::Expr* value = init.IgnoreImplicit();
    if (const auto* made = clang::dyn_cast<clang::CXXConstructExpr>(value); made && made->getNumArgs() == 1)
      value = made->getArg(0)->IgnoreImplicit();
    if (const auto* loop = clang::dyn_cast<clang::ArrayInitLoopExpr>(value))
      value = loop->getCommonExpr()->getSourceExpr()->IgnoreImplicit();
    return value;
  }

  const clang::FunctionDecl* methodFor(const clang::CXXRecordDecl& record) const {
    const clang::FunctionDecl* any = nullptr;
    for (const clang::Decl* decl : record.decls()) {
      const clang::FunctionDecl* method = decl->getAsFunction();
      if (!method) continue;
      if (method->isImplicit()) {
        if (!any && !record.isLambda()) any = method;
        continue;
      }
      if (runsOnDevice(*method)) return method;
      any = method;
    }
    return any;
  }

  /// Whether it names nothing that only the host has. A launch is the host's.
  static bool couldRunOnDevice(const clang::Stmt& stmt) {
    if (clang::isa<clang::CUDAKernelCallExpr>(stmt)) return false;
    const auto ofHost = [](const clang::FunctionDecl& function) {
      return !function.hasAttr<clang::CUDADeviceAttr>() && !function.isImplicit() &&
             !function.isConstexpr() && function.getBuiltinID() == 0;
    };
    if (const auto* name = clang::dyn_cast<clang::DeclRefExpr>(&stmt)) {
      if (const auto* function = clang::dyn_cast<clang::FunctionDecl>(name->getDecl());
          function && ofHost(*function))
        return false;
      const auto* variable = clang::dyn_cast<clang::VarDecl>(name->getDecl());
      if (variable && variable->hasGlobalStorage() && !variable->getType().isConstQualified() &&
          !variable->hasAttr<clang::CUDADeviceAttr>() && !variable->hasAttr<clang::CUDAConstantAttr>() &&
          !variable->hasAttr<clang::CUDASharedAttr>() && !variable->hasAttr<clang::HIPManagedAttr>())
        return false;
    }
    if (const auto* made = clang::dyn_cast<clang::CXXConstructExpr>(&stmt);
        made && ofHost(*made->getConstructor()))
      return false;
    for (const clang::Stmt* child : stmt.children())
      if (child && !couldRunOnDevice(*child)) return false;
    return true;
  }

  static bool isDependent(const clang::Stmt& stmt) {
    const auto* expr = clang::dyn_cast<clang::Expr>(&stmt);
    return expr && expr->isInstantiationDependent();
  }

  static bool isConstant(const clang::Decl& decl) {
    if (const auto* variable = clang::dyn_cast<clang::VarDecl>(&decl)) return variable->isConstexpr();
    return clang::isa<clang::StaticAssertDecl, clang::EnumConstantDecl, clang::FieldDecl>(decl);
  }
  /// `__builtin_assume(p[i] > 0)`: a promise, of which nothing is evaluated.
  static bool isPromise(const clang::Stmt& stmt) {
    const auto* call = clang::dyn_cast<clang::CallExpr>(&stmt);
    if (!call) return false;
    const unsigned builtin = call->getBuiltinCallee();
    return builtin == clang::Builtin::BI__builtin_assume || builtin == clang::Builtin::BI__assume;
  }
  static bool isConstant(const clang::Stmt& stmt) {
    if (isPromise(stmt)) return true;
    return clang::isa<clang::UnaryExprOrTypeTraitExpr, clang::ConstantExpr, clang::CXXNoexceptExpr,
                      clang::CXXTypeidExpr, clang::RequiresExpr, clang::ConceptSpecializationExpr>(stmt);
  }

  bool runsOnDevice(const clang::FunctionDecl& function) const {
    if (hasExplicit<clang::CUDADeviceAttr>(function) || function.hasAttr<clang::CUDAGlobalAttr>())
      return true;
    const auto* method = clang::dyn_cast<clang::CXXMethodDecl>(&function);
    // A lambda that is constexpr because it could be one is none that its author meant for the device.
    const bool lambda = method && method->getParent()->isLambda();
    // Nor is one that launches kernels, though the device could call that as well.
    if (scope_.settings.relaxedConstexpr && function.isConstexpr() && !lambda && !launchesKernels(function))
      return true;
    if (hasExplicit<clang::CUDAHostAttr>(function)) return false;
    // Lambdas and methods of local classes run where the function around them runs.
    return method && (lambda || method->getParent()->isLocalClass()) && scope_.device;
  }

  void show(const clang::Stmt& stmt) {
    const auto* expr = clang::dyn_cast<clang::Expr>(&stmt);
    for (const auto& construct : constructs_) {
      if (scope_.device) {
        construct->onDeviceStatement(stmt, scope_);
        if (expr) construct->onDeviceExpression(*expr, scope_);
      } else if (expr) {
        construct->onHostExpression(*expr, scope_);
      }
    }
  }

  /// A range that is edited once must be bindable in all instantiations and expansions, on the host as well.
  void checkBindable(const clang::Expr& expr) {
    if (!expr.getBeginLoc().isMacroID() && !expr.getEndLoc().isMacroID() && !scope_.instantiated()) return;
    noteOwnPointer(expr, scope_);
    if (const auto* cast = clang::dyn_cast<clang::CStyleCastExpr>(&expr))
      scope_.findings.confirmCast(splitCast(*cast, scope_));
    if (!namesObject(expr)) return;
    const Resolved range = scope_.ranges.resolve(expr.getSourceRange());
    if (scope_.instantiated() && isConstantOrStatic(expr)) scope_.findings.addOther(range);
    if (isNamedTwice(expr, scope_)) return noteNamedTwice(expr, range, scope_);
    if (std::string reason = whyNotBindable(expr); !reason.empty())
      scope_.findings.veto(range, std::move(reason));
    else
      scope_.findings.confirm(range, scope_.device && scope_.constant == 0 && !scope_.dependent());
    if (!range.macro || !(expr.refersToBitField() || isPackedMember(expr))) return;
    if (const FieldPlace place = placeOfField(expr, scope_); place.reason.empty())
      scope_.findings.confirmField(scope_.ranges.resolveWholePart(place.base->getSourceRange(), range));
  }

  /// `p->f<1>()` in a template: of a `p` of the template's own class, compilers know what `f` is. Of a form
  /// around it the class depends on the arguments, and `f` would need `template`.
  void checkTemplateName(const clang::UnresolvedMemberExpr& member) {
    if (member.isImplicitAccess() || !member.hasExplicitTemplateArgs() || member.hasTemplateKeyword() ||
        !member.getBaseType()->isDependentType())
      return;
    scope_.findings.veto(scope_.ranges.resolve(member.getBase()->IgnoreParens()->getSourceRange()),
                         memberTemplate);
  }

  /// What `threadIdx.x` calls.
  static bool readsIndex(const clang::CallExpr& call) {
    const auto* method = clang::dyn_cast_or_null<clang::CXXMethodDecl>(call.getDirectCallee());
    return method && method->getDeclName().isIdentifier() &&
           method->getName().starts_with("__fetch_builtin_");
  }

  Scope scope_;
  std::vector<std::unique_ptr<Construct>> constructs_;
};

}  // namespace

void walk(clang::ASTContext& ast, const Ranges& ranges, Settings settings, Findings& findings) {
  Walker(ast, ranges, settings, findings).TraverseDecl(ast.getTranslationUnitDecl());
}

}  // namespace cui::constructs
