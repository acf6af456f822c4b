#include "constructs/quiet.h"

#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/STLExtras.h>

#include "constructs/of_library.h"
#include "constructs/plain_value.h"
#include "constructs/use.h"

namespace cui::constructs {
namespace {

using clang::Expr;

bool isNumber(clang::QualType type) {
  type = type.getNonReferenceType();
  return (type->isArithmeticType() || isToolkitNumber(type)) && !type.isVolatileQualified();
}

bool takesValues(const clang::FunctionDecl& function) {
  return function.getNumParams() > 0 &&
         llvm::all_of(function.parameters(), [](const clang::ParmVarDecl* parameter) {
           const clang::QualType type = parameter->getType();
           const clang::QualType value = type.getNonReferenceType();
           return !value->isPointerType() && !value.isVolatileQualified() &&
                  (!type->isReferenceType() || value.isConstQualified());
         });
}

bool takesNumbers(const clang::FunctionDecl& function) {
  return takesValues(function) &&
         llvm::all_of(function.parameters(),
                      [](const clang::ParmVarDecl* parameter) { return isNumber(parameter->getType()); });
}

/// A function of the toolkit's on numbers, which waits for nobody.
bool isQuietFunction(const clang::FunctionDecl& function, const clang::SourceManager& manager) {
  if (!function.getDeclName().isIdentifier()) return false;
  if (!isOfLibrary(function, manager) && function.getBuiltinID() == 0) return false;
  const llvm::StringRef name = function.getName();
  for (const char* other : {"sync", "shfl", "ballot", "barrier", "fence", "sleep", "trap", "assert"})
    if (name.contains(other)) return false;
  return isNumber(function.getReturnType()) && takesNumbers(function);
}

/// An operator of the toolkit's on numbers and vectors of them, or what makes a vector.
bool isLibraryArithmetic(const clang::FunctionDecl& function, const clang::SourceManager& manager) {
  return !function.getReturnType()->isVoidType() && isOfLibrary(function, manager) &&
         (function.isOverloadedOperator() ||
          (function.getDeclName().isIdentifier() && function.getName().starts_with("make_")));
}

/// Copies as the language does, or makes or converts one of the toolkit's numbers.
bool isQuietMethod(const clang::CXXMethodDecl& method) {
  if (method.isTrivial()) return true;
  return isToolkitNumber(method.getFunctionObjectParameterType()) &&
         (clang::isa<clang::CXXConversionDecl>(method) ||
          (clang::isa<clang::CXXConstructorDecl>(method) && takesNumbers(method)));
}

bool isQuietCallee(const clang::FunctionDecl& function, const clang::SourceManager& manager) {
  if (const auto* method = clang::dyn_cast<clang::CXXMethodDecl>(&function)) return isQuietMethod(*method);
  return takesValues(function) &&
         (isQuietFunction(function, manager) || isLibraryArithmetic(function, manager));
}

}  // namespace

bool isPlainAssignment(const clang::CallExpr& call) {
  const auto* assignment = clang::dyn_cast<clang::CXXOperatorCallExpr>(&call);
  const auto* method = clang::dyn_cast_or_null<clang::CXXMethodDecl>(call.getDirectCallee());
  return assignment && assignment->getOperator() == clang::OO_Equal && method &&
         (method->isTrivial() || isToolkitNumber(method->getFunctionObjectParameterType()));
}

bool isQuietExpression(const Expr& expr, const clang::SourceManager& manager) {
  if (const auto* call = clang::dyn_cast<clang::CallExpr>(&expr))
    return isPlainAssignment(*call) ||
           (call->getDirectCallee() && isQuietCallee(*call->getDirectCallee(), manager));
  if (const auto* construction = clang::dyn_cast<clang::CXXConstructExpr>(&expr))
    return isQuietMethod(*construction->getConstructor());
  return clang::isa<clang::UnaryOperator, clang::BinaryOperator, clang::ParenExpr, clang::CastExpr,
                    clang::FullExpr, clang::ArraySubscriptExpr, clang::MemberExpr, clang::DeclRefExpr,
                    clang::CXXThisExpr, clang::ConditionalOperator, clang::MaterializeTemporaryExpr,
                    clang::SubstNonTypeTemplateParmExpr, clang::IntegerLiteral, clang::FloatingLiteral,
                    clang::CharacterLiteral, clang::CXXBoolLiteralExpr, clang::CXXNullPtrLiteralExpr,
                    clang::InitListExpr, clang::ImplicitValueInitExpr, clang::CXXScalarValueInitExpr>(expr);
}

bool isRepeatable(const clang::Stmt& stmt, const clang::SourceManager& manager) {
  if (clang::isa<clang::UnaryExprOrTypeTraitExpr, clang::ConstantExpr>(stmt)) return true;
  if (const auto* pseudo = clang::dyn_cast<clang::PseudoObjectExpr>(&stmt))
    return !indexOf(*pseudo).name.empty();
  const auto* expr = clang::dyn_cast<Expr>(&stmt);
  if (!expr || !isQuietExpression(*expr, manager)) return false;
  if (const auto* call = clang::dyn_cast<clang::CallExpr>(expr); call && isPlainAssignment(*call))
    return false;
  if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(expr);
      unary && unary->isIncrementDecrementOp())
    return false;
  if (const auto* binary = clang::dyn_cast<clang::BinaryOperator>(expr); binary && binary->isAssignmentOp())
    return false;
  if (const auto* cast = clang::dyn_cast<clang::CastExpr>(expr);
      cast && cast->getCastKind() == clang::CK_LValueToRValue &&
      cast->getSubExpr()->getType().isVolatileQualified())
    return false;
  return llvm::all_of(stmt.children(), [&manager](const clang::Stmt* child) {
    return !child || isRepeatable(*child, manager);
  });
}

}  // namespace cui::constructs
