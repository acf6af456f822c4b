#include "constructs/plain_value.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>

#include "constructs/storage.h"

namespace cui::constructs {
namespace {

using clang::Expr;

bool isArithmetic(clang::QualType type) {
  return type->isIntegralOrEnumerationType() && !type.isVolatileQualified();
}

/// A private variable, or a member of one.
bool isPrivate(const Expr& glvalue) {
  const Expr* object = glvalue.IgnoreParens();
  while (const auto* member = clang::dyn_cast<clang::MemberExpr>(object)) {
    if (member->isArrow() || !clang::isa<clang::FieldDecl>(member->getMemberDecl())) return false;
    object = member->getBase()->IgnoreParens();
  }
  const auto* name = clang::dyn_cast<clang::DeclRefExpr>(object);
  return name && clang::isa<clang::VarDecl>(name->getDecl()) && !name->getType().isVolatileQualified() &&
         storageOf(glvalue).where == Storage::Where::privateObject;
}

/// `constexpr int tile = 16`
bool isConstant(const Expr& glvalue) {
  const auto* name = clang::dyn_cast<clang::DeclRefExpr>(&glvalue);
  const auto* variable = name ? clang::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  return variable && variable->isUsableInConstantExpressions(variable->getASTContext());
}

/// As isPlainPlace(), of what a pointer points to.
bool isPlainPointer(const Expr& pointer) {
  const Expr* value = pointer.IgnoreParens();
  if (clang::isa<clang::CXXThisExpr>(value)) return true;
  if (const auto* cast = clang::dyn_cast<clang::CastExpr>(value)) {
    const Expr& from = *cast->getSubExpr();
    switch (cast->getCastKind()) {
      case clang::CK_LValueToRValue:
        return isPrivate(from);
      case clang::CK_ArrayToPointerDecay:
        return isPlainPlace(from);
      case clang::CK_NoOp:
      case clang::CK_BitCast:
        return isPlainPointer(from);
      default:
        return false;
    }
  }
  if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(value))
    return unary->getOpcode() == clang::UO_AddrOf && isPlainPlace(*unary->getSubExpr());
  const auto* binary = clang::dyn_cast<clang::BinaryOperator>(value);
  if (!binary || !binary->isAdditiveOp()) return false;
  const Expr &left = *binary->getLHS(), &right = *binary->getRHS();
  return left.getType()->isPointerType() ? isPlainPointer(left) && isPlainValue(right)
                                         : isPlainValue(left) && isPlainPointer(right);
}

}  // namespace

ThreadIndexName indexOf(const clang::PseudoObjectExpr& expr) {
  const auto* property = clang::dyn_cast<clang::MSPropertyRefExpr>(expr.getSyntacticForm());
  const Expr* base = property ? property->getBaseExpr()->IgnoreParenImpCasts() : nullptr;
  if (const auto* opaque = clang::dyn_cast_or_null<clang::OpaqueValueExpr>(base))
    base = opaque->getSourceExpr();
  const auto* name = base ? clang::dyn_cast<clang::DeclRefExpr>(base->IgnoreParenImpCasts()) : nullptr;
  if (!name || !name->getDecl()->getIdentifier()) return {};
  const llvm::StringRef text = name->getDecl()->getName();
  if (text != "threadIdx" && text != "blockIdx" && text != "blockDim" && text != "gridDim") return {};
  return {text, property->getPropertyDecl()->getName()};
}

bool isPlainPlace(const Expr& glvalue) {
  const Expr* object = glvalue.IgnoreParens();
  if (object->isTypeDependent()) return false;
  if (const auto* name = clang::dyn_cast<clang::DeclRefExpr>(object))
    return clang::isa<clang::VarDecl>(name->getDecl());
  if (const auto* subscript = clang::dyn_cast<clang::ArraySubscriptExpr>(object))
    return isPlainPointer(*subscript->getBase()) && isPlainValue(*subscript->getIdx());
  if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(object))
    return unary->getOpcode() == clang::UO_Deref && isPlainPointer(*unary->getSubExpr());
  if (const auto* member = clang::dyn_cast<clang::MemberExpr>(object)) {
    if (!clang::isa<clang::FieldDecl>(member->getMemberDecl())) return false;
    // What a reference names is found by reading the object that it is in.
    if (member->getMemberDecl()->getType()->isReferenceType() &&
        (member->isArrow() || storageOf(*member->getBase()).where == Storage::Where::memory))
      return false;
    return member->isArrow() ? isPlainPointer(*member->getBase()) : isPlainPlace(*member->getBase());
  }
  const auto* cast = clang::dyn_cast<clang::CastExpr>(object);
  return cast && (cast->getCastKind() == clang::CK_NoOp || cast->getCastKind() == clang::CK_LValueBitCast) &&
         isPlainPlace(*cast->getSubExpr());
}

bool isPlainValue(const Expr& expr) {
  if (expr.isTypeDependent() || !isArithmetic(expr.getType())) return false;
  const Expr* value = expr.IgnoreParenImpCasts();
  if (clang::isa<clang::IntegerLiteral, clang::CXXBoolLiteralExpr, clang::CharacterLiteral,
                 clang::UnaryExprOrTypeTraitExpr, clang::SubstNonTypeTemplateParmExpr>(value))
    return true;
  if (const auto* full = clang::dyn_cast<clang::FullExpr>(value)) return isPlainValue(*full->getSubExpr());
  if (const auto* cast = clang::dyn_cast<clang::ExplicitCastExpr>(value))
    return isPlainValue(*cast->getSubExpr());
  if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(value))
    return unary->isArithmeticOp() && isPlainValue(*unary->getSubExpr());
  if (const auto* binary = clang::dyn_cast<clang::BinaryOperator>(value))
    return !binary->isAssignmentOp() && !binary->isCommaOp() && isPlainValue(*binary->getLHS()) &&
           isPlainValue(*binary->getRHS());
  if (const auto* conditional = clang::dyn_cast<clang::ConditionalOperator>(value))
    return isPlainValue(*conditional->getCond()) && isPlainValue(*conditional->getTrueExpr()) &&
           isPlainValue(*conditional->getFalseExpr());
  if (const auto* pseudo = clang::dyn_cast<clang::PseudoObjectExpr>(value))
    return !indexOf(*pseudo).name.empty();
  if (const auto* name = clang::dyn_cast<clang::DeclRefExpr>(value);
      name && clang::isa<clang::EnumConstantDecl, clang::NonTypeTemplateParmDecl>(name->getDecl()))
    return true;
  return isConstant(*value) ||
         (clang::isa<clang::DeclRefExpr, clang::MemberExpr>(value) && isPrivate(*value));
}

}  // namespace cui::constructs
