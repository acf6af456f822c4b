#include "constructs/kernel_values.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>

#include "constructs/plain_value.h"

namespace cui::constructs {
namespace {

using clang::Expr;
using clang::Stmt;

bool isPointer(const clang::VarDecl& variable) {
  return variable.getType()->isPointerType();
}

/// Whether the statement's own end can be missed: by a jump out of it, where a loop's own jumps count.
bool hasJump(const Stmt* stmt) {
  if (!stmt || clang::isa<clang::LambdaExpr>(stmt)) return false;
  if (clang::isa<clang::BreakStmt, clang::ContinueStmt, clang::ReturnStmt, clang::GotoStmt,
                 clang::IndirectGotoStmt>(stmt))
    return true;
  return std::any_of(stmt->child_begin(), stmt->child_end(), hasJump);
}

}  // namespace

bool findLoop(const Stmt& stmt, const Expr*& condition, const Stmt*& body) {
  condition = nullptr;
  body = nullptr;
  const auto take = [&](const auto* loop) {
    if (!loop) return;
    condition = loop->getCond();
    body = loop->getBody();
  };
  take(clang::dyn_cast<clang::ForStmt>(&stmt));
  take(clang::dyn_cast<clang::WhileStmt>(&stmt));
  take(clang::dyn_cast<clang::DoStmt>(&stmt));
  return body != nullptr;
}

bool alwaysComesTo(const Stmt& stmt) {
  if (clang::isa<clang::LambdaExpr, clang::StmtExpr, clang::BinaryConditionalOperator>(stmt)) return false;
  return clang::isa<clang::DeclStmt, clang::ReturnStmt, clang::AttributedStmt, Expr>(stmt);
}

KernelValues::KernelValues(const clang::FunctionDecl& kernel, Among among, const clang::ForStmt* tiles)
    : Degrees(kernel.getASTContext()), tiles_(tiles), among_(among) {
  Control control;
  walk(kernel.getBody(), control);
  settle();
  changesAny_ = std::any_of(definitions_.begin(), definitions_.end(),
                            [this](const auto& one) { return varying_.count(one.first) != 0; });
}

bool KernelValues::canReturn(const Stmt& stmt) const {
  if (clang::isa<clang::LambdaExpr>(stmt)) return false;
  if (clang::isa<clang::ReturnStmt, clang::GotoStmt, clang::IndirectGotoStmt>(stmt)) return true;
  if (const auto* assembly = clang::dyn_cast<clang::GCCAsmStmt>(&stmt)) {
    llvm::SmallVector<clang::GCCAsmStmt::AsmStringPiece, 8> pieces;
    unsigned ignored = 0;
    if (assembly->AnalyzeAsmString(pieces, ast_, ignored) != 0) return true;
    return std::any_of(pieces.begin(), pieces.end(), [](const clang::GCCAsmStmt::AsmStringPiece& piece) {
      return piece.isString() && piece.getString().find("exit") != std::string::npos;
    });
  }
  return std::any_of(stmt.child_begin(), stmt.child_end(),
                     [this](const Stmt* child) { return child && canReturn(*child); });
}

const KernelValues::Block& KernelValues::blockOf(const clang::CompoundStmt& compound) const {
  const auto [known, fresh] = blocks_.try_emplace(&compound);
  Block& block = known->second;
  if (!fresh) return block;
  for (const Stmt* statement : compound.body()) {
    const std::size_t place = block.places.size();
    block.places[statement] = place;
    const bool leaves = canReturn(*statement);
    std::vector<Assignment> assignments = assignmentsIn(*statement);
    if (leaves || !assignments.empty() || clang::isa<clang::DeclStmt>(statement))
      block.notable.push_back({place, statement, leaves, std::move(assignments)});
  }
  return block;
}

std::vector<Assignment> KernelValues::assignmentsIn(const Stmt& statement) const {
  std::vector<Assignment> all;
  if (changesAny_) addAssignments(statement, true, all);
  return all;
}

void KernelValues::addAssignments(const Stmt& stmt, bool whole, std::vector<Assignment>& all) const {
  const auto add = [&](const Expr& target, const Expr* value, bool adds) {
    const clang::VarDecl* variable = variableIn(target);
    if (variable && varying_.count(variable) != 0) all.push_back({variable, value, whole, adds});
  };
  if (const auto* binary = clang::dyn_cast<clang::BinaryOperator>(&stmt); binary && binary->isAssignmentOp())
    add(*binary->getLHS(), binary->getRHS(), binary->getOpcode() != clang::BO_Assign);
  if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(&stmt);
      unary && unary->isIncrementDecrementOp())
    add(*unary->getSubExpr(), nullptr, true);
  for (const Stmt* child : stmt.children())
    if (child) addAssignments(*child, false, all);
}

int KernelValues::degreeOfPlaceWith(const Expr& place, const ValuesNow& now,
                                    std::map<const clang::VarDecl*, Known> known) const {
  std::swap(known_, known);  // what is known elsewhere need not be so here
  now_ = &now;
  const int degree = degreeOfPlace(place);
  now_ = nullptr;
  std::swap(known_, known);
  return degree;
}

int KernelValues::degreeOfPlaceIn(const clang::VarDecl& counter, const Expr& first, const Expr& place,
                                  const ValuesNow& now) const {
  std::map<const clang::VarDecl*, Known> known = {{&counter, {1, coordinatesOf(first)}}};
  counter_ = &counter;
  const int degree = degreeOfPlaceWith(place, now, std::move(known));
  counter_ = nullptr;
  return degree;
}

int KernelValues::degreeOfPlaceNow(const Expr& place, const ValuesNow& now) const {
  return now.empty() ? degreeOfPlace(place) : degreeOfPlaceWith(place, now, {});
}

/// Jumps in it are come to, or not, by all alike.
bool KernelValues::jumpsAlike(const Stmt* stmt) const {
  if (!stmt || (!hasJump(stmt) && !canReturn(*stmt))) return true;
  if (clang::isa<clang::BreakStmt, clang::ContinueStmt, clang::ReturnStmt>(stmt)) return true;
  if (const auto* choice = clang::dyn_cast<clang::IfStmt>(stmt))
    return (choice->isConstexpr() || isUniform(*choice->getCond())) && jumpsAlike(choice->getThen()) &&
           jumpsAlike(choice->getElse());
  const Expr* condition = nullptr;
  const Stmt* body = nullptr;
  if (findLoop(*stmt, condition, body)) return (!condition || isUniform(*condition)) && jumpsAlike(body);
  return clang::isa<clang::CompoundStmt, clang::AttributedStmt>(stmt) &&
         std::all_of(stmt->child_begin(), stmt->child_end(),
                     [this](const Stmt* child) { return jumpsAlike(child); });
}

bool KernelValues::isLeftAlike(const Stmt& statement) const {
  const auto [known, fresh] = left_.try_emplace(&statement);
  if (fresh) known->second = jumpsAlike(&statement);
  return known->second;
}

void KernelValues::addCondition(const Expr* condition, Control& control) {
  if (condition && isPlainValue(*condition))
    control.conditions.push_back(condition);
  else
    control.divergent = true;
}

void KernelValues::walkUnder(const Expr* condition, const Stmt* stmt, Control control) {
  addCondition(condition, control);
  walk(stmt, control);
}

void KernelValues::walkLoop(const Expr* condition, const Stmt* body, const Stmt* increment, Control control) {
  if (hasJump(body)) control.divergent = true;
  addCondition(condition, control);
  walk(condition, control);
  walk(body, control);
  walk(increment, control);
}

/// What one time round leaves in variables of the kernel's is not the same in the next: other threads have
/// other tiles then.
void KernelValues::walkTiles(Control control) {
  inTiles_ = true;
  for (const Stmt* part : tiles_->children()) walk(part, control);
  inTiles_ = false;
}

void KernelValues::walk(const Stmt* stmt, Control& control) {
  if (!stmt) return;
  hasLabels_ |= clang::isa<clang::LabelStmt>(stmt);
  if (const auto* choice = clang::dyn_cast<clang::IfStmt>(stmt)) {
    walk(choice->getInit(), control);
    walk(choice->getConditionVariableDeclStmt(), control);
    walk(choice->getCond(), control);
    walkUnder(choice->getCond(), choice->getThen(), control);
    return walkUnder(choice->getCond(), choice->getElse(), control);
  }
  if (stmt == tiles_ && !inTiles_) return walkTiles(control);
  if (const auto* loop = clang::dyn_cast<clang::ForStmt>(stmt)) {
    walk(loop->getInit(), control);
    walk(loop->getConditionVariableDeclStmt(), control);
    return walkLoop(loop->getCond(), loop->getBody(), loop->getInc(), control);
  }
  if (const auto* loop = clang::dyn_cast<clang::WhileStmt>(stmt))
    return walkLoop(loop->getCond(), loop->getBody(), nullptr, control);
  if (const auto* loop = clang::dyn_cast<clang::DoStmt>(stmt))
    return walkLoop(loop->getCond(), loop->getBody(), nullptr, control);
  if (clang::isa<clang::SwitchStmt, clang::CXXForRangeStmt, clang::LambdaExpr, clang::CXXTryStmt>(stmt)) {
    Control inner = control;
    inner.divergent = true;
    for (const Stmt* child : stmt->children()) walk(child, inner);
    return;
  }
  if (const auto* choice = clang::dyn_cast<clang::ConditionalOperator>(stmt)) {
    walk(choice->getCond(), control);
    walkUnder(choice->getCond(), choice->getTrueExpr(), control);
    return walkUnder(choice->getCond(), choice->getFalseExpr(), control);
  }
  if (const auto* declaration = clang::dyn_cast<clang::DeclStmt>(stmt)) {
    for (const clang::Decl* one : declaration->decls())
      if (const auto* variable = clang::dyn_cast<clang::VarDecl>(one)) declare(*variable, control);
  } else if (const auto* binary = clang::dyn_cast<clang::BinaryOperator>(stmt)) {
    if (binary->isLogicalOp()) {
      walk(binary->getLHS(), control);
      return walkUnder(binary->getLHS(), binary->getRHS(), control);
    }
    if (const auto* target = clang::dyn_cast<clang::DeclRefExpr>(binary->getLHS()->IgnoreParens());
        target && binary->isAssignmentOp() && variableIn(*target)) {
      targets_.insert(target);
      // Of `k += c` the sum is as uniform as k, which is settled for all its definitions, and c.
      define(*variableIn(*target), binary->getRHS(), control);
    }
  } else if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(stmt)) {
    const auto* target = clang::dyn_cast<clang::DeclRefExpr>(unary->getSubExpr()->IgnoreParens());
    if (target && unary->isIncrementDecrementOp() && variableIn(*target)) {
      targets_.insert(target);
      define(*variableIn(*target), nullptr, control);
    }
  } else if (const auto* cast = clang::dyn_cast<clang::ImplicitCastExpr>(stmt)) {
    if (readsVariable(*cast)) return;
  } else if (const auto* name = clang::dyn_cast<clang::DeclRefExpr>(stmt)) {
    const auto* variable = clang::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable && targets_.count(name) == 0 && !variable->getType()->isArrayType())
      escaped_.insert(variable);
    return;
  } else if (clang::isa<clang::UnaryExprOrTypeTraitExpr, clang::PseudoObjectExpr>(stmt)) {
    return;  // not evaluated, or a thread's index
  }
  for (const Stmt* child : stmt->children()) walk(child, control);
}

void KernelValues::define(const clang::VarDecl& variable, const Expr* value, const Control& control) {
  const bool lasts = inTiles_ && ofTiles_.count(&variable) == 0;
  definitions_[&variable].push_back({value, control.conditions, control.divergent || lasts});
}

void KernelValues::declare(const clang::VarDecl& variable, const Control& control) {
  if (inTiles_) ofTiles_.insert(&variable);
  initialised_[&variable] = {initOf(variable), control.conditions, control.divergent};
}

bool KernelValues::isUniform(const Expr& value) const {
  return isPlainValue(value) && degree(value) == 0;
}

bool KernelValues::isUniformDefinition(const clang::VarDecl& variable, const Definition& definition) const {
  if (definition.divergent) return false;
  if (!std::all_of(definition.conditions.begin(), definition.conditions.end(),
                   [this](const Expr* condition) { return isUniform(*condition); }))
    return false;
  if (!definition.value) return true;
  return isPointer(variable) ? degreeOfPointer(*definition.value) == 0 : isUniform(*definition.value);
}

/// All are taken for uniform until one of their definitions turns out not to be.
void KernelValues::settle() {
  for (const auto& [variable, init] : initialised_)
    if (!init.value && definitions_.count(variable) == 0) varying_.insert(variable);
  varying_.insert(escaped_.begin(), escaped_.end());
  for (bool changed = true; changed;) {
    changed = false;
    const auto vary = [&](const clang::VarDecl* variable) { changed |= varying_.insert(variable).second; };
    for (const auto& [variable, init] : initialised_)
      if (init.value && varying_.count(variable) == 0 && !isUniformDefinition(*variable, init))
        vary(variable);
    for (const auto& [variable, all] : definitions_)
      for (const Definition& one : all)
        if (varying_.count(variable) == 0 && !isUniformDefinition(*variable, one)) vary(variable);
  }
  settled_ = true;
}

int KernelValues::degreeOf(const clang::VarDecl& variable) const {
  if (!variable.hasLocalStorage()) return variable.isUsableInConstantExpressions(ast_) ? 0 : uneven;
  if (variable.getType().isVolatileQualified() || variable.getType()->isReferenceType()) return uneven;
  if (&variable == counter_) return 1;
  if (varying_.count(&variable) == 0) return 0;
  if (!settled_) return 1;  // more than 0, which is all that is asked then
  const auto [known, fresh] = known_.try_emplace(&variable, Known{uneven, 0});  // also of `int i = i`
  if (!fresh || !isOwn(variable)) return known->second.degree;
  const Expr* value = isConstant(variable) ? initOf(variable) : valueNow(variable);
  bool linear = false;
  if (value)
    linear = isPointer(variable) ? degreeOfPointer(*value) <= 1 : isPlainValue(*value) && degree(*value) <= 1;
  if (linear) known_[&variable] = {1, coordinatesOf(*value)};
  return linear ? 1 : uneven;
}

const Expr* KernelValues::valueNow(const clang::VarDecl& variable) const {
  if (!now_) return nullptr;
  const auto set = now_->find(&variable);
  return set == now_->end() ? nullptr : set->second;
}

int KernelValues::degreeOfMembers(const clang::VarDecl& variable) const {
  return clang::isa<clang::ParmVarDecl>(variable) && isOwn(variable) && isConstant(variable) ? 0 : uneven;
}

int KernelValues::degreeOfLocation(const clang::VarDecl& variable) const {
  return variable.getType()->isReferenceType() ? uneven : 0;
}

int KernelValues::degreeOfIndex(const clang::PseudoObjectExpr& index) const {
  const ThreadIndexName of = indexOf(index);
  if (among_ == Among::twins) return of.name == "blockIdx" ? uneven : 0;
  if (among_ == Among::block) return of.name == "threadIdx" ? 1 : 0;
  return of.name == "threadIdx" || (of.name == "blockIdx" && of.coordinate == "x") ? 1 : 0;
}

unsigned KernelValues::coordinatesOf(const Expr& value) const {
  unsigned result = 0;
  if (const auto* index = clang::dyn_cast<clang::PseudoObjectExpr>(&value)) {
    const ThreadIndexName name = indexOf(*index);
    if (name.name != "threadIdx") return 0;
    return name.coordinate == "x" ? 1 : name.coordinate == "y" ? 2 : 4;
  }
  if (const auto* name = clang::dyn_cast<clang::DeclRefExpr>(&value)) {
    const clang::VarDecl* variable = variableIn(*name);
    if (variable && degreeOf(*variable) == 1) result = known_.at(variable).coordinates;
    return result;
  }
  for (const Stmt* child : value.children())
    if (const auto* expr = clang::dyn_cast_or_null<Expr>(child)) result |= coordinatesOf(*expr);
  return result;
}

const KernelValues* valuesOf(const Scope& scope, Among among, const clang::ForStmt* tiles) {
  if (scope.dependent() || !scope.function || !scope.function->hasAttr<clang::CUDAGlobalAttr>() ||
      !scope.function->getBody())
    return nullptr;
  auto& values = scope.kernels[{scope.function, among, tiles}];
  if (!values) values = std::make_shared<const KernelValues>(*scope.function, among, tiles);
  return values->hasLabels() ? nullptr : values.get();
}
const KernelValues* gpuValuesOf(const Scope& scope, Among among, const clang::ForStmt* tiles) {
  return scope.settings.cpu ? nullptr : valuesOf(scope, among, tiles);
}

}  // namespace cui::constructs
