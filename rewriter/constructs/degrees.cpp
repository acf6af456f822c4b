#include "constructs/degrees.h"

#include <clang/AST/ExprCXX.h>

#include <algorithm>

namespace cui::constructs {

using clang::Expr;

const clang::VarDecl* variableIn(const Expr& expr) {
  const auto* name = clang::dyn_cast<clang::DeclRefExpr>(expr.IgnoreParenImpCasts());
  return name ? clang::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
}

bool readsVariable(const clang::CastExpr& cast) {
  if (cast.getCastKind() != clang::CK_LValueToRValue) return false;
  const Expr* object = cast.getSubExpr()->IgnoreParens();
  while (const auto* member = clang::dyn_cast<clang::MemberExpr>(object)) {
    if (member->isArrow()) return false;
    object = member->getBase()->IgnoreParens();
  }
  return clang::isa<clang::DeclRefExpr>(object);
}

const Expr* initOf(const clang::VarDecl& variable) {
  const Expr* init = variable.getInit();
  const auto* list = clang::dyn_cast_or_null<clang::InitListExpr>(init);
  return list ? list->getNumInits() == 1 ? list->getInit(0) : nullptr : init;
}

int Degrees::degree(const Expr& expr) const {
  const Expr* value = expr.IgnoreParens();
  if (const auto* full = clang::dyn_cast<clang::FullExpr>(value)) return degree(*full->getSubExpr());
  if (const auto* cast = clang::dyn_cast<clang::CastExpr>(value)) {
    const Expr& from = *cast->getSubExpr();
    if (cast->getCastKind() == clang::CK_LValueToRValue) {
      const Expr* object = from.IgnoreParens();
      const bool member = clang::isa<clang::MemberExpr>(object);
      while (const auto* part = clang::dyn_cast<clang::MemberExpr>(object))
        object = part->getBase()->IgnoreParens();
      const clang::VarDecl* variable = variableIn(*object);
      return variable ? member ? degreeOfMembers(*variable) : degreeOf(*variable) : uneven;
    }
    const int inner = degree(from);
    const bool keeps = cast->getCastKind() == clang::CK_IntegralCast || cast->getCastKind() == clang::CK_NoOp;
    // What is cut to fewer than 32 bits begins anew on the way; where 32 do, the recorder sees it.
    const bool wide =
        expr.getType()->isIntegerType() && (ast_.getTypeSize(expr.getType()) >= 32 || inner == 0);
    return keeps && wide ? inner : inner == 0 ? 0 : uneven;
  }
  if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(value)) {
    const int inner = degree(*unary->getSubExpr());
    const clang::UnaryOperatorKind kind = unary->getOpcode();
    const bool keeps = kind == clang::UO_Plus || kind == clang::UO_Minus || kind == clang::UO_Not;
    return keeps || inner == 0 ? inner : uneven;
  }
  if (const auto* binary = clang::dyn_cast<clang::BinaryOperator>(value)) {
    const int left = degree(*binary->getLHS()), right = degree(*binary->getRHS());
    if (left == 0 && right == 0) return 0;
    if (binary->isAdditiveOp()) return std::max(left, right);
    if (binary->getOpcode() == clang::BO_Mul) return std::min(left + right, uneven);
    return binary->getOpcode() == clang::BO_Shl && right == 0 ? left : uneven;
  }
  if (const auto* choice = clang::dyn_cast<clang::ConditionalOperator>(value)) {
    const bool steady = degree(*choice->getCond()) == 0 && degree(*choice->getTrueExpr()) == 0 &&
                        degree(*choice->getFalseExpr()) == 0;
    return steady ? 0 : uneven;
  }
  if (const auto* name = clang::dyn_cast<clang::DeclRefExpr>(value))
    if (const auto* variable = clang::dyn_cast<clang::VarDecl>(name->getDecl())) return degreeOf(*variable);
  // The size of an object that might be the body's own.
  if (const auto* trait = clang::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(value))
    return trait->isArgumentType() ? 0 : uneven;
  if (const auto* index = clang::dyn_cast<clang::PseudoObjectExpr>(value)) return degreeOfIndex(*index);
  if (clang::isa<clang::CallExpr>(value)) return uneven;  // a pointer's distance is not looked at before
  return 0;  // a literal: isPlainValue() lets nothing else through
}

int Degrees::degreeOfPointer(const Expr& pointer) const {
  const Expr* value = pointer.IgnoreParens();
  if (clang::isa<clang::CXXThisExpr>(value)) return 0;
  if (const auto* cast = clang::dyn_cast<clang::CastExpr>(value)) {
    const Expr& from = *cast->getSubExpr();
    switch (cast->getCastKind()) {
      case clang::CK_LValueToRValue:
        return degree(pointer);
      case clang::CK_ArrayToPointerDecay:
        return degreeOfPlace(from);
      case clang::CK_NoOp:
      case clang::CK_BitCast:
        return degreeOfPointer(from);
      default:
        return uneven;
    }
  }
  if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(value))
    return unary->getOpcode() == clang::UO_AddrOf ? degreeOfPlace(*unary->getSubExpr()) : uneven;
  const auto* binary = clang::dyn_cast<clang::BinaryOperator>(value);
  if (!binary || !binary->isAdditiveOp()) return uneven;
  const Expr &left = *binary->getLHS(), &right = *binary->getRHS();
  return left.getType()->isPointerType() ? std::max(degreeOfPointer(left), degree(right))
                                         : std::max(degree(left), degreeOfPointer(right));
}

int Degrees::degreeOfPlace(const Expr& place) const {
  const Expr* object = place.IgnoreParens();
  if (const auto* name = clang::dyn_cast<clang::DeclRefExpr>(object)) {
    const auto* variable = clang::dyn_cast<clang::VarDecl>(name->getDecl());
    return variable ? degreeOfLocation(*variable) : uneven;
  }
  if (const auto* subscript = clang::dyn_cast<clang::ArraySubscriptExpr>(object))
    return std::max(degreeOfPointer(*subscript->getBase()), degree(*subscript->getIdx()));
  if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(object))
    return unary->getOpcode() == clang::UO_Deref ? degreeOfPointer(*unary->getSubExpr()) : uneven;
  if (const auto* member = clang::dyn_cast<clang::MemberExpr>(object))
    return member->isArrow() ? degreeOfPointer(*member->getBase()) : degreeOfPlace(*member->getBase());
  const auto* cast = clang::dyn_cast<clang::CastExpr>(object);
  return cast ? degreeOfPlace(*cast->getSubExpr()) : uneven;
}

}  // namespace cui::constructs
