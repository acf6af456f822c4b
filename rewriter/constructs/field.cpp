#include "constructs/field.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecordLayout.h>

#include "constructs/clang_version.h"

namespace cui::constructs {
namespace {

/// A bit field's storage unit is the naturally aligned object of its declared type that holds it.
std::string measureBitField(const clang::FieldDecl& field, std::uint64_t bits, const clang::ASTContext& ast,
                            Measures& measures) {
  const auto unit = static_cast<std::uint64_t>(ast.getTypeSize(field.getType()));
  const std::uint64_t start = bits / unit * unit;
  if (bits + compat::bitWidthOf(field) > start + unit) return "a bit field that straddles its storage units";
  measures = {static_cast<long>(unit / 8), static_cast<long>(start / 8)};
  return "";
}

}  // namespace

bool isPacked(const clang::FieldDecl& field) {
  const clang::RecordDecl& structure = *field.getParent();
  if (field.hasAttr<clang::PackedAttr>() || structure.hasAttr<clang::PackedAttr>()) return true;
  // `#pragma pack` marks structures that need not be smaller for it.
  if (!structure.hasAttr<clang::MaxFieldAlignmentAttr>() || structure.isInvalidDecl()) return false;
  if (structure.isDependentContext() || field.getType()->isDependentType()) return true;
  const clang::ASTContext& ast = field.getASTContext();
  return ast.getDeclAlign(&field) < ast.getTypeAlignInChars(field.getType());
}

bool isPackedMember(const clang::Expr& glvalue) {
  const auto* member = clang::dyn_cast<clang::MemberExpr>(glvalue.IgnoreParens());
  const auto* field = member ? clang::dyn_cast<clang::FieldDecl>(member->getMemberDecl()) : nullptr;
  return field && isPacked(*field);
}

bool isElementOfPackedMember(const clang::Expr& glvalue) {
  const clang::Expr* array = &glvalue;
  while (const auto* element = clang::dyn_cast<clang::ArraySubscriptExpr>(array->IgnoreParens())) {
    const auto* decay = clang::dyn_cast<clang::ImplicitCastExpr>(element->getBase()->IgnoreParens());
    if (!decay || decay->getCastKind() != clang::CK_ArrayToPointerDecay) return false;
    array = decay->getSubExpr();
    if (isPackedMember(*array)) return true;
  }
  return false;
}

FieldPlace placeOfField(const clang::Expr& glvalue, const clang::ASTContext& ast) {
  FieldPlace place;
  const auto* member = clang::dyn_cast<clang::MemberExpr>(glvalue.IgnoreParens());
  const auto* field = member ? clang::dyn_cast<clang::FieldDecl>(member->getMemberDecl()) : nullptr;
  if (!field || field->getParent()->isDependentContext() || field->getType()->isDependentType()) {
    place.reason = "not a plain member";
    return place;
  }
  place.bitField = field->isBitField();
  // From the member outwards through anonymous structures, which the source does not name.
  std::uint64_t bits = 0;
  for (;;) {
    const auto* step = clang::cast<clang::FieldDecl>(member->getMemberDecl());
    if (step->getParent()->isInvalidDecl()) {
      place.reason = "its structure is not understood";
      return place;
    }
    bits += ast.getASTRecordLayout(step->getParent()).getFieldOffset(step->getFieldIndex());
    const auto* around = clang::dyn_cast<clang::MemberExpr>(member->getBase()->IgnoreParens());
    const auto* anonymous = around ? clang::dyn_cast<clang::FieldDecl>(around->getMemberDecl()) : nullptr;
    if (!anonymous || !anonymous->isAnonymousStructOrUnion()) break;
    member = around;
  }
  if (place.bitField)
    place.reason = measureBitField(*field, bits, ast, place.measures);
  else
    place.measures = {static_cast<long>(ast.getTypeSizeInChars(field->getType()).getQuantity()),
                      static_cast<long>(bits / 8)};
  if (!place.reason.empty()) return place;

  place.base = member->getBase();
  const clang::Expr* written = place.base->IgnoreParens();
  if (clang::isa<clang::CXXThisExpr>(written) && clang::cast<clang::CXXThisExpr>(written)->isImplicit())
    place.reason = "a bit field or packed member named without its object";
  else if (const auto* cast = clang::dyn_cast<clang::ImplicitCastExpr>(written);
           cast && (cast->getCastKind() == clang::CK_DerivedToBase ||
                    cast->getCastKind() == clang::CK_UncheckedDerivedToBase))
    place.reason = "a bit field or packed member of a base class";
  else if (clang::isa<clang::CXXOperatorCallExpr>(written) && member->isArrow())
    place.reason = "a bit field or packed member behind an overloaded ->";
  else if (!member->isArrow() && !place.base->isLValue())
    place.reason = "a bit field or packed member of a temporary";
  else if (!member->isArrow() && isPackedMember(*place.base) &&
           ast.getTypeAlignInChars(place.base->getType()).getQuantity() > 1)
    place.reason = "a member of a member of a packed structure";
  else if (place.base->refersToVectorElement())
    place.reason = "an element of a vector register";
  place.form = member->isArrow() ? edit::Form::CUI_ARROW_FIELD : edit::Form::CUI_FIELD;
  return place;
}

}  // namespace cui::constructs
