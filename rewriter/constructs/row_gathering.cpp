#include "constructs/row_gathering.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>

#include "constructs/loop_numbers.h"
#include "constructs/plain_value.h"

namespace cui::constructs {
namespace {

using clang::Expr;
using clang::Stmt;

}  // namespace

void RowGathering::see(const clang::VarDecl& variable) {
  visible_.push_back(&variable);
  if (!values_.isConstant(variable) && !values_.isSame(variable)) now_[&variable] = initOf(variable);
}

void RowGathering::seeDeclared(const Stmt& statement) {
  if (const auto* declaration = clang::dyn_cast<clang::DeclStmt>(&statement))
    for (const clang::Decl* one : declaration->decls())
      if (const auto* variable = clang::dyn_cast<clang::VarDecl>(one)) see(*variable);
}

bool RowGathering::findGuards(std::size_t function, std::size_t at) {
  for (const clang::ParmVarDecl* parameter : scope_.function->parameters()) see(*parameter);
  // From outside, so that what a statement in front of it declares is known when it is named.
  return scope_.holdsOnTheWay(function, at,
                              [this](const Stmt& parent, const Stmt& child) { return step(parent, child); });
}

/// What the statement does besides what is in its child may have happened before.
void RowGathering::forgetBeside(const Stmt& parent, const Stmt& child) {
  if (!values_.changesAny()) return;
  for (const Stmt* other : parent.children()) {
    if (!other || other == &child) continue;
    for (const Assignment& one : values_.assignmentsIn(*other)) now_[one.variable] = nullptr;
  }
}

bool RowGathering::step(const Stmt& parent, const Stmt& child) {
  if (const auto* block = clang::dyn_cast<clang::CompoundStmt>(&parent))
    return addStatementsBefore(*block, child);
  forgetBeside(parent, child);
  if (const auto* choice = clang::dyn_cast<clang::IfStmt>(&parent)) {
    if (choice->getInit() || choice->getConditionVariable()) return false;
    if (&child == choice->getCond() || choice->isConstexpr()) return true;
    return addGuard(*choice->getCond(), &child == choice->getThen());
  }
  const Expr* condition = nullptr;
  const Stmt* body = nullptr;
  if (findLoop(parent, condition, body)) {
    if (const auto* loop = clang::dyn_cast<clang::ForStmt>(&parent); loop && loop->getInit()) {
      if (&child == loop->getInit()) return true;
      seeDeclared(*loop->getInit());
    }
    inLoop_ = true;
    return &child == body && condition && values_.isUniform(*condition) && values_.isLeftAlike(*body);
  }
  if (const auto* choice = clang::dyn_cast<clang::ConditionalOperator>(&parent))
    return &child == choice->getCond() || addGuard(*choice->getCond(), &child == choice->getTrueExpr());
  if (const auto* binary = clang::dyn_cast<clang::BinaryOperator>(&parent); binary && binary->isLogicalOp())
    return &child == binary->getLHS() || addGuard(*binary->getLHS(), binary->getOpcode() == clang::BO_LAnd);
  return alwaysComesTo(parent);
}

bool RowGathering::addStatementsBefore(const clang::CompoundStmt& block, const Stmt& child) {
  const KernelValues::Block& statements = values_.blockOf(block);
  const auto end = statements.places.find(&child);
  if (end == statements.places.end()) return false;
  within_.clear();
  for (const auto& [place, statement, canReturn, assignments] : statements.notable) {
    if (place > end->second) break;
    seeDeclared(*statement);
    if (statement == &child) within_ = assignments;
    if (statement != &child)
      for (const Assignment& one : assignments)
        now_[one.variable] = one.whole && !one.adds ? one.value : nullptr;
    if (!canReturn || statement == &child) continue;
    // `if (i >= n) return;`
    const auto* choice = clang::dyn_cast<clang::IfStmt>(statement);
    if (!choice || choice->getElse() || choice->getInit() || choice->getConditionVariable()) return false;
    const Stmt* then = choice->getThen();
    if (const auto* inner = clang::dyn_cast<clang::CompoundStmt>(then))
      then = inner->size() == 1 ? inner->body_front() : nullptr;
    if (!then || !clang::isa<clang::ReturnStmt>(then) || !addGuard(*choice->getCond(), false)) return false;
  }
  return true;
}

bool RowGathering::addGuard(const Expr& condition, bool holds) {
  if (!isPlainValue(condition)) return false;
  (values_.isUniform(condition) ? uniform_ : guards_).push_back({&condition, holds});
  return true;
}

/// Numbers that only grow, by adding and multiplying what is not negative.
bool RowGathering::onlyGrows(const Expr& value) const {
  const Expr* inner = value.IgnoreParenImpCasts();
  if (clang::isa<clang::IntegerLiteral, clang::PseudoObjectExpr>(inner)) return true;
  if (const auto* binary = clang::dyn_cast<clang::BinaryOperator>(inner))
    return (binary->getOpcode() == clang::BO_Add || binary->getOpcode() == clang::BO_Mul) &&
           onlyGrows(*binary->getLHS()) && onlyGrows(*binary->getRHS());
  const clang::VarDecl* variable = variableIn(*inner);
  if (!variable) return false;
  if (values_.isUniform(*inner)) return variable->getType()->isUnsignedIntegerType();
  return values_.isConstant(*variable) && initOf(*variable) && onlyGrows(*initOf(*variable));
}

bool RowGathering::isComparison(const clang::BinaryOperator& comparison, bool holds,
                                unsigned& corners) const {
  using clang::BinaryOperator;
  const Expr &left = *comparison.getLHS(), &right = *comparison.getRHS();
  if (!left.getType()->isIntegerType() || values_.degree(left) > 1 || values_.degree(right) > 1) return false;
  const clang::BinaryOperatorKind kind =
      holds ? comparison.getOpcode() : BinaryOperator::negateComparisonOp(comparison.getOpcode());
  if (kind == clang::BO_NE || kind == clang::BO_Cmp) return false;
  const unsigned coordinates = values_.coordinatesOf(left) | values_.coordinatesOf(right);
  if (kind == clang::BO_EQ && coordinates != 0) return false;  // of one thread, never of whole blocks
  // Of unsigned numbers one from below zero is among the greatest: then an upper bound does not hold for it
  // either, but a lower one might hold at both ends and not between them.
  if (left.getType()->isUnsignedIntegerType() && kind != clang::BO_EQ) {
    const bool less = kind == clang::BO_LT || kind == clang::BO_LE;
    const Expr& bounded = less ? right : left;  // from below
    if (values_.degree(bounded) != 0 && !onlyGrows(bounded)) return false;
  }
  if ((coordinates & (coordinates - 1)) != 0) corners = 8;
  return true;
}

/// The threads that it holds for are all between any two of them.
bool RowGathering::isConvex(const Expr& condition, bool holds, unsigned& corners) const {
  const Expr* inner = condition.IgnoreParenImpCasts();
  if (values_.isUniform(*inner)) return true;
  if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(inner))
    return unary->getOpcode() == clang::UO_LNot && isConvex(*unary->getSubExpr(), !holds, corners);
  const auto* binary = clang::dyn_cast<clang::BinaryOperator>(inner);
  if (!binary) return false;
  if (binary->getOpcode() == (holds ? clang::BO_LAnd : clang::BO_LOr))
    return isConvex(*binary->getLHS(), holds, corners) && isConvex(*binary->getRHS(), holds, corners);
  return binary->isComparisonOp() && isComparison(*binary, holds, corners);
}

bool RowGathering::addGuards(RowSeen& seen) {
  for (const Guard& guard : guards_) {
    if (seen.corners == 0) seen.corners = 2;
    const std::string text = scope_.ranges.line(guard.condition->getSourceRange());
    if (text.empty() || !isConvex(*guard.condition, guard.holds, seen.corners) ||
        !addNames(*guard.condition, true, seen))
      return false;
    seen.guard += (seen.guard.empty() ? "" : " && ") + std::string(guard.holds ? "(" : "!(") + text + ")";
  }
  if (seen.guard.empty()) seen.guard = "true";
  return true;
}

/// Where the variables are declared that it names: others of the same names may be nearer elsewhere.
std::string RowGathering::variablesIn(const Stmt& stmt) const {
  const auto* name = clang::dyn_cast<clang::DeclRefExpr>(&stmt);
  const auto* variable = name ? clang::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  const clang::SourceManager& manager = scope_.ast.getSourceManager();
  std::string places;
  if (variable && variable->hasLocalStorage())
    places = " " + std::to_string(manager.getFileOffset(manager.getExpansionLoc(variable->getLocation())));
  for (const Stmt* child : stmt.children())
    if (child) places += variablesIn(*child);
  return places;
}

void RowGathering::addSurroundings(std::size_t function, std::size_t at, RowSeen& seen) const {
  const Stmt* const body = scope_.function->getBody();
  const auto* const block = clang::dyn_cast_or_null<clang::CompoundStmt>(body);
  const Expr* whole = nullptr;  // the full expression around it
  for (std::size_t i = at; i > function; --i) {
    const auto* expr = clang::dyn_cast_or_null<Expr>(scope_.path[i].stmt);
    if (!expr) break;
    whole = expr;
  }
  if (inLoop_ || !block || !whole) return;
  std::string conditions, named;
  for (const Guard& one : uniform_) {
    const std::string text = scope_.ranges.line(one.condition->getSourceRange());
    if (text.empty()) return;
    conditions += (one.holds ? "(" : "!(") + text + ")" + variablesIn(*one.condition);
  }
  for (const Guard& one : guards_) named += variablesIn(*one.condition);
  const Resolved brace = scope_.ranges.resolveToken(block->getLBracLoc()),
                 first = scope_.ranges.resolveToken(whole->getBeginLoc());
  if (!brace.reason.empty() || brace.macro || !first.located) return;
  seen.conditions = conditions;
  seen.guarded = named;
  seen.kernel = brace.span;
  seen.whole = first.use;
}

bool RowGathering::addNumbers(std::size_t function, std::size_t at, RowSeen& seen) const {
  if (!inLoop_) return true;
  seen.numbers = loopNumbers(scope_, function, at, values_, *valuesOf(scope_, Among::twins));
  return seen.corners == 0 && seen.inLoop();
}

/// Another variable of that name is nearer to the place.
bool RowGathering::isNamedAlike(const clang::NamedDecl& named) const {
  const auto nearest = std::find_if(visible_.rbegin(), visible_.rend(), [&](const clang::VarDecl* variable) {
    return variable->getDeclName() == named.getDeclName();
  });
  return nearest != visible_.rend() && *nearest != &named;
}

/// `before`: the text is evaluated before the place is come to.
bool RowGathering::addNames(const Expr& expr, bool before, RowSeen& seen) {
  if (clang::isa<clang::LambdaExpr, clang::CXXThisExpr>(expr)) return false;
  if (clang::isa<clang::PseudoObjectExpr>(expr)) {
    // A program's own variable of such a name is in the way.
    return std::none_of(visible_.begin(), visible_.end(), [](const clang::VarDecl* variable) {
      return variable->getDeclName().isIdentifier() &&
             (variable->getName() == "threadIdx" || variable->getName() == "blockIdx");
    });
  }
  if (const auto* name = clang::dyn_cast<clang::DeclRefExpr>(&expr)) {
    if (isNamedAlike(*name->getDecl())) return false;
    const auto* variable = clang::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable && variable->hasLocalStorage() && !variable->getType()->isArrayType() &&
        !addVariable(*variable, before, seen))
      return false;
  }
  return std::all_of(expr.child_begin(), expr.child_end(), [&](const Stmt* child) {
    const auto* part = clang::dyn_cast_or_null<Expr>(child);
    return !part || addNames(*part, before, seen);
  });
}

/// In the loop that is entered, nothing but something that is the same for all threads is added to it, each
/// time round: its place there is written as a sum of that (loop_text.h).
bool RowGathering::onlyAdvances(const clang::VarDecl& variable) const {
  return std::all_of(within_.begin(), within_.end(), [&](const Assignment& one) {
    return one.variable != &variable || (loop_ && one.adds && (!one.value || values_.isUniform(*one.value)));
  });
}

/// Null if it is not known. `before`: of what has been evaluated earlier, when variables had other values.
const Expr* RowGathering::valueOf(const clang::VarDecl& variable, bool before) const {
  if (values_.isConstant(variable)) return initOf(variable);
  if (before || inLoop_ || !values_.isOwn(variable) || !onlyAdvances(variable)) return nullptr;
  const auto set = now_.find(&variable);
  return set == now_.end() ? nullptr : set->second;
}

bool RowGathering::addVariable(const clang::VarDecl& variable, bool before, RowSeen& seen) {
  if (variable.isUsableInConstantExpressions(scope_.ast)) return true;
  if (loop_ && scope_.ast.getSourceManager().isPointWithin(variable.getLocation(), loop_->getBeginLoc(),
                                                           loop_->getEndLoc())) {
    // It is declared wherever the place is computed, of what that is made from.
    const Expr* init = initOf(variable);
    return !init || !added_.insert(&variable).second || addNames(*init, before, seen);
  }
  if (std::find(visible_.begin(), visible_.end(), &variable) == visible_.end() || variable.getName().empty())
    return false;
  if (values_.isSame(variable)) return !before || values_.isConstant(variable);
  const Expr* value = valueOf(variable, before);
  if (!value) return false;
  if (!added_.insert(&variable).second) return true;
  const std::string text = scope_.ranges.line(value->getSourceRange()), name = variable.getName().str();
  if (text.empty() || !addNames(*value, true, seen)) return false;
  seen.declarations.push_back("const decltype(" + name + ") " + name + " = (" + text + "); (void)(" + name +
                              ")");
  return true;
}

}  // namespace cui::constructs
