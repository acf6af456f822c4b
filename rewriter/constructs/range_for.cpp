// for (auto x : table): each turn copies an element, and no expression in the source does it. The range is
// wrapped, and what its iterators give is recorded.
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include "constructs/access.h"
#include "constructs/catalogue.h"
#include "constructs/stand_in.h"
#include "constructs/storage.h"

namespace cui::constructs {
namespace {

/// `*__begin`, and the way there from what initialises the loop's variable.
bool findElement(const clang::Stmt& from, const clang::VarDecl& iterator, std::vector<Node>& path) {
  path.push_back({&from, nullptr});
  const clang::Expr* operand = nullptr;
  if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(&from);
      unary && unary->getOpcode() == clang::UO_Deref)
    operand = unary->getSubExpr();
  if (const auto* call = clang::dyn_cast<clang::CXXOperatorCallExpr>(&from);
      call && call->getOperator() == clang::OO_Star)
    operand = call->getArg(0);
  const auto* name = operand ? clang::dyn_cast<clang::DeclRefExpr>(operand->IgnoreParenImpCasts()) : nullptr;
  if (name && name->getDecl() == &iterator) return true;
  if (const auto* array = clang::dyn_cast<clang::ArrayInitLoopExpr>(&from)) {
    if (findElement(*array->getCommonExpr()->getSourceExpr(), iterator, path)) return true;
  } else {
    for (const clang::Stmt* child : from.children())
      if (child && findElement(*child, iterator, path)) return true;
  }
  path.pop_back();
  return false;
}

const clang::VarDecl* declaredIn(const clang::Stmt* statement) {
  const auto* declaration = clang::dyn_cast_or_null<clang::DeclStmt>(statement);
  return declaration && declaration->isSingleDecl()
             ? clang::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
             : nullptr;
}

bool isList(const clang::Expr& range) {
  const clang::CXXRecordDecl* type =
      range.getType().isNull() ? nullptr : range.getType()->getAsCXXRecordDecl();
  return clang::isa<clang::InitListExpr>(range) ||
         (type && type->getIdentifier() && type->getName() == "initializer_list");
}

/// Where the elements are. What a range that holds no pointers leads to is in itself.
Storage storageOfElements(const clang::Expr& range) {
  if (range.isTypeDependent() || (range.getType()->isRecordType() && holdsPointer(range.getType())))
    return {};
  if (!range.isLValue()) return {Storage::Where::privateObject, format::Space::generic};
  return storageOf(range);
}

/// Our own code cannot call it: it is not public, or an operator that only the loop's own scope finds.
bool isOutOfReach(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  if (!callee) return false;
  if (clang::isa<clang::CXXMethodDecl>(callee)) return callee->getAccess() != clang::AS_public;
  if (!clang::isa<clang::CXXOperatorCallExpr>(call)) return false;  // begin() is found in the range's scope
  for (const clang::Expr* argument : call.arguments()) {
    const clang::CXXRecordDecl* type = argument->getType()->getAsCXXRecordDecl();
    if (type && type->getEnclosingNamespaceContext()->getPrimaryContext() ==
                    callee->getEnclosingNamespaceContext()->getPrimaryContext())
      return false;
  }
  return true;
}
bool callsOutOfReach(const clang::Stmt* statement) {
  if (!statement) return false;
  if (const auto* call = clang::dyn_cast<clang::CallExpr>(statement); call && isOutOfReach(*call))
    return true;
  if (const auto* declaration = clang::dyn_cast<clang::DeclStmt>(statement)) {
    const clang::VarDecl* variable = declaredIn(declaration);
    return variable && callsOutOfReach(variable->getInit());
  }
  for (const clang::Stmt* child : statement->children())
    if (callsOutOfReach(child)) return true;
  return false;
}

/// Why the range cannot be wrapped; "" if it can.
std::string whyNotWrapped(const clang::CXXForRangeStmt& loop, const clang::Expr& range, const Scope& scope) {
  // The form is a range, and nothing else.
  if (!scope.ranges.usedOnce(range.getBeginLoc())) return "a macro's argument that is used several times";
  if (range.isTypeDependent() || !loop.getBeginStmt()) return "";
  // The form keeps a temporary as a copy.
  if (!range.isLValue() && !(range.isPRValue() && range.getType()->isRecordType() &&
                             range.getType().isTriviallyCopyableType(scope.ast)))
    return "read by a range-based for, over a temporary that is more than data";
  if (callsOutOfReach(loop.getBeginStmt()) || callsOutOfReach(loop.getEndStmt()) ||
      callsOutOfReach(loop.getCond()) || callsOutOfReach(loop.getInc()))
    return "read by a range-based for, by functions that are not public";
  return "";
}

/// Of an object that stands for an element, and that the loop's variable is, only that says what is done with
/// it.
Usage usageInLoop(const std::vector<Node>& path, const Scope& scope) {
  return usageOfStandIn(path, scope.ast.getSourceManager()).usage;
}

class RangeFor : public Construct {
  void onDeviceStatement(const clang::Stmt& stmt, Scope& scope) const override {
    const auto* loop = clang::dyn_cast<clang::CXXForRangeStmt>(&stmt);
    if (!loop || !loop->getLoopVariable() || !loop->getRangeInit()) return;
    const clang::VarDecl& variable = *loop->getLoopVariable();
    const clang::Expr& range = *loop->getRangeInit()->IgnoreImplicit();
    if (isList(range)) return;
    const Resolved text = scope.ranges.resolve(range.getSourceRange());
    const std::string why = whyNotWrapped(*loop, range, scope);
    // The text is one for all instantiations of a template, and all expansions of a macro.
    if (const bool isShared = scope.instantiated() || text.macro; isShared) {
      if (variable.getType()->isReferenceType())
        scope.findings.veto(text, "read by a range-based for whose variable is a reference in some cases");
      if (!why.empty()) scope.findings.veto(text, why);
    }
    if (variable.getType()->isReferenceType()) return;

    const Storage storage = storageOfElements(range);
    if (storage.where == Storage::Where::privateObject) return;
    if (storage.where == Storage::Where::privateArray && !scope.settings.localArrays) return;
    const auto [usage, type] = elementOf(*loop, scope);
    if (usage.use == Use::none || isEmpty(type)) return;
    AccessSeen access = seenIn(scope);
    access.site = describeSite(range, type, scope);
    access.site.base = access.site.expression;
    access.site.kind = kindOf(usage.use, type, scope.ast);
    access.site.space = storage.space;
    access.site.reason = usage.reason.empty() ? why : usage.reason;
    access.layer = Layer::each;
    access.form = formOf(usage.use, type, scope) == edit::Form::CUI_LOAD ? edit::Form::CUI_LOAD_EACH
                                                                         : edit::Form::CUI_EACH;
    access.range = text;
    scope.findings.add(std::move(access));
  }

  /// What the loop does with each of its elements, and their type. What the iterators give else is a value,
  /// which their own code makes.
  static std::pair<Usage, clang::QualType> elementOf(const clang::CXXForRangeStmt& loop, const Scope& scope) {
    const clang::VarDecl& variable = *loop.getLoopVariable();
    const clang::VarDecl* iterator = declaredIn(loop.getBeginStmt());
    const Usage unknownUse{Use::load, nullptr, ""};
    if (!iterator || !variable.getInit() || variable.getInit()->isTypeDependent())
      return {scope.dependent() ? unknownUse : Usage(), variable.getType()};
    std::vector<Node> path{{nullptr, &variable}};
    if (!findElement(*variable.getInit(), *iterator, path)) return {{}, variable.getType()};
    const auto& element = *clang::cast<clang::Expr>(path.back().stmt);
    if (element.isTypeDependent()) return {unknownUse, variable.getType()};
    if (!element.isLValue()) {
      const clang::QualType type = standsFor(element.getType(), scope.ast.getSourceManager());
      return {type.isNull() ? Usage() : usageInLoop(path, scope), type.isNull() ? variable.getType() : type};
    }
    const bool isArray = clang::isa<clang::ArrayInitLoopExpr>(path[1].stmt);
    return {isArray ? Usage{Use::copyFrom, &element, ""} : usageOf(path, scope.ast), element.getType()};
  }
};

}  // namespace

std::unique_ptr<Construct> makeRangeFor() {
  return std::make_unique<RangeFor>();
}

}  // namespace cui::constructs
