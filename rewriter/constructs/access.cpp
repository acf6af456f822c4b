#include "constructs/access.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>

#include "constructs/describe.h"
#include "constructs/storage.h"

namespace cui::constructs {
namespace {

using sites::Kind;

/// float4 and its kind: one instruction moves them, so they load and store as scalars do.
bool isLibraryValue(clang::QualType type, const clang::ASTContext& ast) {
  const auto* record = type->getAsCXXRecordDecl();
  return record && record->hasDefinition() && type.isTriviallyCopyableType(ast) &&
         ast.getTypeSizeInChars(type).getQuantity() <= 16 &&
         ast.getSourceManager().isInSystemHeader(
             ast.getSourceManager().getExpansionLoc(record->getLocation()));
}

Kind kindOf(Use use, clang::QualType type, const clang::ASTContext& ast) {
  switch (use) {
    case Use::load:
      return Kind::load;
    case Use::store:
    case Use::assign:
      return Kind::store;
    case Use::copyFrom:
      return isLibraryValue(type, ast) ? Kind::load : Kind::copy;
    case Use::copyTo:
      return isLibraryValue(type, ast) ? Kind::store : Kind::copy;
    default:
      return Kind::rmw;
  }
}

/// `T` in code made from a template that says T, else the type itself.
std::string typeName(clang::QualType type, const clang::ASTContext& ast, bool instantiated) {
  if (const auto* substituted = type->getAs<clang::SubstTemplateTypeParmType>(); substituted && instantiated)
    return substituted->getReplacedParameter()->getNameAsString();
  return type.getUnqualifiedType().getAsString(ast.getPrintingPolicy());
}

edit::Form formOf(Use use, clang::QualType type, const Scope& scope) {
  const bool scalar = !type->isDependentType() && type->isScalarType() && !type->isMemberPointerType() &&
                      scope.ast.getTypeSizeInChars(type).getQuantity() <= 16;
  if (!scope.settings.values || !scalar) return edit::Form::CUI_ACCESS;
  if (use == Use::load) return edit::Form::CUI_LOAD;
  return use == Use::assign ? edit::Form::CUI_STORE : edit::Form::CUI_ACCESS;
}

bool isPacked(const clang::Expr& glvalue) {
  const auto* member = clang::dyn_cast<clang::MemberExpr>(glvalue.IgnoreParens());
  if (!member) return false;
  const auto* field = clang::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
  return field && (field->hasAttr<clang::PackedAttr>() || field->getParent()->hasAttr<clang::PackedAttr>());
}

}  // namespace

std::string whyNotBindable(const clang::Expr& glvalue) {
  if (glvalue.isTypeDependent()) return "";
  if (glvalue.refersToBitField()) return "a bit field";
  if (glvalue.refersToVectorElement() || glvalue.refersToMatrixElement())
    return "an element of a vector register";
  if (isPacked(glvalue)) return "a member of a packed structure";
  if (!glvalue.isLValue()) return "not an lvalue in every instantiation";
  return "";
}

sites::Site describeSite(const clang::Expr& expr, clang::QualType accessed, const Scope& scope) {
  sites::Site site;
  site.function = scope.functionName();
  site.templateContext = scope.templateContext();
  site.loopDepth = scope.loopDepth();
  site.expression = textOf(expr, scope.ast, scope.ranges);
  site.type = typeName(accessed, scope.ast, scope.instantiated());
  if (!accessed->isDependentType() && !accessed->isIncompleteType())
    site.bytes = static_cast<std::uint32_t>(scope.ast.getTypeSizeInChars(accessed).getQuantity());
  return site;
}

void reportAccess(const clang::Expr& expr, Scope& scope) {
  const Usage usage = usageOf(scope.path, scope.ast);
  if (usage.use == Use::none) return;
  if (usage.use == Use::unknown && !scope.dependent()) return;
  const Storage storage = storageOf(expr);
  if (storage.where == Storage::Where::privateObject) return;
  if (storage.where == Storage::Where::privateArray && !scope.settings.localArrays) return;

  AccessSeen access;
  const clang::QualType type = usage.access->getType();
  access.site = describeSite(*usage.access, type, scope);
  const Description description = describe(expr, scope.ast, scope.ranges);
  access.site.base = description.base;
  access.site.index = description.index;
  access.site.kind = kindOf(usage.use, type, scope.ast);
  access.site.space = storage.space;
  access.site.reason = usage.reason;
  if (access.site.reason.empty()) access.site.reason = whyNotBindable(*usage.access);
  access.form = formOf(usage.use, type, scope);
  access.range = scope.ranges.resolve(usage.access->getSourceRange());
  access.body = scope.body();
  access.dependent = scope.dependent();
  scope.findings.add(std::move(access));
}

}  // namespace cui::constructs
