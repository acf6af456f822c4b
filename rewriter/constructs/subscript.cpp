// a[i]: of a pointer, an array of any number of dimensions (only the last step reads), a vector type.
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Expr.h>

#include <llvm/ADT/STLExtras.h>

#include "constructs/access.h"
#include "constructs/catalogue.h"

namespace cui::constructs {
namespace {

/// By the program's text, for all arguments or for some.
bool isSpecialised(clang::ClassTemplateDecl& of) {
  llvm::SmallVector<clang::ClassTemplatePartialSpecializationDecl*, 4> some;
  of.getPartialSpecializations(some);
  return !some.empty() || llvm::any_of(of.specializations(), [](const auto* one) {
    return one->getSpecializationKind() == clang::TSK_ExplicitSpecialization;
  });
}

/// No reference, whatever the template's arguments are.
bool isObject(clang::QualType type) {
  return !type->isReferenceType() && (type->getAsCXXRecordDecl() || !type->isDependentType());
}

/// `bits[i]` in a template that nothing instantiates, where all that may be called returns objects: these
/// are in no memory, and need not be such that a function could hand them on.
bool isReturnedObject(const clang::ArraySubscriptExpr& subscript) {
  if (!subscript.isTypeDependent()) return false;
  const auto* type = subscript.getLHS()->getType()->getAs<clang::TemplateSpecializationType>();
  auto* of = clang::dyn_cast_or_null<clang::ClassTemplateDecl>(
      type ? type->getTemplateName().getAsTemplateDecl() : nullptr);
  const clang::CXXRecordDecl* record = of ? of->getTemplatedDecl()->getDefinition() : nullptr;
  if (!record || isSpecialised(*of)) return false;
  const auto operators =
      record->lookup(record->getASTContext().DeclarationNames.getCXXOperatorName(clang::OO_Subscript));
  return !operators.empty() && llvm::all_of(operators, [](const clang::NamedDecl* one) {
    const clang::FunctionDecl* function = one->getAsFunction();
    return function && isObject(function->getReturnType());
  });
}

class Subscript : public Construct {
  void onDeviceExpression(const clang::Expr& expr, Scope& scope) const override {
    const auto* subscript = clang::dyn_cast<clang::ArraySubscriptExpr>(&expr);
    if (subscript && !isReturnedObject(*subscript)) reportAccess(expr, scope);
  }
};

}  // namespace

std::unique_ptr<Construct> makeSubscript() {
  return std::make_unique<Subscript>();
}

}  // namespace cui::constructs
