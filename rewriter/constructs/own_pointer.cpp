#include "constructs/own_pointer.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecordLayout.h>

#include <set>

#include "constructs/access.h"
#include "constructs/catalogue.h"
#include "constructs/describe.h"
#include "constructs/layout.h"
#include "constructs/storage.h"

namespace cui::constructs {
namespace {

using clang::Expr;

constexpr char cannotWrap[] = "a pointer in an object that cannot be wrapped";

const clang::MemberExpr* namedMember(const Expr& expr) {
  const auto* member = clang::dyn_cast<clang::MemberExpr>(&expr);
  return member && clang::isa<clang::FieldDecl>(member->getMemberDecl()) ? member : nullptr;
}

/// The object of a call of a method; `arrow` if it is a pointer to it.
const Expr* objectOf(const clang::CallExpr& call, bool& arrow) {
  arrow = false;
  if (const auto* operation = clang::dyn_cast<clang::CXXOperatorCallExpr>(&call)) return operation->getArg(0);
  const auto* member = clang::dyn_cast<clang::MemberExpr>(call.getCallee()->IgnoreParens());
  if (!member) return nullptr;
  arrow = member->isArrow();
  return member->getBase();
}

/// A function that only the object tells.
bool isFoundInTable(const clang::CXXMethodDecl& method, const clang::CallExpr& call, const Expr& object) {
  const auto* member = clang::dyn_cast<clang::MemberExpr>(call.getCallee()->IgnoreParens());
  return method.isVirtual() && !(member && member->hasQualifier()) &&
         !method.getDevirtualizedMethod(&object, false);
}

const clang::CXXMethodDecl* methodOf(const clang::CallExpr& call) {
  const auto* method = clang::dyn_cast_or_null<clang::CXXMethodDecl>(call.getDirectCallee());
  return method && method->isInstance() ? method : nullptr;
}

bool isImplied(edit::Form form) {
  return form == edit::Form::CUI_THIS_FIELD || form == edit::Form::CUI_THIS_BASE_FIELD;
}

OwnPointer inMember(const clang::MemberExpr& member, const Scope& scope) {
  OwnPointer own{placeOfField(member, scope), &member, member.getBase(), member.isArrow(), member.getType()};
  own.place.name = edit::shape(own.place.form) == edit::Shape::counted ? own.place.name : "";
  return own;
}

OwnPointer ofTable(const clang::CallExpr& call, const Expr& object, bool arrow, const Scope& scope) {
  const bool named = !clang::isa<clang::CXXOperatorCallExpr>(call);
  const Expr& whole = named ? *call.getCallee() : static_cast<const Expr&>(call);
  return {placeOfTable(object, arrow, whole, scope), &whole, &object, arrow, scope.ast.VoidPtrTy};
}

/// `s[i].r;` alone.
bool isDiscarded(const Scope& scope) {
  const clang::Stmt* parent = scope.parent().stmt;
  const auto* cast = clang::dyn_cast_or_null<clang::CastExpr>(parent);
  return clang::isa_and_nonnull<clang::CompoundStmt>(parent) ||
         (cast && cast->getCastKind() == clang::CK_ToVoid);
}

/// Of an object, or of what points to it.
Storage storageOfObject(const Expr& object, bool arrow) {
  return arrow ? storageOfPointer(object) : storageOf(object);
}
Description describeObject(const Expr& object, bool arrow, const Scope& scope) {
  return arrow ? describePointer(object, scope.ast, scope.ranges) : describe(object, scope.ast, scope.ranges);
}

struct Place {
  Resolved whole, object;
};
Place placeIn(const OwnPointer& own, const Scope& scope) {
  Place place;
  place.whole = scope.ranges.resolve(own.whole->getSourceRange());
  if (own.place.base)
    place.object = scope.ranges.resolveWholePart(own.place.base->getSourceRange(), place.whole);
  return place;
}

void addTables(const clang::CXXRecordDecl& record, clang::CharUnits at, std::set<long>& places,
               const clang::ASTContext& ast) {
  if (!record.isDynamicClass()) return;
  places.insert(static_cast<long>(at.getQuantity()));
  for (const clang::CXXBaseSpecifier& base : record.bases())
    if (const clang::CXXRecordDecl* other = base.getType()->getAsCXXRecordDecl(); !base.isVirtual())
      addTables(*other, at + ast.getASTRecordLayout(&record).getBaseClassOffset(other), places, ast);
}

class OwnPointers : public Construct {
  void onDeviceExpression(const Expr& expr, Scope& scope) const override {
    if (const auto* deletion = clang::dyn_cast<clang::CXXDeleteExpr>(&expr))
      return reportDeletion(*deletion, scope);
    if (const auto* call = clang::dyn_cast<clang::CXXMemberCallExpr>(&expr)) reportPointed(*call, scope);
    if (const auto* name = clang::dyn_cast<clang::DeclRefExpr>(&expr)) reportBinding(*name, scope);
    const std::optional<OwnPointer> own = ownPointerReadBy(expr, scope);
    if (!own || (namedMember(expr) && isDiscarded(scope))) return;
    const Storage storage = storageOfObject(*own->object, own->arrow);
    if (storage.where != Storage::Where::memory) return;
    const Place place = placeIn(*own, scope);
    AccessSeen access = seenIn(scope);
    access.site = describeSite(*own->whole, own->type, scope);
    const Description description = describeObject(*own->object, own->arrow, scope);
    access.site.base = description.base;
    access.site.index = description.index;
    if (own->place.base == own->whole) access.site.base = "this";
    access.site.bytes = static_cast<std::uint32_t>(sizeOf(scope.ast.VoidPtrTy, scope.ast));
    access.site.kind = sites::Kind::load;
    access.site.space = storage.space;
    access.site.reason = own->place.reason.empty()                 ? place.object.reason
                         : own->place.reason == dependsOnArguments ? dependsOnArguments
                                                                   : cannotWrap;
    access.range = access.site.reason.empty() ? place.object : place.whole;
    access.form = own->place.form;
    access.measures = own->place.measures;
    access.count = own->place.name;
    access.layer = isImplied(own->place.form) ? Layer::implied : Layer::holder;
    scope.findings.add(std::move(access));
  }

  /// It may be null, and then reads nothing.
  static void reportDeletion(const clang::CXXDeleteExpr& deletion, Scope& scope) {
    const Expr& pointer = *deletion.getArgument();
    const clang::CXXRecordDecl* record = deletion.getDestroyedType()->getAsCXXRecordDecl();
    const clang::CXXDestructorDecl* destructor =
        record && record->hasDefinition() && !record->isDependentContext() ? record->getDestructor()
                                                                           : nullptr;
    if (!destructor || !destructor->isVirtual() || deletion.isArrayForm() ||
        destructor->getDevirtualizedMethod(&pointer, false))
      return;
    const std::string base = describePointer(pointer, scope.ast, scope.ranges).base;
    addSkipped(deletion, pointer, base, "a virtual destructor", scope);
  }

  /// `auto& [r, n] = s[i]; r = 1;`: naming r reads the pointer that it is in there.
  static void reportBinding(const clang::DeclRefExpr& name, Scope& scope) {
    const auto* binding = clang::dyn_cast<clang::BindingDecl>(name.getDecl());
    const clang::MemberExpr* member = binding && binding->getBinding()
                                          ? namedMember(*binding->getBinding()->IgnoreParenImpCasts())
                                          : nullptr;
    if (!member || !member->getMemberDecl()->getType()->isReferenceType() || isDiscarded(scope) ||
        storageOf(*member->getBase()).where != Storage::Where::memory)
      return;
    const std::string base = describe(*member->getBase(), scope.ast, scope.ranges).base;
    addSkipped(name, name, base, cannotWrap, scope);
  }

  /// `(p->*f)()`, which only `f` tells.
  static void reportPointed(const clang::CXXMemberCallExpr& call, Scope& scope) {
    const auto* named = clang::dyn_cast<clang::BinaryOperator>(call.getCallee()->IgnoreParens());
    if (!named || !named->isPtrMemOp() || named->isInstantiationDependent()) return;
    const Expr& object = *named->getLHS();
    const bool arrow = named->getOpcode() == clang::BO_PtrMemI;
    const clang::QualType type = arrow ? object.getType()->getPointeeType() : object.getType();
    const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition() || !record->isPolymorphic() ||
        storageOfObject(object, arrow).where != Storage::Where::memory)
      return;
    const std::string base = describeObject(object, arrow, scope).base;
    addSkipped(call, object, base, "perhaps a virtual function, called through a pointer", scope);
  }

  static void addSkipped(const Expr& expr, const Expr& place, const std::string& base, const char* reason,
                         Scope& scope) {
    AccessSeen access = seenIn(scope);
    access.site = describeSite(expr, scope.ast.VoidPtrTy, scope);
    access.site.base = base;
    access.site.kind = sites::Kind::load;
    access.site.reason = reason;
    access.range = scope.ranges.resolve(place.getSourceRange());
    access.layer = Layer::holder;
    scope.findings.add(std::move(access));
  }
};

}  // namespace

std::optional<OwnPointer> ownPointerReadBy(const Expr& expr, const Scope& scope) {
  if (const clang::MemberExpr* member = namedMember(expr)) {
    if (member->getMemberDecl()->getType()->isReferenceType()) return inMember(*member, scope);
    if (scope.dependent() || member->isTypeDependent()) return std::nullopt;
    const Expr& object = *member->getBase();
    auto place = placeOfTableOnWay(object, member->isArrow(), *member, scope);
    if (!place) return std::nullopt;
    if (isImplied(place->form) && (member->refersToBitField() || isPackedMember(*member)))
      place->form = edit::Form::CUI_BESIDE_THIS;
    return OwnPointer{*place, member, &object, member->isArrow(), scope.ast.VoidPtrTy};
  }
  const auto* call = clang::dyn_cast<clang::CallExpr>(&expr);
  const clang::CXXMethodDecl* method = call ? methodOf(*call) : nullptr;
  bool arrow = false;
  const Expr* object = method ? objectOf(*call, arrow) : nullptr;
  if (!object || scope.dependent() || object->isTypeDependent() || !isFoundInTable(*method, *call, *object))
    return std::nullopt;
  return ofTable(*call, *object, arrow, scope);
}

void noteOwnPointer(const Expr& expr, const Scope& scope) {
  const auto* call = clang::dyn_cast<clang::CallExpr>(&expr);
  if (!namedMember(expr) && !(call && methodOf(*call))) return;
  if (const std::optional<OwnPointer> own = ownPointerReadBy(expr, scope)) {
    if (own->place.reason.empty()) scope.findings.confirmHolder(placeIn(*own, scope).object);
    return;
  }
  if (!scope.instantiated()) return;
  bool arrow = false;
  const clang::MemberExpr* member = namedMember(expr);
  const Expr* object = member ? member->getBase() : objectOf(*call, arrow);
  if (!object) return;
  const Expr* named = member ? member : call ? call->getCallee() : nullptr;
  const Resolved whole =
      scope.ranges.resolve(call && clang::isa<clang::CXXOperatorCallExpr>(call) ? call->getSourceRange()
                                                                                : named->getSourceRange());
  // What `this` points to has no text of its own: it is the member's, which may be another's object.
  if (object->isImplicitCXXThis())
    scope.findings.addNotImplied(whole);
  else
    scope.findings.addNoHolder(scope.ranges.resolveWholePart(object->getSourceRange(), whole));
}

std::vector<Measures> placesOfTables(const clang::CXXRecordDecl& record, const clang::ASTContext& ast) {
  std::set<long> places;
  if (!record.isInvalidDecl() && !record.isDependentContext())
    addTables(record, clang::CharUnits::Zero(), places, ast);
  const auto bytes = static_cast<long>(ast.getTypeSizeInChars(ast.VoidPtrTy).getQuantity());
  std::vector<Measures> all;
  for (const long place : places) all.push_back({bytes, place});
  return all;
}

std::unique_ptr<Construct> makeOwnPointer() {
  return std::make_unique<OwnPointers>();
}

}  // namespace cui::constructs
