#include "constructs/statements.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "constructs/degrees.h"
#include "constructs/plain_value.h"
#include "constructs/together.h"

namespace cui::constructs {

/// A full expression that is a statement of a block or initialises a variable there; or a declaration without
/// one; or any other statement, which ends all that is in front of it.
struct Step {
  const clang::Expr* whole = nullptr;
  Span span;           ///< of `whole`
  bool quiet = false;  ///< nothing else happens, and where it stands shows that it does in front of the next
  bool follows = false;                        ///< nothing else stands between the one before and it
  std::vector<const clang::VarDecl*> changed;  ///< by it, or declared
};
struct StepsOfBlock {
  std::vector<Step> all;
  std::unordered_map<const clang::Expr*, std::size_t> places;  ///< each access in the block asks
};

namespace {

using clang::Expr;
using clang::Stmt;

/// Of an access's place no more steps are looked at: a call records three accesses.
constexpr std::size_t mostBefore = 8;

/// The variable that an object is, or is in; null where a pointer or a member that is a reference leads to
/// it.
const clang::VarDecl* holderOf(const Expr& object) {
  const Expr* inner = object.IgnoreParens();
  if (const auto* name = clang::dyn_cast<clang::DeclRefExpr>(inner))
    return clang::dyn_cast<clang::VarDecl>(name->getDecl());
  if (const auto* member = clang::dyn_cast<clang::MemberExpr>(inner);
      member && !member->isArrow() && !member->getMemberDecl()->getType()->isReferenceType())
    return holderOf(*member->getBase());
  if (const auto* subscript = clang::dyn_cast<clang::ArraySubscriptExpr>(inner))
    return holderOf(*subscript->getBase());
  const auto* cast = clang::dyn_cast<clang::CastExpr>(inner);
  return cast && cast->getCastKind() != clang::CK_LValueToRValue ? holderOf(*cast->getSubExpr()) : nullptr;
}

/// The variables of a function that something else than their names might change: their addresses are taken,
/// or references are bound to them.
class ExposedVariables {
 public:
  explicit ExposedVariables(const clang::FunctionDecl& function) {
    if (const auto* constructor = clang::dyn_cast<clang::CXXConstructorDecl>(&function))
      for (const clang::CXXCtorInitializer* one : constructor->inits()) look(one->getInit());
    look(function.getBody());
  }
  std::set<const clang::VarDecl*> take() { return std::move(exposed_); }

 private:
  void look(const Stmt* stmt) {
    if (!stmt || clang::isa<clang::UnaryExprOrTypeTraitExpr, clang::PseudoObjectExpr>(stmt)) return;
    if (const auto* cast = clang::dyn_cast<clang::CastExpr>(stmt); cast && readsVariable(*cast)) return;
    if (const auto* name = clang::dyn_cast<clang::DeclRefExpr>(stmt)) {
      if (const auto* variable = clang::dyn_cast<clang::VarDecl>(name->getDecl())) exposed_.insert(variable);
      return;
    }
    const Expr* target = nullptr;
    if (const auto* binary = clang::dyn_cast<clang::BinaryOperator>(stmt); binary && binary->isAssignmentOp())
      target = binary->getLHS();
    if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(stmt);
        unary && unary->isIncrementDecrementOp())
      target = unary->getSubExpr();
    for (const Stmt* child : stmt->children())
      if (!child || child != target || !isName(*target)) look(child);
  }

  /// Of a variable, or of a member of one.
  static bool isName(const Expr& target) {
    const Expr* object = target.IgnoreParens();
    for (const clang::MemberExpr* member = nullptr;
         (member = clang::dyn_cast<clang::MemberExpr>(object)) && !member->isArrow();)
      object = member->getBase()->IgnoreParens();
    return clang::isa<clang::DeclRefExpr>(object);
  }

  std::set<const clang::VarDecl*> exposed_;
};

/// All that is read to compute the place is constant, or in variables of the function's own that nobody else
/// can change.
bool hasOwnValues(const Stmt& place, const std::set<const clang::VarDecl*>& exposed) {
  const auto isOwn = [&exposed](const Expr& object) {
    const Expr* inner = object.IgnoreParens();
    for (const clang::MemberExpr* member = nullptr;
         (member = clang::dyn_cast<clang::MemberExpr>(inner)) && !member->isArrow();)
      inner = member->getBase()->IgnoreParens();
    const auto* name = clang::dyn_cast<clang::DeclRefExpr>(inner);
    const auto* variable = name ? clang::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
    if (!variable || name->refersToEnclosingVariableOrCapture()) return false;
    // It is no reference, and plain: no volatile.
    if (variable->getType().isConstQualified() && variable->getType()->isScalarType()) return true;
    return variable->hasLocalStorage() && !variable->getType()->isReferenceType() &&
           exposed.count(variable) == 0;
  };
  if (const auto* cast = clang::dyn_cast<clang::CastExpr>(&place);
      cast && cast->getCastKind() == clang::CK_LValueToRValue && !isOwn(*cast->getSubExpr()))
    return false;
  if (const auto* member = clang::dyn_cast<clang::MemberExpr>(&place);
      member && member->getMemberDecl()->getType()->isReferenceType() && !isOwn(*member))
    return false;
  if (clang::isa<clang::PseudoObjectExpr>(place)) return true;  // a thread's index
  return std::all_of(place.child_begin(), place.child_end(),
                     [&exposed](const Stmt* child) { return !child || hasOwnValues(*child, exposed); });
}

bool namesVolatile(const Stmt& stmt) {
  const auto* expr = clang::dyn_cast<Expr>(&stmt);
  if (expr && expr->getType().isVolatileQualified()) return true;
  return std::any_of(stmt.child_begin(), stmt.child_end(),
                     [](const Stmt* child) { return child && namesVolatile(*child); });
}

/// Text of a file itself, without directives.
std::optional<Span> textOf(clang::SourceRange range, const Scope& scope) {
  const Resolved first = scope.ranges.resolveToken(range.getBegin());
  const Resolved last = scope.ranges.resolveToken(range.getEnd());
  for (const Resolved* token : {&first, &last})
    if (!token->located || !token->reason.empty() || token->macro || !token->outermostMacro.empty())
      return std::nullopt;
  const Span span{first.span.file, first.span.begin, last.span.end};
  if (last.span.file != span.file || span.begin >= span.end) return std::nullopt;
  const edit::TokenIndex& tokens = scope.ranges.sources().tokens(span.file);
  if (!tokens.hasNoDirective(span.begin, span.end) || !tokens.expandsNothing(span.begin, span.end))
    return std::nullopt;
  return span;
}

class Steps {
 public:
  Steps(const clang::CompoundStmt& block, const Scope& scope) : scope_(scope) {
    for (const Stmt* statement : block.body())
      if (!clang::isa<clang::NullStmt>(statement)) add(*statement);
  }
  std::shared_ptr<const StepsOfBlock> take() {
    StepsOfBlock block{std::move(all_), {}};
    for (std::size_t i = 0; i < block.all.size(); ++i)
      if (block.all[i].whole) block.places[block.all[i].whole] = i;
    return std::make_shared<const StepsOfBlock>(std::move(block));
  }

 private:
  void add(const Stmt& statement) {
    const std::optional<Span> text = textOf(statement.getSourceRange(), scope_);
    // A file that is included twice there begins anew.
    const bool follows = text && end_ && end_->file == text->file && end_->end <= text->begin &&
                         scope_.ranges.sources().tokens(text->file).hasOnlySemicolons(end_->end, text->begin);
    const std::size_t first = all_.size();
    end_ = text;
    if (const auto* expr = clang::dyn_cast<Expr>(&statement))
      addExpression(*expr, nullptr);
    else if (const auto* declaration = clang::dyn_cast<clang::DeclStmt>(&statement))
      for (const clang::Decl* one : declaration->decls()) addDeclaration(*one);
    else
      all_.emplace_back();
    for (std::size_t i = first; i < all_.size(); ++i) {
      all_[i].quiet &= text.has_value();
      all_[i].follows = i == first ? follows : text.has_value();
    }
  }

  void addDeclaration(const clang::Decl& decl) {
    const auto* variable = clang::dyn_cast<clang::VarDecl>(&decl);
    if (!variable || clang::isa<clang::DecompositionDecl>(variable) || !variable->hasLocalStorage() ||
        !isNumberOrPointer(variable->getType()) || variable->getType().isVolatileQualified()) {
      all_.emplace_back();
      return;
    }
    if (const Expr* init = variable->getInit()) return addExpression(*init, variable);
    Step& step = all_.emplace_back();
    step.quiet = true;
    step.changed.push_back(variable);
  }

  void addExpression(const Expr& whole, const clang::VarDecl* declared) {
    Step& step = all_.emplace_back();
    step.whole = &whole;
    const auto& assigned = assignedOnTheWay(whole, scope_);
    const std::optional<Span> text = textOf(whole.getSourceRange(), scope_);
    if (!assigned || !text || namesVolatile(whole)) return;
    step.quiet = true;
    step.span = *text;
    step.changed = *assigned;
    const Expr* target = lastTarget(whole);
    const clang::VarDecl* holder = target ? holderOf(*target) : nullptr;
    // Places read nothing of others, nor of an array's elements (plain_value.h).
    if (holder && holder->hasLocalStorage() && !holder->getType()->isReferenceType() &&
        !holder->getType()->isArrayType())
      step.changed.push_back(holder);
    if (declared) step.changed.push_back(declared);
  }

  const Scope& scope_;
  std::vector<Step> all_;
  std::optional<Span> end_;  ///< of the statement before
};

/// The block that `whole` is a statement of, or initialises a variable of.
const clang::CompoundStmt* blockOf(const Expr& whole, const Scope& scope) {
  std::size_t at = scope.depthOf(whole);
  if (at >= 2 && scope.path[at - 1].decl && clang::isa_and_nonnull<clang::DeclStmt>(scope.path[at - 2].stmt))
    at -= 2;
  return at == 0 ? nullptr : clang::dyn_cast_or_null<clang::CompoundStmt>(scope.path[at - 1].stmt);
}

/// It is computed from indices, parameters and constants, by way of variables that begin as such; of so many.
bool isOfIndices(const Stmt& value, unsigned steps = 8) {
  const auto* name = clang::dyn_cast<clang::DeclRefExpr>(&value);
  const auto* variable = name ? clang::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  if (variable && variable->hasLocalStorage() && !clang::isa<clang::ParmVarDecl>(variable)) {
    const Expr* init = initOf(*variable);
    if (!init || steps == 0 || !isPlainValue(*init) || !isOfIndices(*init, steps - 1)) return false;
  }
  return std::all_of(value.child_begin(), value.child_end(),
                     [steps](const Stmt* child) { return !child || isOfIndices(*child, steps); });
}

/// Some lanes of most warps come there, as numbers in memory decide: a call for several accesses takes longer
/// there than one for each of them.
bool isForSomeLanes(const clang::CompoundStmt& block, const Scope& scope) {
  const std::size_t at = scope.depthOf(block);
  for (std::size_t i = scope.depthOfFunction() + 1; i < at; ++i) {
    const auto* choice = clang::dyn_cast_or_null<clang::IfStmt>(scope.path[i].stmt);
    if (choice && scope.path[i + 1].stmt != choice->getCond() && !choice->isConstexpr() &&
        !(isPlainValue(*choice->getCond()) && isOfIndices(*choice->getCond())))
      return true;
  }
  return false;
}

}  // namespace

std::vector<Span> wholesBefore(const Expr& access, const Expr& whole, const Scope& scope) {
  std::vector<Span> result;
  const clang::CompoundStmt* block = blockOf(whole, scope);
  if (!block || !scope.function || !scope.function->getBody() || scope.function->isConstexpr() ||
      isForSomeLanes(*block, scope))
    return result;
  const auto [known, isNew] = scope.steps.try_emplace(block);
  if (isNew) known->second = Steps(*block, scope).take();
  const std::vector<Step>& steps = known->second->all;
  const auto place = known->second->places.find(&whole);
  if (place == known->second->places.end() || !steps[place->second].quiet) return result;
  const auto [exposed, isFirst] = scope.exposed.try_emplace(scope.function);
  if (isFirst) exposed->second = ExposedVariables(*scope.function).take();
  if (!hasOwnValues(access, exposed->second)) return result;
  for (std::size_t i = place->second; i > 0 && steps[i].follows && result.size() < mostBefore;) {
    --i;
    if (!steps[i].quiet || mentions(access, steps[i].changed)) break;
    if (steps[i].whole) result.push_back(steps[i].span);
  }
  return result;
}

}  // namespace cui::constructs
