#include "constructs/access.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/TypeLoc.h>
#include <clang/Lex/Lexer.h>

#include "constructs/alike.h"
#include "constructs/describe.h"
#include "constructs/field.h"
#include "constructs/grid_row.h"
#include "constructs/loop.h"
#include "constructs/of_library.h"
#include "constructs/split_cast.h"
#include "constructs/statements.h"
#include "constructs/storage.h"
#include "constructs/together.h"

namespace cui::constructs {
namespace {

using sites::Kind;

/// float4 and its kind: one instruction moves them, so they load and store as scalars do.
bool isLibraryValue(clang::QualType type, const clang::ASTContext& ast) {
  const auto* record = type->getAsCXXRecordDecl();
  return record && record->hasDefinition() && (type.isTriviallyCopyableType(ast) || isToolkitNumber(type)) &&
         ast.getTypeSizeInChars(type).getQuantity() <= 16 && isOfLibrary(*record, ast.getSourceManager());
}

/// A name of the library's own for what its class or template has: `value_type`, `__tuple_element_t<0, …>`.
bool isLibraryAlias(const clang::Type& type, const clang::SourceManager& manager) {
  const clang::NamedDecl* alias = nullptr;
  if (const auto* given = type.getAs<clang::TypedefType>(); given && given->getDecl()->isCXXClassMember())
    alias = given->getDecl();
  if (const auto* made = type.getAs<clang::TemplateSpecializationType>(); made && made->isTypeAlias())
    alias = made->getTemplateName().getAsTemplateDecl();
  // But what programs say themselves: `cuda::std::atomic<int>`.
  if (alias && !clang::isa<clang::TypedefDecl, clang::TypeAliasDecl>(alias) && alias->getIdentifier() &&
      !alias->getName().starts_with("__") && !alias->getName().ends_with("_t"))
    return false;
  return alias && !type.isDependentType() && isOfLibrary(*alias, manager);
}

}  // namespace

Kind kindOf(Use use, clang::QualType type, const clang::ASTContext& ast) {
  switch (use) {
    case Use::load:
      return Kind::load;
    case Use::store:
    case Use::assign:
      return Kind::store;
    case Use::atomic:
      return Kind::atomic;
    case Use::copyFrom:
      return isLibraryValue(type, ast) ? Kind::load : Kind::copy;
    case Use::copyTo:
      return isLibraryValue(type, ast) ? Kind::store : Kind::copy;
    default:
      return Kind::rmw;
  }
}

edit::Form formOf(Use use, clang::QualType type, const Scope& scope) {
  const bool scalar = !type->isDependentType() && type->isScalarType() && !type->isMemberPointerType() &&
                      scope.ast.getTypeSizeInChars(type).getQuantity() <= 16;
  if (!scope.settings.values || !scalar) return edit::Form::CUI_ACCESS;
  if (use == Use::load) return edit::Form::CUI_LOAD;
  return use == Use::assign ? edit::Form::CUI_STORE : edit::Form::CUI_ACCESS;
}

namespace {

constexpr const char* punnedObject = "an object of another type, in a function that might compute a constant";

/// A lambda that might compute a constant, but whose text does not ask for that: nobody complains if it
/// cannot.
bool isConstexprUnasked(const clang::FunctionDecl& function) {
  const auto* method = clang::dyn_cast<clang::CXXMethodDecl>(&function);
  if (!method || !method->getParent()->isLambda() || !method->getBody()) return false;
  const clang::FunctionTypeLoc type = method->getFunctionTypeLoc();
  const clang::SourceLocation body = method->getBody()->getBeginLoc();
  if (!type || type.getRParenLoc().isInvalid()) return true;  // no parameter list, nowhere to ask
  if (type.getRParenLoc().isMacroID() || body.isMacroID()) return false;
  const auto words = clang::CharSourceRange::getCharRange(type.getRParenLoc(), body);
  const clang::ASTContext& ast = method->getASTContext();
  return !clang::Lexer::getSourceText(words, ast.getSourceManager(), ast.getLangOpts()).contains("const");
}

/// Whether the place is found by reinterpreting a pointer in a function that might compute a constant, and
/// which the host's compiler looks through as it stands: none made from a template.
bool isPunnedConstant(const clang::Expr& expr, const Scope& scope) {
  if (!scope.function || !scope.function->isConstexpr() || scope.dependent() || scope.instantiated() ||
      isConstexprUnasked(*scope.function))
    return false;
  const clang::Expr* place = expr.IgnoreParens();
  const auto* dereference = clang::dyn_cast<clang::UnaryOperator>(place);
  if (dereference && dereference->getOpcode() == clang::UO_Deref)
    place = dereference->getSubExpr()->IgnoreParens();
  const auto* cast = clang::dyn_cast<clang::ExplicitCastExpr>(place);
  if (!cast) return false;
  return cast->getCastKind() == clang::CK_LValueBitCast ||
         (cast->getCastKind() == clang::CK_BitCast && !cast->getSubExpr()->getType()->isVoidPointerType());
}

/// A member that cannot be bound is recorded through the structure around it, if that can be wrapped.
void reportField(const clang::Expr& member, AccessSeen access, Scope& scope) {
  const FieldPlace place = placeOfField(member, scope);
  access.site.reason = place.reason;
  if (place.reason.empty() && place.base && isPunnedConstant(*place.base, scope))
    access.site.reason = punnedObject;
  if (access.site.reason.empty() && access.range.reason.empty()) {
    const Resolved object = scope.ranges.resolveWholePart(place.base->getSourceRange(), access.range);
    access.site.reason = object.reason;
    if (object.reason.empty()) {
      access.member = access.range.span;
      access.range = object;
      access.form = place.form;
      access.layer = Layer::field;
      access.measures = place.measures;
      access.bitField = place.bitField;
      // Expansions of a macro may each name another member.
      if (!object.macro || edit::shape(place.form) == edit::Shape::counted) access.count = place.name;
    }
  }
  if (place.bitField) {
    if (access.site.kind == Kind::store) access.site.kind = Kind::rmw;
    if (place.measures.first > 0) access.site.bytes = static_cast<std::uint32_t>(place.measures.first);
  }
  scope.findings.add(std::move(access));
}

/// True for text of a file itself, no macro's.
bool isPlainText(const Resolved& range) {
  return range.located && range.reason.empty() && !range.macro && range.outermostMacro.empty() &&
         range.texts.empty() && range.asserts.empty();
}

/// Where it can be recorded together with others, if it can.
void findWhole(const clang::Expr& expr, AccessSeen& access, const Scope& scope) {
  if (scope.settings.separate || access.form != edit::Form::CUI_ACCESS || !isPlainText(access.range)) return;
  access.alike = alikeAround(expr, scope);
  const bool byAll = access.alike && access.alike->tile.empty();
  access.loops = loopsAround(expr, access.range.span, byAll, scope);
  access.row = rowAround(expr, scope);
  const clang::Expr* whole = wholeAround(expr, scope);
  if (!whole) return;
  const Resolved range = scope.ranges.resolve(whole->getSourceRange());
  if (!isPlainText(range) || range.span.file != access.range.span.file ||
      !scope.ranges.sources().tokens(range.span.file).expandsNothing(range.span.begin, range.span.end))
    return;
  access.whole = range.span;
  access.isTarget = isTarget(expr, *whole);
  if (!scope.settings.cpu && !scope.settings.values) access.before = wholesBefore(expr, *whole, scope);
}

}  // namespace

bool isConstantOrStatic(const clang::Expr& expr) {
  const auto* member = clang::dyn_cast<clang::MemberExpr>(&expr);
  const auto* name = clang::dyn_cast<clang::DeclRefExpr>(&expr);
  const clang::ValueDecl* decl = member ? member->getMemberDecl() : name ? name->getDecl() : nullptr;
  return decl && decl->isCXXClassMember() && clang::isa<clang::EnumConstantDecl, clang::VarDecl>(decl);
}

bool changes(const clang::Expr& expr) {
  const auto* binary = clang::dyn_cast<clang::BinaryOperator>(&expr);
  const auto* unary = clang::dyn_cast<clang::UnaryOperator>(&expr);
  return (binary && binary->isAssignmentOp()) ||
         (unary && unary->isPrefix() && unary->isIncrementDecrementOp());
}

bool namesObject(const clang::Expr& expr) {
  if (changes(expr)) return expr.isLValue() && !expr.isTypeDependent();
  if (const auto* member = clang::dyn_cast<clang::MemberExpr>(&expr))
    return !clang::isa<clang::CXXMethodDecl>(member->getMemberDecl());
  if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(&expr))
    return unary->getOpcode() == clang::UO_Deref;
  if (const auto* binary = clang::dyn_cast<clang::BinaryOperator>(&expr)) return binary->isPtrMemOp();
  if (const auto* call = clang::dyn_cast<clang::CXXOperatorCallExpr>(&expr);
      call && (call->getOperator() == clang::OO_Subscript ||
               (call->getOperator() == clang::OO_Star && call->getNumArgs() == 1)))
    return true;
  if (clang::isa<clang::CallExpr>(expr)) return expr.isLValue() && !expr.isTypeDependent();
  return clang::isa<clang::ArraySubscriptExpr, clang::DeclRefExpr, clang::CXXDependentScopeMemberExpr>(expr);
}

std::string whyNotBindable(const clang::Expr& glvalue) {
  if (glvalue.isTypeDependent()) return "";
  if (glvalue.refersToBitField()) return "a bit field";
  if (glvalue.refersToVectorElement() || glvalue.refersToMatrixElement())
    return "an element of a vector register";
  if (isPackedMember(glvalue)) return "a member of a packed structure";
  if (glvalue.isPRValue() && !glvalue.getType()->isVoidType()) return "";  // it goes through
  if (!glvalue.isLValue()) return "not an lvalue in every instantiation";
  return "";
}

std::string typeName(clang::QualType type, const clang::ASTContext& ast, bool instantiated) {
  if (const auto* substituted = type->getAs<clang::SubstTemplateTypeParmType>(); substituted && instantiated)
    return substituted->getReplacedParameter()->getNameAsString();
  if (isLibraryAlias(*type, ast.getSourceManager())) type = type.getCanonicalType();
  return type.getUnqualifiedType().getAsString(ast.getPrintingPolicy());
}

std::uint64_t sizeOf(clang::QualType type, const clang::ASTContext& ast) {
  if (type->isDependentType() || type->isIncompleteType() || type->isUndeducedType()) return 0;
  return static_cast<std::uint64_t>(ast.getTypeSizeInChars(type).getQuantity());
}

sites::Site describeSite(const clang::Expr& expr, clang::QualType accessed, const Scope& scope) {
  sites::Site site;
  site.function = scope.functionName();
  site.templateContext = scope.templateContext();
  site.loopDepth = scope.loopDepth();
  site.expression = textOf(expr, scope.ast, scope.ranges);
  site.type = typeName(accessed, scope.ast, scope.instantiated());
  site.bytes = static_cast<std::uint32_t>(sizeOf(accessed, scope.ast));
  return site;
}

AccessSeen seenIn(const Scope& scope) {
  AccessSeen access;
  access.body = scope.body();
  access.dependent = scope.dependent();
  access.instantiated = scope.instantiated();
  return access;
}

AccessSeen accessThrough(const clang::Expr& pointer, clang::QualType accessed, const clang::CallExpr& call,
                         const Scope& scope) {
  const clang::Expr& written = *pointer.IgnoreImpCasts();
  AccessSeen access = seenIn(scope);
  access.site = describeSite(written, accessed, scope);
  access.site.expression = textOf(call, scope.ast, scope.ranges);
  const Description description = describePointer(pointer, scope.ast, scope.ranges);
  access.site.base = description.base;
  access.site.index = description.index;
  access.form = edit::Form::CUI_POINTER;
  access.layer = Layer::pointer;
  access.range = scope.ranges.resolve(written.getSourceRange());
  return access;
}

AccessSeen accessOfLibrary(const clang::Expr& call, const clang::Expr* pointer, clang::QualType accessed,
                           const Scope& scope) {
  AccessSeen access = seenIn(scope);
  access.site.function = scope.functionName();
  access.site.templateContext = scope.templateContext();
  access.site.loopDepth = scope.loopDepth();
  access.site.expression = textOf(call, scope.ast, scope.ranges);
  if (!accessed.isNull()) access.site.type = typeName(accessed, scope.ast, scope.instantiated());
  if (!pointer) return access;
  const Description description = describePointer(*pointer, scope.ast, scope.ranges);
  access.site.base = description.base;
  access.site.index = description.index;
  access.site.space = storageOfPointer(*pointer).space;
  return access;
}

/// `"text"[2]`: a constant.
static bool isKnownLetter(const clang::Expr& expr, const clang::ASTContext& ast) {
  const auto* subscript = clang::dyn_cast<clang::ArraySubscriptExpr>(&expr);
  return subscript && clang::isa<clang::StringLiteral>(subscript->getBase()->IgnoreParenImpCasts()) &&
         !subscript->getIdx()->isValueDependent() && subscript->getIdx()->isIntegerConstantExpr(ast);
}

bool isEmpty(clang::QualType type) {
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  return record && record->hasDefinition() && !record->isDependentContext() && record->isEmpty();
}

/// `while (const T& x = p[i])`: the condition reads x, and no expression in the source does.
static bool isDeclaration(const clang::Expr& expr) {
  const auto* name = clang::dyn_cast<clang::DeclRefExpr>(&expr);
  return name && name->getLocation() == name->getDecl()->getLocation();
}

/// What such a reference is bound to, which the condition reads at once; null where that is another object's.
static const clang::Expr* initialiserOf(const clang::Expr& expr, const clang::ASTContext& ast) {
  const auto* name = clang::dyn_cast<clang::DeclRefExpr>(&expr);
  const auto* variable = name ? clang::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  const clang::Expr* bound = variable ? variable->getInit() : nullptr;
  if (const auto* whole = clang::dyn_cast_or_null<clang::ExprWithCleanups>(bound))
    bound = whole->getSubExpr();
  if (!bound) return nullptr;
  bound = bound->IgnoreParenNoopCasts(ast);
  if (!bound->isLValue() || bound->isTypeDependent() || clang::isa<clang::MaterializeTemporaryExpr>(bound))
    return nullptr;
  return ast.hasSameUnqualifiedType(bound->getType(), expr.getType()) ? bound : nullptr;
}

/// The base class's part of an object that is copied, `Base b = derived[i]`, and where it lies in there; null
/// of whole objects, and where only the object tells.
static clang::QualType partOf(const clang::Expr& object, const Scope& scope, clang::CharUnits& at) {
  clang::QualType part;
  const clang::Stmt* inner = &object;
  bool found = false;
  for (std::size_t i = scope.path.size(); i-- > 0;) {
    const clang::Stmt* stmt = scope.path[i].stmt;
    if (!found) {
      found = stmt == inner;
      continue;
    }
    const auto* cast = clang::dyn_cast_or_null<clang::CastExpr>(stmt);
    if (!clang::isa_and_nonnull<clang::ParenExpr>(stmt) && !(cast && cast->isGLValue())) break;
    if (!cast || cast->getCastKind() == clang::CK_NoOp) continue;
    if (cast->getCastKind() != clang::CK_UncheckedDerivedToBase &&
        cast->getCastKind() != clang::CK_DerivedToBase)
      break;
    std::uint64_t bits = 0;
    bool understood = true;
    const clang::QualType fromVirtual =
        placeOfBase({cast->path_begin(), cast->path_end()},
                    cast->getSubExpr()->getType()->getAsCXXRecordDecl(), bits, understood, scope.ast);
    if (!fromVirtual.isNull() || !understood) return {};
    at += scope.ast.toCharUnitsFromBits(static_cast<std::int64_t>(bits));
    part = cast->getType();
  }
  return part;
}

/// Of one text that stands for one thing, that part is what is recorded.
static void measurePart(const clang::Expr& object, AccessSeen& access, const Scope& scope) {
  if (scope.instantiated() || scope.dependent() || access.range.macro ||
      access.form != edit::Form::CUI_ACCESS)
    return;
  clang::CharUnits at;
  const clang::QualType part = partOf(object, scope, at);
  if (part.isNull()) return;
  access.site.type = typeName(part, scope.ast, false);
  access.site.bytes = static_cast<std::uint32_t>(sizeOf(part, scope.ast));
  access.form = edit::Form::CUI_FIELD;
  access.layer = Layer::field;
  access.measures = {static_cast<long>(access.site.bytes), static_cast<long>(at.getQuantity())};
}

void reportAccess(const clang::Expr& expr, Scope& scope) {
  Usage usage = usageOf(scope.path, scope.ast);
  if (usage.use == Use::none) return;
  const Use told = usage.use == Use::unknown ? usage.likely : usage.use;
  if (told == Use::none || (usage.use == Use::unknown && !scope.dependent())) return;
  if (isEmpty(usage.access->getType()) || isKnownLetter(expr, scope.ast)) return;
  const Storage storage = storageOf(expr);
  if (storage.where == Storage::Where::privateObject) return;
  if (storage.where == Storage::Where::privateArray && !scope.settings.localArrays) return;

  const bool declared = isDeclaration(expr);
  const clang::Expr* bound = declared ? initialiserOf(expr, scope.ast) : nullptr;
  if (bound) usage.access = bound;
  AccessSeen access = seenIn(scope);
  const clang::QualType type = usage.access->getType();
  access.site = describeSite(*usage.access, type, scope);
  const Description description = describe(bound ? *bound : expr, scope.ast, scope.ranges);
  access.site.base = description.base;
  access.site.index = description.index;
  access.site.kind = kindOf(told, type, scope.ast);
  access.site.space = storage.space;
  access.site.reason = usage.reason;
  const bool known = access.site.reason.empty(), twice = known && isNamedTwice(*usage.access, scope);
  if (known) access.site.reason = twice ? whyNotTwice(*usage.access, scope) : whyNotBindable(*usage.access);
  if (declared && !bound) access.site.reason = "read by the condition that declares it";
  access.form = formOf(usage.use, type, scope);
  // As long as nobody knows whether that is a bit field.
  if (clang::isa<clang::CXXDependentScopeMemberExpr>(*usage.access->IgnoreParens()) &&
      access.form == edit::Form::CUI_ACCESS)
    access.form = edit::Form::CUI_ADDRESSED;
  if (isPunnedConstant(*usage.access, scope)) {
    access.form = edit::Form::CUI_PUNNED;
    // A copy is a call by itself.
    if (access.site.reason.empty() && type->isRecordType()) access.site.reason = punnedObject;
  }
  access.range = scope.ranges.resolve(usage.access->getSourceRange());
  if (told == Use::load && known && !access.range.reason.empty()) {
    if (Resolved cast = splitCastAround(*usage.access, scope); cast.reason.empty()) {
      access.range = std::move(cast);
      access.form = edit::Form::CUI_CAST;
      access.layer = Layer::cast;
    }
  }
  if (known && !twice && access.site.reason.empty() && (told == Use::copyFrom || told == Use::copyTo))
    measurePart(*usage.access, access, scope);
  if (twice)
    noteNamedTwice(*usage.access, access.range, scope);
  else if (known && (usage.access->refersToBitField() || isPackedMember(*usage.access)))
    return reportField(*usage.access, std::move(access), scope);
  else if (known && !declared && access.site.reason.empty())
    findWhole(*usage.access, access, scope);
  scope.findings.add(std::move(access));
}

}  // namespace cui::constructs
