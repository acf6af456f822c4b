// A constructor's member initialisers, `: x(v)`, store to the object and are no expressions: each is recorded
// by a statement at the start of the constructor's body. So are the pointers to virtual functions that it
// stores, and a destructor, too.
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include "constructs/access.h"
#include "constructs/catalogue.h"
#include "constructs/field.h"
#include "constructs/own_pointer.h"
#include "constructs/use.h"

namespace cui::constructs {
namespace {

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

class MemberInitialiser : public Construct {
  void onFunction(const clang::FunctionDecl& function, Scope& scope) const override {
    if (!scope.device || function.isImplicit() || function.isDefaulted()) return;
    if (const auto* destructor = clang::dyn_cast<clang::CXXDestructorDecl>(&function))
      return reportTables(*destructor, scope);
    const auto* constructor = clang::dyn_cast<clang::CXXConstructorDecl>(&function);
    if (!constructor) return;
    if (!constructor->isDelegatingConstructor()) reportTables(*constructor, scope);
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
