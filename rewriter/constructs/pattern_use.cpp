#include "constructs/pattern_use.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <optional>

namespace cui::constructs {
namespace {

/// What a candidate for a call would do with that argument; nothing if it takes others.
std::optional<Use> withCandidate(const clang::FunctionDecl& function, unsigned argument, unsigned arguments,
                                 const clang::ASTContext& ast) {
  const auto parameters = function.parameters();
  const bool pack = !parameters.empty() && parameters.back()->isParameterPack();
  if (function.getMinRequiredArguments() > arguments) return {};
  if (arguments > parameters.size() && !pack) return {};
  clang::QualType type = parameters[std::min<std::size_t>(argument, parameters.size() - 1)]->getType();
  if (const auto* expansion = type->getAs<clang::PackExpansionType>()) type = expansion->getPattern();
  if (!type->isReferenceType()) return Use::load;
  if (isUsersOwn(function, ast.getSourceManager())) return Use::none;
  return type->isRValueReferenceType() || type->getPointeeType().isConstQualified() ? Use::load
                                                                                    : Use::unknown;
}

/// Of those that the pattern's own lookup finds; an argument's namespace may have more.
Use inCall(const clang::CallExpr& call, const clang::Expr& node, const clang::ASTContext& ast) {
  if (const auto* operation = clang::dyn_cast<clang::CXXOperatorCallExpr>(&call)) {
    const bool changes = operation->isAssignmentOp() || operation->getOperator() == clang::OO_PlusPlus ||
                         operation->getOperator() == clang::OO_MinusMinus;
    if (operation->getOperator() == clang::OO_Call || operation->getOperator() == clang::OO_Arrow)
      return Use::unknown;
    return changes && call.getArg(0) == &node ? Use::unknown : Use::load;
  }
  const auto* candidates = clang::dyn_cast<clang::OverloadExpr>(call.getCallee()->IgnoreParenImpCasts());
  const auto* place = std::find(call.getArgs(), call.getArgs() + call.getNumArgs(), &node);
  if (!candidates || place == call.getArgs() + call.getNumArgs()) return Use::unknown;
  const auto argument = static_cast<unsigned>(place - call.getArgs());
  std::optional<Use> all;
  for (const clang::NamedDecl* candidate : candidates->decls()) {
    const clang::FunctionDecl* function = candidate->getUnderlyingDecl()->getAsFunction();
    if (!function) return Use::unknown;
    const std::optional<Use> one = withCandidate(*function, argument, call.getNumArgs(), ast);
    if (one == Use::unknown) return Use::unknown;
    if (one) all = !all || all == one ? *one : Use::load;
  }
  return all.value_or(Use::unknown);
}

/// By value, as far as the pattern says: `T`, `auto`, `float`; not `decltype(auto)` or `typename
/// A::reference`.
bool isValue(clang::QualType type) {
  if (const auto* deduced = type->getAs<clang::AutoType>()) return !deduced->isDecltypeAuto();
  return !type->isReferenceType() &&
         (!type->isDependentType() || type->getAs<clang::TemplateTypeParmType>() ||
          type->getAs<clang::PointerType>());
}

/// `T& x(a[i])`, `T& x{a[i]}`, `: x(a[i])` of such a member
bool initialisesReference(const std::vector<Node>& path, std::size_t at) {
  const clang::Decl* around = at > 0 ? path[at - 1].decl : nullptr;
  if (const auto* constructor = clang::dyn_cast_or_null<clang::CXXConstructorDecl>(around))
    return llvm::any_of(constructor->inits(), [&](const clang::CXXCtorInitializer* one) {
      return one->getInit() == path[at].stmt && one->isAnyMemberInitializer() &&
             one->getAnyMember()->getType()->isReferenceType();
    });
  const auto* variable = clang::dyn_cast_or_null<clang::VarDecl>(around);
  return variable && variable->getType()->isReferenceType();
}

}  // namespace

const clang::FunctionDecl* functionAround(const std::vector<Node>& path, std::size_t at) {
  while (at-- > 0)
    if (const auto* function = clang::dyn_cast_or_null<clang::FunctionDecl>(path[at].decl)) return function;
  return nullptr;
}

bool isReadInPattern(const clang::Stmt& parent, const clang::Expr& node) {
  if (const auto* subscript = clang::dyn_cast<clang::ArraySubscriptExpr>(&parent))
    return subscript->isInstantiationDependent() &&
           (node.getType()->isPointerType() || (subscript->getRHS() == &node && node.isTypeDependent()));
  if (const auto* member = clang::dyn_cast<clang::CXXDependentScopeMemberExpr>(&parent))
    return member->isArrow() && node.getType()->isPointerType();
  if (!node.isTypeDependent()) return false;
  if (const auto* choice = clang::dyn_cast<clang::IfStmt>(&parent)) return choice->getCond() == &node;
  if (const auto* choice = clang::dyn_cast<clang::SwitchStmt>(&parent)) return choice->getCond() == &node;
  if (const auto* loop = clang::dyn_cast<clang::WhileStmt>(&parent)) return loop->getCond() == &node;
  if (const auto* loop = clang::dyn_cast<clang::DoStmt>(&parent)) return loop->getCond() == &node;
  if (const auto* loop = clang::dyn_cast<clang::ForStmt>(&parent)) return loop->getCond() == &node;
  if (const auto* fold = clang::dyn_cast<clang::CXXFoldExpr>(&parent))
    return !clang::BinaryOperator::isAssignmentOp(fold->getOperator()) &&
           fold->getOperator() != clang::BO_Comma;
  return false;
}

Use likelyUse(const std::vector<Node>& path, std::size_t at, const clang::Expr& node,
              const clang::Expr& access, const clang::ASTContext& ast) {
  const clang::Stmt* parent = path[at].stmt;
  if (node.getType()->isArrayType()) return Use::none;  // its address is wanted, which is in no memory
  if (const auto* call = clang::dyn_cast_or_null<clang::CallExpr>(parent)) {
    const Use use = inCall(*call, node, ast);
    return use == Use::unknown && access.getType().isConstQualified() ? Use::load : use;
  }
  if (parent && clang::isa<clang::ParenListExpr, clang::InitListExpr>(parent))
    return initialisesReference(path, at) ? Use::none : Use::load;
  if (access.getType().isConstQualified()) return Use::load;
  if (const auto* binary = clang::dyn_cast_or_null<clang::BinaryOperator>(parent))
    return binary->getOpcode() == clang::BO_Assign && binary->getLHS() == &node ? Use::store : Use::load;
  if (const auto* cast = clang::dyn_cast_or_null<clang::CastExpr>(parent))
    return cast->isGLValue() ? Use::unknown : Use::load;
  if (!parent || !clang::isa<clang::ReturnStmt>(parent)) return Use::load;
  const clang::FunctionDecl* function = functionAround(path, at);
  return function && isValue(function->getReturnType()) ? Use::load : Use::unknown;
}

}  // namespace cui::constructs
