// A constructor's member initialisers, `: x(v)`, store to the object and are no expressions: each is recorded
// by a statement at the start of the constructor's body. So is what it stores in members and base classes by
// constructors that nobody wrote (`: Base(other)`), and the pointers to virtual functions that it stores, and
// a destructor, too. `Base::operator=(other)`, which nobody wrote either, stores the base class.
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include "constructs/access.h"
#include "constructs/catalogue.h"
#include "constructs/field.h"
#include "constructs/own_pointer.h"
#include "constructs/stored_parts.h"
#include "constructs/use.h"

namespace cui::constructs {
namespace {

/// Of what no initialiser that is written stores: behind the pointers to virtual functions, which have the
/// constructor's name for their place, too.
constexpr unsigned firstUnwritten = 256;

/// What a user's constructor stores is found in its own body; a member of reference type is a pointer.
bool storesHere(const clang::FieldDecl& member, const clang::Expr& initialiser, const Scope& scope) {
  if (member.getType()->isReferenceType()) return true;
  if (member.isUnnamedBitField()) return false;
  const clang::Expr* value = initialiser.IgnoreImplicit();
  if (const auto* own = clang::dyn_cast<clang::CXXDefaultInitExpr>(value))
    value = own->getExpr()->IgnoreImplicit();
  const auto* construct = clang::dyn_cast<clang::CXXConstructExpr>(value);
  if (!construct) return true;
  const clang::CXXConstructorDecl& constructor = *construct->getConstructor();
  if (isUsersOwn(constructor, scope.ast.getSourceManager())) return false;
  // Of a default constructor nothing tells whether it stores; a copy does.
  return constructor.isCopyOrMoveConstructor() || construct->getNumArgs() > 0;
}

/// What the template says that the base class is, or the member; null where it cannot be told.
const clang::Type* typeInPattern(const clang::CXXRecordDecl& pattern,
                                 const clang::CXXCtorInitializer& initialiser,
                                 const clang::CXXRecordDecl& record) {
  if (initialiser.isMemberInitializer()) {
    for (const clang::FieldDecl* field : pattern.fields())
      if (field->getFieldIndex() == initialiser.getMember()->getFieldIndex())
        return field->getType().getTypePtr();
    return nullptr;
  }
  if (record.getNumBases() != pattern.getNumBases()) return nullptr;  // `: T...`
  auto other = pattern.bases_begin();
  for (const clang::CXXBaseSpecifier& base : record.bases()) {
    if (base.getType()->getCanonicalTypeUnqualified() ==
        initialiser.getBaseClass()->getCanonicalTypeUnqualified())
      return other->getType().getTypePtr();
    ++other;
  }
  return nullptr;
}

/// Whether all that is made from a template stores the same there.
bool isAlikeInAll(const clang::CXXCtorInitializer& initialiser, const clang::CXXRecordDecl& record) {
  const clang::CXXRecordDecl* pattern = record.getTemplateInstantiationPattern();
  if (!pattern) return true;
  const clang::Type* type = typeInPattern(*pattern, initialiser, record);
  return type && !type->isDependentType();
}

class MemberInitialiser : public Construct {
  /// `Base::operator=(other)` of `this`, which no text names; other objects are like those of other methods.
  void onDeviceExpression(const clang::Expr& expr, Scope& scope) const override {
    const auto* call = clang::dyn_cast<clang::CXXMemberCallExpr>(&expr);
    const auto* named =
        call ? clang::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParens()) : nullptr;
    const clang::CXXMethodDecl* method = call ? call->getMethodDecl() : nullptr;
    if (!named || !named->isImplicitAccess() || !method || scope.dependent() ||
        !(method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator()) ||
        isUsersOwn(*method, scope.ast.getSourceManager()) || method->getParent()->isEmpty())
      return;
    const FieldPlace place = placeOfTable(*named->getBase(), true, *named, scope);
    AccessSeen access = seenIn(scope);
    const clang::QualType type = method->getThisType()->getPointeeType();
    access.site = describeSite(*named, type, scope);
    access.site.base = "this";
    access.site.kind = sites::Kind::copy;
    access.site.reason = place.reason;
    access.range = scope.ranges.resolve(named->getSourceRange());
    access.form = place.form;
    access.measures = {static_cast<long>(access.site.bytes), place.measures.second};
    access.count = place.name;
    access.layer = Layer::implied;
    // One text stands for what all instantiations and expansions store.
    if (access.range.macro || scope.instantiated())
      access.site.reason = "a base class that an operator= stores which nobody wrote";
    scope.findings.add(std::move(access));
  }

  void onFunction(const clang::FunctionDecl& function, Scope& scope) const override {
    if (!scope.device || function.isImplicit() || function.isDefaulted()) return;
    if (const auto* destructor = clang::dyn_cast<clang::CXXDestructorDecl>(&function))
      return reportTables(*destructor, scope);
    const auto* constructor = clang::dyn_cast<clang::CXXConstructorDecl>(&function);
    if (!constructor) return;
    if (!constructor->isDelegatingConstructor()) reportTables(*constructor, scope);
    reportParts(*constructor, scope);
    unsigned ordinal = 0;
    for (const clang::CXXConstructorDecl* other : constructor->getParent()->ctors()) {
      if (other == constructor) break;
      ++ordinal;
    }
    for (const clang::CXXCtorInitializer* initialiser : constructor->inits()) {
      if (!initialiser->isAnyMemberInitializer()) continue;
      const clang::FieldDecl& member = *initialiser->getAnyMember();
      if (!storesHere(member, *initialiser->getInit(), scope)) continue;
      // The class's own initialiser is one text for all constructors.
      const bool own = initialiser->isWritten();
      report(*constructor, *initialiser, own ? initialiser->getMemberLocation() : member.getLocation(),
             own ? 0 : ordinal, scope);
    }
  }

  /// What constructors that nobody wrote store, of base classes and of members.
  static void reportParts(const clang::CXXConstructorDecl& constructor, Scope& scope) {
    const clang::CXXRecordDecl& record = *constructor.getParent();
    if (constructor.isDelegatingConstructor() || scope.dependent() || record.isInvalidDecl() ||
        record.isDependentContext())
      return;
    const clang::ASTRecordLayout& layout = scope.ast.getASTRecordLayout(&record);
    unsigned unwritten = firstUnwritten;
    for (const clang::CXXCtorInitializer* initialiser : constructor.inits()) {
      StoredParts parts(scope);
      bool told = true;
      if (initialiser->isBaseInitializer()) {
        const clang::QualType base{initialiser->getBaseClass(), 0};
        told = !initialiser->isBaseVirtual() &&
               parts.add(initialiser->getInit(), base, layout.getBaseClassOffset(base->getAsCXXRecordDecl()),
                         record.isDynamicClass());
      } else if (initialiser->isMemberInitializer() && initialiser->getMember()->getType()->isRecordType() &&
                 !storesHere(*initialiser->getMember(), *initialiser->getInit(), scope)) {
        const clang::FieldDecl& member = *initialiser->getMember();
        told = parts.add(initialiser->getInit(), member.getType(),
                         scope.ast.toCharUnitsFromBits(
                             static_cast<std::int64_t>(layout.getFieldOffset(member.getFieldIndex()))));
      } else {
        continue;
      }
      const bool written = initialiser->isWritten();
      const clang::SourceLocation place =
          written ? initialiser->getSourceLocation() : constructor.getLocation();
      unsigned ordinal = written ? 0 : unwritten;
      for (const StoredPart& part : parts.all())
        reportPart(constructor, *initialiser, part, place, ordinal++, told, scope);
      if (!written) unwritten = ordinal;
    }
  }

  static void reportPart(const clang::CXXConstructorDecl& constructor,
                         const clang::CXXCtorInitializer& initialiser, const StoredPart& part,
                         clang::SourceLocation place, unsigned ordinal, bool told, Scope& scope) {
    AccessSeen access = seenIn(scope);
    access.site.function = scope.functionName();
    access.site.templateContext = scope.templateContext();
    describePart(access.site, part, scope.ast);
    access.site.base =
        initialiser.isMemberInitializer() ? "this->" + initialiser.getMember()->getNameAsString() : "this";
    access.site.expression = access.site.base;
    access.form = edit::Form::CUI_INITIALISED_FIELD;
    access.measures = part.place;
    if (!told || (scope.instantiated() && !isAlikeInAll(initialiser, *constructor.getParent())))
      access.site.reason = "stored by a constructor that nobody wrote";
    add(std::move(access), constructor, place, ordinal, scope);
  }

  static void report(const clang::CXXConstructorDecl& constructor,
                     const clang::CXXCtorInitializer& initialiser, clang::SourceLocation place,
                     unsigned ordinal, Scope& scope) {
    const clang::FieldDecl& member = *initialiser.getAnyMember();
    AccessSeen access = seenIn(scope);
    access.site.function = scope.functionName();
    access.site.templateContext = scope.templateContext();
    access.site.type = typeName(member.getType(), scope.ast, scope.instantiated());
    access.site.bytes = static_cast<std::uint32_t>(sizeOf(member.getType(), scope.ast));
    access.site.base = "this->" + member.getNameAsString();
    access.site.expression = access.site.base;
    access.site.kind =
        kindOf(member.getType()->isRecordType() ? Use::copyTo : Use::store, member.getType(), scope.ast);
    access.form = edit::Form::CUI_INITIALISED;
    if (member.isBitField() || isPacked(member) || member.getType()->isReferenceType()) {
      const FieldPlace field = placeOfInitialised(initialiser, scope.ast);
      access.form = edit::Form::CUI_INITIALISED_FIELD;
      access.measures = field.measures;
      access.site.reason = field.reason;
      if (field.bitField) access.site.kind = sites::Kind::rmw;
      if (field.measures.first > 0) access.site.bytes = static_cast<std::uint32_t>(field.measures.first);
    }
    add(std::move(access), constructor, place, ordinal, scope);
  }

  static void reportTables(const clang::CXXMethodDecl& method, Scope& scope) {
    unsigned ordinal = 0;
    for (const Measures& place : placesOfTables(*method.getParent(), scope.ast)) {
      AccessSeen access = seenIn(scope);
      access.site.function = scope.functionName();
      access.site.templateContext = scope.templateContext();
      access.site.type = typeName(scope.ast.VoidPtrTy, scope.ast, false);
      access.site.bytes = static_cast<std::uint32_t>(place.first);
      access.site.base = access.site.expression = "this";
      access.site.kind = sites::Kind::store;
      access.form = edit::Form::CUI_INITIALISED_FIELD;
      access.measures = place;
      add(std::move(access), method, method.getLocation(), ordinal++, scope);
    }
  }

  static void add(AccessSeen access, const clang::CXXMethodDecl& method, clang::SourceLocation place,
                  unsigned ordinal, Scope& scope) {
    access.layer = static_cast<Layer>(static_cast<unsigned>(Layer::initialised) + ordinal);
    access.range = scope.ranges.resolveToken(place);
    if (const auto* body = clang::dyn_cast_or_null<clang::CompoundStmt>(method.getBody()))
      access.brace = scope.ranges.resolveToken(body->getLBracLoc());
    else
      access.brace.reason = clang::isa<clang::CXXDestructorDecl>(method)
                                ? "its destructor has no plain body"
                                : "its constructor has no plain body";
    if (access.site.reason.empty()) access.site.reason = access.brace.reason;
    if (access.site.reason.empty() && access.brace.macro != access.range.macro)
      access.site.reason = "partly in a macro's text";
    scope.findings.add(std::move(access));
  }
};

}  // namespace

std::unique_ptr<Construct> makeMemberInitialiser() {
  return std::make_unique<MemberInitialiser>();
}

}  // namespace cui::constructs
