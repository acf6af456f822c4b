#include "constructs/field.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecordLayout.h>

#include <llvm/ADT/STLExtras.h>

#include <vector>

#include "constructs/class_names.h"
#include "constructs/layout.h"
#include "constructs/plain_value.h"
#include "constructs/quiet.h"

namespace cui::constructs {
namespace {

constexpr char notUnderstood[] = "its structure is not understood";

/// Gives why it cannot; "" if it can.
std::string addOffset(const clang::FieldDecl& field, std::uint64_t& bits, const clang::ASTContext& ast) {
  const auto place = placeInStructure(field, ast);
  if (!place) return field.getParent()->isDependentContext() ? dependsOnArguments : notUnderstood;
  bits += *place;
  return "";
}

/// Conversions to base classes, and to const, which the source does not spell: `object` becomes what it does.
std::vector<const clang::CXXBaseSpecifier*> skipBaseClasses(const clang::Expr*& object) {
  std::vector<const clang::CXXBaseSpecifier*> way;
  while (const auto* cast = clang::dyn_cast<clang::ImplicitCastExpr>(object)) {
    if (cast->getCastKind() != clang::CK_DerivedToBase &&
        cast->getCastKind() != clang::CK_UncheckedDerivedToBase && cast->getCastKind() != clang::CK_NoOp)
      break;
    way.insert(way.begin(), cast->path_begin(), cast->path_end());
    object = cast->getSubExpr()->IgnoreParens();
  }
  return way;
}

const clang::CXXRecordDecl* recordOf(const clang::Expr& object) {
  const clang::QualType type = object.getType();
  return (type->isPointerType() ? type->getPointeeType() : type)->getAsCXXRecordDecl();
}

/// A template's pattern does not say on which way the object's class comes to the member's.
std::string addOffsetOfBase(const clang::Expr& object, const clang::FieldDecl& member, std::uint64_t& bits,
                            const clang::ASTContext& ast) {
  const clang::Expr* written = object.IgnoreParens();
  const clang::CXXRecordDecl* record = recordOf(*written);
  const auto* base = clang::dyn_cast<clang::CXXRecordDecl>(member.getParent());
  if (!record || !record->isDependentContext() || !base || !skipBaseClasses(written).empty()) return "";
  const auto place = placeInPattern(*record, *base, ast);
  if (!place) return dependsOnArguments;
  bits += *place;
  return "";
}

}  // namespace

clang::QualType placeOfBase(const std::vector<const clang::CXXBaseSpecifier*>& way,
                            const clang::CXXRecordDecl* record, std::uint64_t& bits, bool& understood,
                            const clang::ASTContext& ast) {
  clang::QualType fromVirtual;
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

namespace {

/// What a structured binding's name stands for: `auto& [a, b] = s[i]` of members, or of an array's elements.
/// What is no such name stands for itself.
const clang::Expr& named(const clang::Expr& glvalue) {
  const auto* name = clang::dyn_cast<clang::DeclRefExpr>(glvalue.IgnoreParens());
  const auto* binding = name ? clang::dyn_cast<clang::BindingDecl>(name->getDecl()) : nullptr;
  return binding && binding->getBinding() ? *binding->getBinding()->IgnoreParenImpCasts() : glvalue;
}

/// The array or the structure that the source says `part` is in; null if it says none. What a reference leads
/// to lies elsewhere.
const clang::Expr* wholeOf(const clang::Expr& part) {
  const clang::Expr* written = named(*part.IgnoreParenImpCasts()).IgnoreParenImpCasts();
  const clang::Expr* whole = nullptr;
  if (const auto* element = clang::dyn_cast<clang::ArraySubscriptExpr>(written)) {
    const auto* decay = clang::dyn_cast<clang::ImplicitCastExpr>(element->getBase()->IgnoreParens());
    if (decay && decay->getCastKind() == clang::CK_ArrayToPointerDecay) whole = decay->getSubExpr();
  } else if (const auto* member = clang::dyn_cast<clang::MemberExpr>(written)) {
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

/// How to wrap the object that `object` names, or points to if `arrow`; `member` is what stands there without
/// an object where that is `this`. Of a virtual base class only the object tells where it lies.
void chooseForm(const clang::Expr& object, bool arrow, const clang::Expr& member, bool isVirtual,
                FieldPlace& place, const Scope& scope) {
  place.base = &object;
  const clang::Expr* written = object.IgnoreParens();
  skipBaseClasses(written);
  if (clang::isa<clang::CXXThisExpr>(written) && clang::cast<clang::CXXThisExpr>(written)->isImplicit()) {
    place.base = &member;
    place.form = isVirtual ? edit::Form::CUI_THIS_BASE_FIELD : edit::Form::CUI_THIS_FIELD;
    return;
  }
  if (const auto* call = clang::dyn_cast<clang::CXXOperatorCallExpr>(written); call && arrow) {
    place.base = call->getArg(0);
    if (isArrow(*place.base) || !written->getType()->isPointerType())
      place.reason = "a bit field or packed member behind several overloaded ->";
  } else if (!arrow && !object.isLValue()) {
    place.reason = "a bit field or packed member of a temporary";
  } else if (!arrow && (isWithinPackedMember(object, scope.ast) ||
                        (isPackedMember(object) &&
                         scope.ast.getTypeAlignInChars(object.getType()).getQuantity() > 1))) {
    place.reason = "a bit field in a member of a packed structure";
  } else if (object.refersToVectorElement()) {
    place.reason = "an element of a vector register";
  }
  if (isVirtual)
    place.form = arrow ? edit::Form::CUI_ARROW_BASE_FIELD : edit::Form::CUI_BASE_FIELD;
  else
    place.form = arrow ? edit::Form::CUI_ARROW_FIELD : edit::Form::CUI_FIELD;
}

/// The same, and where the class of `object` lies in what is wrapped.
std::uint64_t placeObject(const clang::Expr& object, bool arrow, const clang::Expr& member, FieldPlace& place,
                          const Scope& scope) {
  std::uint64_t bits = 0;
  bool understood = true;
  const clang::Expr* written = object.IgnoreParens();
  const auto way = skipBaseClasses(written);
  const clang::QualType virtualBase = placeOfBase(way, recordOf(*written), bits, understood, scope.ast);
  const bool isVirtual = !virtualBase.isNull();
  if (isVirtual) place.name = nameHere(virtualBase, scope);
  if (!understood)
    place.reason = notUnderstood;
  else if (isVirtual && place.name.empty())
    place.reason = "a bit field or packed member of a virtual base class that has no name here";
  else
    chooseForm(object, arrow, member, isVirtual, place, scope);
  return bits;
}

/// Of a pointer to virtual functions.
Measures measuresOfTable(std::uint64_t bits, const clang::ASTContext& ast) {
  return {static_cast<long>(ast.getTypeSizeInChars(ast.VoidPtrTy).getQuantity()),
          static_cast<long>(bits / 8)};
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
  const auto* member = clang::dyn_cast<clang::MemberExpr>(named(glvalue).IgnoreParens());
  const auto* field = member ? clang::dyn_cast<clang::FieldDecl>(member->getMemberDecl()) : nullptr;
  return field && !field->getType()->isReferenceType() && isPacked(*field);  // what that names is elsewhere
}

FieldPlace placeOfField(const clang::Expr& glvalue, const Scope& scope) {
  const clang::ASTContext& ast = scope.ast;
  FieldPlace place;
  const auto* member = clang::dyn_cast<clang::MemberExpr>(glvalue.IgnoreParens());
  const auto* field = member ? clang::dyn_cast<clang::FieldDecl>(member->getMemberDecl()) : nullptr;
  if (!field || (field->getType()->isDependentType() && !field->getType()->isReferenceType())) {
    place.reason = field ? dependsOnArguments : "not a plain member";
    return place;
  }
  place.bitField = field->isBitField();
  // From the member outwards through anonymous structures, which the source does not name.
  std::uint64_t bits = 0;  // in the innermost structure
  for (;;) {
    const auto* step = clang::cast<clang::FieldDecl>(member->getMemberDecl());
    place.reason = addOffset(*step, bits, ast);
    if (!place.reason.empty()) return place;
    const auto* outer = clang::dyn_cast<clang::MemberExpr>(member->getBase()->IgnoreParens());
    const auto* anonymous = outer ? clang::dyn_cast<clang::FieldDecl>(outer->getMemberDecl()) : nullptr;
    if (!anonymous || !anonymous->isAnonymousStructOrUnion()) break;
    member = outer;
  }
  const std::string whyNotMeasured = measure(*field, bits, ast, place.measures);
  std::uint64_t around = placeObject(*member->getBase(), member->isArrow(), glvalue, place, scope);
  if (place.reason.empty())
    place.reason = addOffsetOfBase(*member->getBase(),
                                   *clang::cast<clang::FieldDecl>(member->getMemberDecl()), around, ast);
  place.measures.second += static_cast<long>(around / 8);
  if (place.reason.empty()) place.reason = whyNotMeasured;
  // Where what the name is may depend on the instantiation.
  if (edit::shape(place.form) != edit::Shape::counted && scope.instantiated())
    place.name = nameOf(*clang::cast<clang::MemberExpr>(glvalue.IgnoreParens()), scope);
  return place;
}

FieldPlace placeOfTable(const clang::Expr& object, bool arrow, const clang::Expr& method,
                        const Scope& scope) {
  FieldPlace place;
  place.measures = measuresOfTable(placeObject(object, arrow, method, place, scope), scope.ast);
  return place;
}

std::optional<FieldPlace> placeOfTableOnWay(const clang::Expr& object, bool arrow, const clang::Expr& member,
                                            const Scope& scope) {
  const clang::Expr* written = object.IgnoreParens();
  auto way = skipBaseClasses(written);
  const auto first =
      llvm::find_if(way, [](const clang::CXXBaseSpecifier* step) { return step->isVirtual(); });
  const clang::CXXRecordDecl* record = recordOf(*written);
  if (first == way.end() || !record || record->isEffectivelyFinal()) return std::nullopt;
  way.erase(first, way.end());
  FieldPlace place;
  std::uint64_t bits = 0;
  bool understood = true;
  placeOfBase(way, record, bits, understood, scope.ast);
  if (!understood) place.reason = notUnderstood;
  place.measures = measuresOfTable(bits, scope.ast);
  chooseForm(object, arrow, member, false, place, scope);
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
  if (const clang::IndirectFieldDecl* indirect = member.getIndirectMember()) {
    for (const clang::NamedDecl* step : indirect->chain())
      if (place.reason.empty()) place.reason = addOffset(*clang::cast<clang::FieldDecl>(step), bits, ast);
  } else {
    place.reason = addOffset(*member.getMember(), bits, ast);
  }
  if (place.reason.empty()) place.reason = measure(*member.getAnyMember(), bits, ast, place.measures);
  return place;
}

}  // namespace cui::constructs
