#include "constructs/stored_parts.h"

#include <clang/AST/ExprCXX.h>

#include "constructs/access.h"
#include "constructs/describe.h"
#include "constructs/own_pointer.h"
#include "constructs/use.h"

namespace cui::constructs {
namespace {

Stores both(Stores one, Stores other) {
  if (one == Stores::nothing || one == other) return other;
  return other == Stores::nothing ? one : Stores::partly;
}

const clang::Expr& valueOf(const clang::Expr& initialiser) {
  const clang::Expr* value = initialiser.IgnoreParenCasts()->IgnoreImplicit();
  if (const auto* own = clang::dyn_cast<clang::CXXDefaultInitExpr>(value))
    value = own->getExpr()->IgnoreParenCasts()->IgnoreImplicit();
  return *value;
}

/// `using Base::Base;` makes constructors that call the base class's, as one without arguments calls its own.
bool isMadeOfParts(const clang::CXXConstructorDecl& constructor) {
  return constructor.isDefaultConstructor() || constructor.isInheritingConstructor();
}

/// One that somebody wrote. Those of `using Base::Base` nobody did, which Clang takes for provided.
bool isWritten(const clang::CXXConstructorDecl& constructor) {
  return constructor.isUserProvided() && !constructor.isImplicit();
}

bool isUsersConstructor(const clang::CXXConstructorDecl& constructor, const Scope& scope) {
  return isWritten(constructor) && isUsersOwn(constructor, scope.ast.getSourceManager());
}

/// Of a constructor that nobody wrote, its members' and bases'.
Stores storesOfParts(const clang::CXXConstructorDecl& constructor, const Scope& scope) {
  Stores all = Stores::nothing;
  for (const clang::CXXCtorInitializer* part : constructor.inits())
    all = both(all, storesOf(part->getInit(), scope));
  return all;
}

Stores storesOfConstructor(const clang::CXXConstructorDecl& constructor, const Scope& scope) {
  if (isUsersConstructor(constructor, scope)) return Stores::byConstructor;
  if (!isMadeOfParts(constructor)) return Stores::whole;
  // Of one of the library's nothing tells whether it stores.
  return isWritten(constructor) ? Stores::nothing : storesOfParts(constructor, scope);
}

bool hasLayout(const clang::CXXRecordDecl& record) {
  return record.hasDefinition() && !record.isInvalidDecl() && !record.isDependentContext();
}

}  // namespace

Stores storesOf(const clang::Expr* initialiser, const Scope& scope) {
  if (!initialiser) return Stores::nothing;
  const clang::Expr& value = valueOf(*initialiser);
  if (const auto* list = clang::dyn_cast<clang::InitListExpr>(&value)) {
    Stores all = list->getNumInits() == 0 ? Stores::whole : Stores::nothing;
    for (const clang::Expr* part : list->inits()) all = both(all, storesOf(part, scope));
    return all;
  }
  if (const auto* inherited = clang::dyn_cast<clang::CXXInheritedCtorInitExpr>(&value))
    return storesOfConstructor(*inherited->getConstructor(), scope);
  const auto* construct = clang::dyn_cast<clang::CXXConstructExpr>(&value);
  if (!construct) return Stores::whole;
  const Stores stores = storesOfConstructor(*construct->getConstructor(), scope);
  return construct->requiresZeroInitialization() && stores != Stores::byConstructor
             ? both(Stores::whole, stores)
             : stores;
}

void describePart(sites::Site& site, const StoredPart& part, const clang::ASTContext& ast) {
  site.type = typeName(part.type, ast, false);
  site.bytes = static_cast<std::uint32_t>(part.place.first);
  site.kind = kindOf(part.type->isRecordType() ? Use::copyTo : Use::store, part.type, ast);
}

bool StoredParts::add(const clang::Expr* initialiser, clang::QualType type, clang::CharUnits at,
                      bool inDynamic) {
  if (!initialiser) return true;
  const clang::Expr& value = valueOf(*initialiser);
  if (const auto* list = clang::dyn_cast<clang::InitListExpr>(&value); list && type->isRecordType())
    return addList(*list, *type->getAsCXXRecordDecl(), at);
  if (const auto* inherited = clang::dyn_cast<clang::CXXInheritedCtorInitExpr>(&value))
    return addConstructor(*inherited->getConstructor(), type, at, inDynamic);
  const auto* construct = clang::dyn_cast<clang::CXXConstructExpr>(&value);
  if (type->isArrayType() && (construct || storesOf(&value, scope_) != Stores::whole)) return false;
  if (!construct) return addWhole(type, at);
  if (construct->requiresZeroInitialization()) addWhole(type, at);
  return addConstructor(*construct->getConstructor(), type, at, inDynamic);
}

bool StoredParts::addWhole(clang::QualType type, clang::CharUnits at) {
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (record && record->isEmpty()) return true;
  const clang::CharUnits size = scope_.ast.getTypeSizeInChars(type);
  if (!size.isZero())
    parts_.push_back({{static_cast<long>(size.getQuantity()), static_cast<long>(at.getQuantity())}, type});
  return true;
}

bool StoredParts::addConstructor(const clang::CXXConstructorDecl& constructor, clang::QualType type,
                                 clang::CharUnits at, bool inDynamic) {
  if (isUsersConstructor(constructor, scope_)) return true;
  if (!isMadeOfParts(constructor)) return addWhole(type, at);
  const clang::CXXRecordDecl& record = *constructor.getParent();
  if (isWritten(constructor)) return true;
  if (!hasLayout(record) || record.getNumVBases() > 0) return false;
  const clang::ASTRecordLayout& layout = scope_.ast.getASTRecordLayout(&record);
  for (const clang::CXXCtorInitializer* part : constructor.inits()) {
    if (part->isBaseInitializer()) {
      const clang::QualType base{part->getBaseClass(), 0};
      if (!add(part->getInit(), base, at + layout.getBaseClassOffset(base->getAsCXXRecordDecl()),
               inDynamic || record.isDynamicClass()))
        return false;
    } else if (!part->isMemberInitializer() || !addField(part->getInit(), *part->getMember(), layout, at)) {
      return false;
    }
  }
  if (inDynamic) return true;  // whose own pointers replace those of its base classes
  for (Measures table : placesOfTables(record, scope_.ast)) {
    table.second += static_cast<long>(at.getQuantity());
    parts_.push_back({table, scope_.ast.VoidPtrTy});
  }
  return true;
}

bool StoredParts::addField(const clang::Expr* initialiser, const clang::FieldDecl& field,
                           const clang::ASTRecordLayout& layout, clang::CharUnits at) {
  return !field.isBitField() && add(initialiser, field.getType(),
                                    at + scope_.ast.toCharUnitsFromBits(static_cast<std::int64_t>(
                                             layout.getFieldOffset(field.getFieldIndex()))));
}

bool StoredParts::addList(const clang::InitListExpr& list, const clang::CXXRecordDecl& record,
                          clang::CharUnits at) {
  if (record.isUnion() || !hasLayout(record)) return false;
  const clang::ASTRecordLayout& layout = scope_.ast.getASTRecordLayout(&record);
  unsigned next = 0;
  const auto initialiser = [&list, &next] {
    return next < list.getNumInits() ? list.getInit(next++) : nullptr;
  };
  for (const clang::CXXBaseSpecifier& base : record.bases())
    if (!add(initialiser(), base.getType(),
             at + layout.getBaseClassOffset(base.getType()->getAsCXXRecordDecl())))
      return false;
  for (const clang::FieldDecl* field : record.fields())
    if (!field->isUnnamedBitField() && !addField(initialiser(), *field, layout, at)) return false;
  return true;
}

}  // namespace cui::constructs
