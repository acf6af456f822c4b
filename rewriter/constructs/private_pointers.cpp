#include "constructs/private_pointers.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <set>
#include <vector>

#include "constructs/of_library.h"
#include "constructs/storage.h"
#include "constructs/visitor.h"

namespace cui::constructs {
namespace {

using clang::Expr;
using clang::FunctionDecl;
using clang::VarDecl;

/// What a variable is given: a parameter in one call, a local pointer by its initialiser.
struct Given {
  const VarDecl* variable;
  const Expr* value;
};

/// Collects what variables are given in the unit, and what rules them or their functions out. Patterns of
/// templates are left out: their instantiations do what they do.
class Uses : public Visitor {
 public:
  Uses(clang::ASTContext& ast, bool relocatable) : ast_(ast), relocatable_(relocatable) {}

  bool seesInstantiations() const override { return true; }
  bool seesImplicitCode() const override { return true; }
  bool seesTypes() const override { return false; }

  bool onDeclaration(clang::Decl& declaration) override {
    const auto* function = clang::dyn_cast<FunctionDecl>(&declaration);
    if (function && function->isDependentContext()) return true;
    // A library can call the program's functions only in what it instantiates for the program.
    const clang::SourceManager& manager = ast_.getSourceManager();
    const bool library = isOfLibrary(declaration, manager);
    if (library && ((function && !function->isTemplateInstantiation()) || clang::isa<VarDecl>(declaration)))
      return true;
    if (function && !library && isCandidate(*function)) functions.push_back(function);
    return inside(declaration);
  }
  bool behindLambda(clang::LambdaExpr& lambda) override {
    if (clang::FunctionTemplateDecl* generic = lambda.getLambdaClass()->getDependentLambdaCallOperator())
      for (FunctionDecl* instance : generic->specializations())
        if (!onDeclaration(*instance)) return false;
    return true;
  }

  bool onVariable(VarDecl& variable) override {
    if (clang::isa<clang::ParmVarDecl>(variable) || !variable.hasLocalStorage() || !variable.hasInit() ||
        !variable.getType()->isPointerType())
      return true;
    pointers.push_back(&variable);
    given.push_back({&variable, variable.getInit()});
    return true;
  }
  // What contains others is visited before them: names that are read or called are known to be that when they
  // are met.
  bool onStatement(clang::Stmt& statement) override {
    if (const auto* call = clang::dyn_cast<clang::CallExpr>(&statement))
      onCall(*call);
    else if (const auto* cast = clang::dyn_cast<clang::ImplicitCastExpr>(&statement))
      onCast(*cast);
    else if (const auto* name = clang::dyn_cast<clang::DeclRefExpr>(&statement))
      onName(*name);
    else if (const auto* member = clang::dyn_cast<clang::MemberExpr>(&statement))
      onMember(*member);
    return true;
  }

  std::vector<const FunctionDecl*> functions;
  std::vector<const VarDecl*> pointers;
  std::vector<Given> given;
  /// Functions with which more is done than calling them, pointers with which more is done than reading them.
  std::set<const clang::Decl*> ruledOut;

 private:
  void onCall(const clang::CallExpr& call) {
    const FunctionDecl* callee = call.getDirectCallee();
    const FunctionDecl* definition = callee ? callee->getDefinition() : nullptr;
    if (!definition || clang::isa<clang::CXXOperatorCallExpr>(call)) return;
    called_.insert(call.getCallee()->IgnoreParenImpCasts());
    const unsigned count = std::min(call.getNumArgs(), definition->getNumParams());
    for (unsigned i = 0; i < count; ++i) given.push_back({definition->getParamDecl(i), call.getArg(i)});
  }
  void onCast(const clang::ImplicitCastExpr& cast) {
    if (cast.getCastKind() == clang::CK_LValueToRValue) read_.insert(cast.getSubExpr()->IgnoreParens());
  }
  void onName(const clang::DeclRefExpr& name) {
    if (const auto* function = clang::dyn_cast<FunctionDecl>(name.getDecl())) {
      if (called_.count(&name) == 0) ruledOut.insert(function->getCanonicalDecl());
    } else if (const auto* variable = clang::dyn_cast<VarDecl>(name.getDecl())) {
      if (variable->getType()->isPointerType() && read_.count(&name) == 0) ruledOut.insert(variable);
    }
  }
  void onMember(const clang::MemberExpr& member) {
    if (const auto* method = clang::dyn_cast<clang::CXXMethodDecl>(member.getMemberDecl()))
      if (called_.count(&member) == 0) ruledOut.insert(method->getCanonicalDecl());
  }

  bool isCandidate(const FunctionDecl& function) const {
    const auto* device = function.getAttr<clang::CUDADeviceAttr>();
    if (!function.doesThisDeclarationHaveABody() || !device || device->isImplicit()) return false;
    if (function.hasAttr<clang::CUDAGlobalAttr>() || function.isVariadic() || function.isOverloadedOperator())
      return false;
    if (relocatable_ && function.isExternallyVisible()) return false;
    const auto* method = clang::dyn_cast<clang::CXXMethodDecl>(&function);
    return !method ||
           (!method->isVirtual() &&
            !clang::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl, clang::CXXConversionDecl>(
                method));
  }

  clang::ASTContext& ast_;
  bool relocatable_;
  std::set<const Expr*> called_, read_;
};

void annotate(clang::ASTContext& ast, const VarDecl& variable) {
  const_cast<VarDecl&>(variable).addAttr(
      clang::AnnotateAttr::CreateImplicit(ast, privateAnnotation, nullptr, 0));
}

void takeBack(const VarDecl& variable) {
  clang::AttrVec& attributes = const_cast<VarDecl&>(variable).getAttrs();
  llvm::erase_if(attributes, [](const clang::Attr* attribute) {
    const auto* annotation = clang::dyn_cast<clang::AnnotateAttr>(attribute);
    return annotation && annotation->getAnnotation() == privateAnnotation;
  });
  if (attributes.empty()) const_cast<VarDecl&>(variable).dropAttrs();
}

bool leadsToMemory(const Given& given) {
  const Storage storage =
      given.variable->getType()->isReferenceType() ? storageOf(*given.value) : storageOfPointer(*given.value);
  return storage.where == Storage::Where::memory;
}

}  // namespace

void markPrivatePointers(clang::ASTContext& ast, bool relocatable) {
  Uses uses(ast, relocatable);
  uses.traverse(*ast.getTranslationUnitDecl());
  std::set<const VarDecl*> candidates;
  for (const VarDecl* pointer : uses.pointers)
    if (uses.ruledOut.count(pointer) == 0) candidates.insert(pointer);
  for (const FunctionDecl* function : uses.functions)
    if (uses.ruledOut.count(function->getCanonicalDecl()) == 0)
      for (const clang::ParmVarDecl* parameter : function->parameters())
        if ((parameter->getType()->isPointerType() || parameter->getType()->isReferenceType()) &&
            uses.ruledOut.count(parameter) == 0)
          candidates.insert(parameter);
  // A function that nobody calls tells nothing.
  std::set<const VarDecl*> marked;
  std::vector<Given> given;
  for (const Given& one : uses.given)
    if (candidates.count(one.variable) != 0) {
      marked.insert(one.variable);
      given.push_back(one);
    }
  // All are taken to be private until something else is found, which may change what others are given.
  for (const VarDecl* variable : marked) annotate(ast, *variable);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Given& one : given)
      if (marked.count(one.variable) != 0 && leadsToMemory(one)) {
        takeBack(*one.variable);
        marked.erase(one.variable);
        changed = true;
      }
  }
}

}  // namespace cui::constructs
