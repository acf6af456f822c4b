#include "constructs/grid_row.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>
#include <set>

#include "constructs/kernel_values.h"
#include "constructs/loop_numbers.h"
#include "constructs/loop_shape.h"
#include "constructs/plain_value.h"
#include "cuinstrument/format/record.h"

namespace cui::constructs {
namespace {

using clang::Expr;
using clang::Stmt;

/// A condition that holds where the access is made, and where it is evaluated.
struct Guard {
  const Expr* condition = nullptr;
  bool holds = true;  ///< false: its negation does
};

/// Conditions and declarations of one place in a kernel, gathered on the way out of it.
class Gathering {
 public:
  Gathering(const KernelValues& values, const Scope& scope) : values_(values), scope_(scope) {}

  /// All threads that come to path[function] come to path[at], if the guards hold.
  bool findGuards(std::size_t function, std::size_t at);
  bool addGuards(RowSeen& seen);
  /// Which others the same threads come to.
  void addSurroundings(std::size_t function, std::size_t at, RowSeen& seen) const;
  /// In loops there may be no guard, and something has to tell the times apart: one block would account for
  /// all.
  bool addNumbers(std::size_t function, std::size_t at, RowSeen& seen) const;
  /// What the place needs to be computed for another thread.
  bool addPlace(const Expr& place, RowSeen& seen) { return addNames(place, false, seen); }
  /// What variables have been set to there.
  const ValuesNow& now() const { return now_; }
  /// From now on names may be those of variables that this loop declares: they are there wherever the place
  /// is computed.
  void enter(const clang::ForStmt& loop) { loop_ = &loop; }

 private:
  bool step(const Stmt& parent, const Stmt& child);
  bool addStatementsBefore(const clang::CompoundStmt& block, const Stmt& child);
  bool addGuard(const Expr& condition, bool holds);
  bool isConvex(const Expr& condition, bool holds, unsigned& corners) const;
  bool isComparison(const clang::BinaryOperator& comparison, bool holds, unsigned& corners) const;
  bool onlyGrows(const Expr& value) const;
  void see(const clang::VarDecl& variable);
  void seeDeclared(const Stmt& statement);
  bool isNamedAlike(const clang::NamedDecl& named) const;
  std::string variablesIn(const Stmt& stmt) const;
  bool addNames(const Expr& expr, bool before, RowSeen& seen);
  bool addVariable(const clang::VarDecl& variable, bool before, RowSeen& seen);
  void forgetBeside(const Stmt& parent, const Stmt& child);
  const Expr* valueOf(const clang::VarDecl& variable, bool before) const;
  bool onlyAdvances(const clang::VarDecl& variable) const;

  const KernelValues& values_;
  const Scope& scope_;
  std::vector<Guard> guards_, uniform_;  ///< the latter are the same for all threads of the row
  bool inLoop_ = false;
  const clang::ForStmt* loop_ = nullptr;
  std::vector<const clang::VarDecl*> visible_;  ///< from there
  std::set<const clang::VarDecl*> added_;
  ValuesNow now_;
  std::vector<Assignment> within_;  ///< the statement of the innermost block around the place, or the loop
};

void Gathering::see(const clang::VarDecl& variable) {
  visible_.push_back(&variable);
  if (!values_.isConstant(variable) && !values_.isSame(variable)) now_[&variable] = initOf(variable);
}

void Gathering::seeDeclared(const Stmt& statement) {
  if (const auto* declaration = clang::dyn_cast<clang::DeclStmt>(&statement))
    for (const clang::Decl* one : declaration->decls())
      if (const auto* variable = clang::dyn_cast<clang::VarDecl>(one)) see(*variable);
}

bool Gathering::findGuards(std::size_t function, std::size_t at) {
  for (const clang::ParmVarDecl* parameter : scope_.function->parameters()) see(*parameter);
  // From outside, so that what a statement in front of it declares is known when it is named.
  return scope_.holdsOnTheWay(function, at,
                              [this](const Stmt& parent, const Stmt& child) { return step(parent, child); });
}

/// What the statement does besides what is in its child may have happened before.
void Gathering::forgetBeside(const Stmt& parent, const Stmt& child) {
  if (!values_.changesAny()) return;
  for (const Stmt* other : parent.children()) {
    if (!other || other == &child) continue;
    for (const Assignment& one : values_.assignmentsIn(*other)) now_[one.variable] = nullptr;
  }
}

bool Gathering::step(const Stmt& parent, const Stmt& child) {
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

bool Gathering::addStatementsBefore(const clang::CompoundStmt& block, const Stmt& child) {
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

bool Gathering::addGuard(const Expr& condition, bool holds) {
  if (!isPlainValue(condition)) return false;
  (values_.isUniform(condition) ? uniform_ : guards_).push_back({&condition, holds});
  return true;
}

/// Numbers that only grow, by adding and multiplying what is not negative.
bool Gathering::onlyGrows(const Expr& value) const {
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

bool Gathering::isComparison(const clang::BinaryOperator& comparison, bool holds, unsigned& corners) const {
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
bool Gathering::isConvex(const Expr& condition, bool holds, unsigned& corners) const {
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

bool Gathering::addGuards(RowSeen& seen) {
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
std::string Gathering::variablesIn(const Stmt& stmt) const {
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

void Gathering::addSurroundings(std::size_t function, std::size_t at, RowSeen& seen) const {
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

bool Gathering::addNumbers(std::size_t function, std::size_t at, RowSeen& seen) const {
  if (!inLoop_) return true;
  seen.numbers = loopNumbers(scope_, function, at);
  return seen.corners == 0 && seen.inLoop();
}

/// Another variable of that name is nearer to the place.
bool Gathering::isNamedAlike(const clang::NamedDecl& named) const {
  const auto nearest = std::find_if(visible_.rbegin(), visible_.rend(), [&](const clang::VarDecl* variable) {
    return variable->getDeclName() == named.getDeclName();
  });
  return nearest != visible_.rend() && *nearest != &named;
}

/// `before`: the text is evaluated before the place is come to.
bool Gathering::addNames(const Expr& expr, bool before, RowSeen& seen) {
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
bool Gathering::onlyAdvances(const clang::VarDecl& variable) const {
  return std::all_of(within_.begin(), within_.end(), [&](const Assignment& one) {
    return one.variable != &variable || (loop_ && one.adds && (!one.value || values_.isUniform(*one.value)));
  });
}

/// Null if it is not known. `before`: of what has been evaluated earlier, when variables had other values.
const Expr* Gathering::valueOf(const clang::VarDecl& variable, bool before) const {
  if (values_.isConstant(variable)) return initOf(variable);
  if (before || inLoop_ || !values_.isOwn(variable) || !onlyAdvances(variable)) return nullptr;
  const auto set = now_.find(&variable);
  return set == now_.end() ? nullptr : set->second;
}

bool Gathering::addVariable(const clang::VarDecl& variable, bool before, RowSeen& seen) {
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
  seen.declarations.push_back("const decltype(" + name + ") " + name + " = (" + text +
                              "); static_cast<void>(" + name + ")");
  return true;
}

}  // namespace

std::optional<RowSeen> rowAround(const Expr& access, const Scope& scope) {
  const KernelValues* const values = gpuValuesOf(scope, Among::row);
  if (!values || !isPlainPlace(access) ||
      scope.ast.getTypeSizeInChars(access.getType()).getQuantity() > format::maxTogetherBytes)
    return std::nullopt;
  const std::size_t function = scope.depthOfFunction(), at = scope.depthOf(access);
  if (at <= function) return std::nullopt;
  Gathering gathering(*values, scope);
  RowSeen seen;
  if (!gathering.findGuards(function, at) || values->degreeOfPlaceNow(access, gathering.now()) > 1 ||
      !gathering.addGuards(seen) || !gathering.addPlace(access, seen) ||
      !gathering.addNumbers(function, at, seen))
    return std::nullopt;
  gathering.addSurroundings(function, at, seen);
  return seen;
}

std::optional<RowSeen> loopRow(const clang::ForStmt& loop, std::size_t at, const Expr& access,
                               const Scope& scope) {
  const KernelValues* const values = gpuValuesOf(scope, Among::row);
  const std::optional<LoopHead> head = headOf(loop);
  const std::size_t function = scope.depthOfFunction();
  if (!values || !head || !head->first || head->relation == clang::BO_NE || at <= function ||
      scope.ast.getTypeSizeInChars(access.getType()).getQuantity() > format::maxTogetherBytes ||
      (head->step && !values->isUniform(*head->step)))
    return std::nullopt;
  RowSeen seen;
  Gathering gathering(*values, scope);
  if (!gathering.findGuards(function, at) || !gathering.addGuards(seen)) return std::nullopt;
  // How often a thread goes round is a sum of coordinates, too, as far as that is the same.
  unsigned coordinates = 0;
  for (const Expr* bound : {head->first, head->bound}) {
    if (!isPlainValue(*bound) || values->degree(*bound) > 1 || !gathering.addPlace(*bound, seen))
      return std::nullopt;
    coordinates |= values->coordinatesOf(*bound);
    if (values->degree(*bound) == 1 && seen.corners == 0) seen.corners = 2;
  }
  if ((coordinates & (coordinates - 1)) != 0) seen.corners = 8;
  if (head->step && !gathering.addPlace(*head->step, seen)) return std::nullopt;
  gathering.enter(loop);
  if (values->degreeOfPlaceIn(*head->variable, *head->first, access, gathering.now()) > 1 ||
      !gathering.addPlace(access, seen) || !gathering.addNumbers(function, at, seen))
    return std::nullopt;
  return seen;
}

bool isSteady(const clang::ForStmt& loop, const Scope& scope) {
  constexpr std::uint64_t widthOfWarp = 32;
  const KernelValues* const values = valuesOf(scope, Among::row);
  const std::optional<LoopHead> head = headOf(loop);
  if (!values || !head || !head->first) return false;
  const auto isOfIndices = [values](const Expr& value) {
    return isPlainValue(value) && values->degree(value) <= 1;
  };
  if (!isOfIndices(*head->first) || !isOfIndices(*head->bound) || (head->step && !isOfIndices(*head->step)))
    return false;
  if ((values->coordinatesOf(*head->first) | values->coordinatesOf(*head->bound)) == 0) return true;
  // Neighbours begin or end side by side: by few steps that is as many times.
  Expr::EvalResult step;
  return head->step && (!head->step->EvaluateAsInt(step, scope.ast) ||
                        step.Val.getInt().abs().getLimitedValue() >= widthOfWarp);
}

bool hasOwnVariables(const clang::Stmt& statement, const Scope& scope) {
  const KernelValues* const values = valuesOf(scope, Among::row);
  if (!values) return false;
  const auto* name = clang::dyn_cast<clang::DeclRefExpr>(&statement);
  const auto* variable = name ? clang::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  if (variable && variable->hasLocalStorage() && !values->isOwn(*variable)) return false;
  return std::all_of(statement.child_begin(), statement.child_end(),
                     [&](const clang::Stmt* child) { return !child || hasOwnVariables(*child, scope); });
}

}  // namespace cui::constructs
