#include "constructs/field.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecordLayout.h>

#include <vector>

#include "constructs/clang_version.h"
#include "constructs/class_names.h"
#include "constructs/plain_value.h"
#include "constructs/quiet.h"

namespace cui::constructs {
namespace {

/// Of a field that begins so many bits into its structure. A bit field's storage unit is the naturally
/// aligned object of its declared type that holds it.
std::string measure(const clang::FieldDecl& field, std::uint64_t bits, const clang::ASTContext& ast,
                    Measures& measures) {
  if (!field.isBitField()) {
    measures = {static_cast<long>(ast.getTypeSizeInChars(field.getType()).getQuantity()),
                static_cast<long>(bits / 8)};
    return "";
  }
  const auto unit = static_cast<std::uint64_t>(ast.getTypeSize(field.getType()));
  const std::uint64_t start = bits / unit * unit;
  if (bits + compat::bitWidthOf(field) > start + unit) return "a bit field that straddles its storage units";
  measures = {static_cast<long>(unit / 8), static_cast<long>(start / 8)};
  return "";
}

constexpr char notUnderstood[] = "its structure is not understood";

bool addOffset(const clang::FieldDecl& field, std::uint64_t& bits, const clang::ASTContext& ast) {
  const clang::RecordDecl& structure = *field.getParent();
  if (structure.isInvalidDecl() || structure.isDependentContext()) return false;
  bits += ast.getASTRecordLayout(&structure).getFieldOffset(field.getFieldIndex());
  return true;
}

/// Steps over conversions to base classes, which the source does not spell, and adds where the last of them
/// lies: in the last virtual base on the way, whose own place is not known, if there is one. That is the
/// result.
clang::QualType skipBaseClasses(const clang::Expr*& object, std::uint64_t& bits, bool& understood,
                                const clang::ASTContext& ast) {
  std::vector<const clang::CXXBaseSpecifier*> way;
  const auto* cast = clang::dyn_cast<clang::ImplicitCastExpr>(object);
  while (cast && (cast->getCastKind() == clang::CK_DerivedToBase ||
                  cast->getCastKind() == clang::CK_UncheckedDerivedToBase)) {
    way.insert(way.begin(), cast->path_begin(), cast->path_end());
    object = cast->getSubExpr()->IgnoreParens();
    cast = clang::dyn_cast<clang::ImplicitCastExpr>(object);
  }
  clang::QualType fromVirtual;
  const clang::QualType type = object->getType();
  const clang::CXXRecordDecl* record =
      (type->isPointerType() ? type->getPointeeType() : type)->getAsCXXRecordDecl();
  for (const clang::CXXBaseSpecifier* step : way) {
    const clang::CXXRecordDecl* base = step->getType()->getAsCXXRecordDecl();
    if (step->isVirtual()) {
      fromVirtual = step->getType().getCanonicalType();
      bits = 0;
    } else if (!record || record->isInvalidDecl()) {
      understood = false;
      break;
    } else {
      bits += ast.toBits(ast.getASTRecordLayout(record).getBaseClassOffset(base));
    }
    record = base;
  }
  return fromVirtual;
}

/// The array or the structure that the source says `part` is in; null if it says none. What a reference leads
/// to lies elsewhere.
const clang::Expr* wholeOf(const clang::Expr& part) {
  const clang::Expr* named = part.IgnoreParenImpCasts();
  const clang::Expr* whole = nullptr;
  if (const auto* element = clang::dyn_cast<clang::ArraySubscriptExpr>(named)) {
    const auto* decay = clang::dyn_cast<clang::ImplicitCastExpr>(element->getBase()->IgnoreParens());
    if (decay && decay->getCastKind() == clang::CK_ArrayToPointerDecay) whole = decay->getSubExpr();
  } else if (const auto* member = clang::dyn_cast<clang::MemberExpr>(named)) {
    if (!member->isArrow()) whole = member->getBase();
  }
  const auto* outer = whole ? clang::dyn_cast<clang::MemberExpr>(whole->IgnoreParenImpCasts()) : nullptr;
  return outer && outer->getMemberDecl()->getType()->isReferenceType() ? nullptr : whole;
}

/// In a member of a packed structure, at an address that its own type may not allow.
bool isWithinPackedMember(const clang::Expr& glvalue, const clang::ASTContext& ast) {
  const clang::QualType type = glvalue.getType();
  if (!glvalue.isLValue() || type->isDependentType() || type->isIncompleteType() ||
      ast.getTypeAlignInChars(type).getQuantity() <= 1)
    return false;
  for (const clang::Expr* whole = wholeOf(glvalue); whole; whole = wholeOf(*whole))
    if (isPackedMember(*whole->IgnoreParenImpCasts())) return true;
  return false;
}

/// Of what is behind the structure in the source, a copy that nvcc chooses by: of a name with its class it
/// does so only where that, too, depends on the object.
std::string nameOf(const clang::MemberExpr& member, const Scope& scope) {
  const std::string name = member.getMemberDecl()->getNameAsString();
  if (!member.hasQualifier()) return name;
  const std::string inFront = classInFront(member, scope);
  return inFront.empty() ? "" : edit::nameInClass(inFront, name);
}

}  // namespace

bool isArrow(const clang::Expr& object) {
  const auto* call = clang::dyn_cast<clang::CXXOperatorCallExpr>(object.IgnoreImplicit());
  return call && call->getOperator() == clang::OO_Arrow;
}

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

FieldPlace placeOfField(const clang::Expr& glvalue, const Scope& scope) {
  const clang::ASTContext& ast = scope.ast;
  FieldPlace place;
  const auto* member = clang::dyn_cast<clang::MemberExpr>(glvalue.IgnoreParens());
  const auto* field = member ? clang::dyn_cast<clang::FieldDecl>(member->getMemberDecl()) : nullptr;
  if (!field || field->getParent()->isDependentContext() || field->getType()->isDependentType()) {
    place.reason = "not a plain member";
    return place;
  }
  place.bitField = field->isBitField();
  // From the member outwards through anonymous structures, which the source does not name.
  std::uint64_t bits = 0;  // in the innermost structure; `around` is where that lies in the wrapped one
  std::uint64_t around = 0;
  for (;;) {
    const auto* step = clang::cast<clang::FieldDecl>(member->getMemberDecl());
    if (!addOffset(*step, bits, ast)) {
      place.reason = notUnderstood;
      return place;
    }
    const auto* outer = clang::dyn_cast<clang::MemberExpr>(member->getBase()->IgnoreParens());
    const auto* anonymous = outer ? clang::dyn_cast<clang::FieldDecl>(outer->getMemberDecl()) : nullptr;
    if (!anonymous || !anonymous->isAnonymousStructOrUnion()) break;
    member = outer;
  }
  place.base = member->getBase();
  const clang::Expr* written = place.base->IgnoreParens();
  // Where that lies only the object tells. What has an address can be asked for it.
  bool understood = true;
  const clang::QualType virtualBase = skipBaseClasses(written, around, understood, ast);
  if (!understood) {
    place.reason = notUnderstood;
    return place;
  }
  if (!virtualBase.isNull()) {
    place.name = nameHere(virtualBase, scope);
    if (place.name.empty()) {
      place.reason = "a bit field or packed member of a virtual base class that has no name here";
      return place;
    }
  }
  place.reason = measure(*field, bits, ast, place.measures);
  if (!place.reason.empty()) return place;
  place.measures.second += static_cast<long>(around / 8);

  // Where what the name is may depend on the instantiation.
  if (virtualBase.isNull() && scope.instantiated())
    place.name = nameOf(*clang::cast<clang::MemberExpr>(glvalue.IgnoreParens()), scope);
  if (clang::isa<clang::CXXThisExpr>(written) && clang::cast<clang::CXXThisExpr>(written)->isImplicit()) {
    place.base = &glvalue;
    place.form = virtualBase.isNull() ? edit::Form::CUI_THIS_FIELD : edit::Form::CUI_THIS_BASE_FIELD;
    return place;
  }
  if (const auto* arrow = clang::dyn_cast<clang::CXXOperatorCallExpr>(written); arrow && member->isArrow()) {
    place.base = arrow->getArg(0);
    if (isArrow(*place.base) || !written->getType()->isPointerType())
      place.reason = "a bit field or packed member behind several overloaded ->";
  } else if (!member->isArrow() && !place.base->isLValue()) {
    place.reason = "a bit field or packed member of a temporary";
  } else if (!member->isArrow() && (isWithinPackedMember(*place.base, ast) ||
                                    (isPackedMember(*place.base) &&
                                     ast.getTypeAlignInChars(place.base->getType()).getQuantity() > 1))) {
    place.reason = "a bit field in a member of a packed structure";
  } else if (place.base->refersToVectorElement()) {
    place.reason = "an element of a vector register";
  }
  if (!virtualBase.isNull()) {
    place.form = member->isArrow() ? edit::Form::CUI_ARROW_BASE_FIELD : edit::Form::CUI_BASE_FIELD;
    return place;
  }
  place.form = member->isArrow() ? edit::Form::CUI_ARROW_FIELD : edit::Form::CUI_FIELD;
  return place;
}

bool isNamedTwice(const clang::Expr& glvalue, const Scope& scope) {
  if (glvalue.refersToBitField() || glvalue.refersToVectorElement()) return false;
  if (isPackedMember(glvalue)) return glvalue.isLValue() && !placeOfField(glvalue, scope).reason.empty();
  return isWithinPackedMember(glvalue, scope.ast);
}

std::string whyNotTwice(const clang::Expr& glvalue, const Scope& scope) {
  if (glvalue.getType().isRestrictQualified()) return "a pointer with __restrict__ in a packed structure";
  // There the form is a cast, which no compiler evaluates. A lambda is such a function only if it can be.
  const auto* method = clang::dyn_cast_or_null<clang::CXXMethodDecl>(scope.function);
  const bool constant = scope.function && scope.function->isConstexpr();
  return scope.settings.cpu && constant && !(method && method->getParent()->isLambda())
             ? "in a packed structure, in a constexpr function"
             : "";
}

void noteNamedTwice(const clang::Expr& glvalue, const Resolved& text, const Scope& scope) {
  // What a macro's argument accesses would be recorded twice.
  const bool repeatable = text.macro ? isPlainPlace(glvalue) : isRepeatable(glvalue, scope.ranges.manager());
  scope.findings.addNamedTwice(text, repeatable && whyNotTwice(glvalue, scope).empty());
}

FieldPlace placeOfInitialised(const clang::CXXCtorInitializer& member, const clang::ASTContext& ast) {
  FieldPlace place;
  place.bitField = member.getAnyMember()->isBitField();
  std::uint64_t bits = 0;
  bool understood = true;
  if (const clang::IndirectFieldDecl* indirect = member.getIndirectMember()) {
    for (const clang::NamedDecl* step : indirect->chain())
      understood = understood && addOffset(*clang::cast<clang::FieldDecl>(step), bits, ast);
  } else {
    understood = addOffset(*member.getMember(), bits, ast);
  }
  place.reason =
      understood ? measure(*member.getAnyMember(), bits, ast, place.measures) : std::string(notUnderstood);
  return place;
}

}  // namespace cui::constructs
