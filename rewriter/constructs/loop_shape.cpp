#include "constructs/loop_shape.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>

#include "constructs/of_library.h"
#include "constructs/plain_value.h"
#include "constructs/quiet.h"
#include "constructs/storage.h"
#include "constructs/visitor.h"

namespace cui::constructs {
namespace {

using clang::Expr;

/// A variable of the thread's own that can be computed ahead.
bool canAdvance(const clang::VarDecl& variable) {
  const clang::QualType type = variable.getType();
  return canCount(variable) ||
         (variable.hasLocalStorage() && type->isPointerType() && !type.isVolatileQualified() &&
          type->getPointeeType()->isObjectType() && !type->getPointeeType()->isIncompleteType());
}

/// Variables that may be other than they were: those that are named where no value is read. Const ones stay.
class Changed : public Visitor {
 public:
  explicit Changed(std::map<const clang::VarDecl*, unsigned>& changed) : changed_(changed) {}

 private:
  bool enters(clang::Stmt& statement) override {
    const auto* cast = clang::dyn_cast<clang::ImplicitCastExpr>(&statement);
    return !cast || !readsVariable(*cast);
  }
  bool onStatement(clang::Stmt& statement) override {
    const auto* name = clang::dyn_cast<clang::DeclRefExpr>(&statement);
    const auto* variable = name ? clang::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
    if (variable && !variable->getType().isConstQualified() && !variable->getType()->isArrayType())
      ++changed_[variable];
    return true;
  }

  std::map<const clang::VarDecl*, unsigned>& changed_;
};

class LeftByItsEnd {
 public:
  explicit LeftByItsEnd(const clang::SourceManager& manager) : manager_(manager) {}

  /// `continues`, `breaks`: the words mean a loop, or a switch, of the body's own.
  bool holds(const clang::Stmt& statement, bool continues, bool breaks) const {
    if (clang::isa<clang::ContinueStmt>(statement)) return continues;
    if (clang::isa<clang::BreakStmt>(statement)) return breaks;
    if (clang::isa<clang::ReturnStmt, clang::GotoStmt, clang::IndirectGotoStmt, clang::LabelStmt,
                   clang::CXXTryStmt, clang::CXXThrowExpr, clang::LambdaExpr>(statement))
      return false;
    if (const auto* assembly = clang::dyn_cast<clang::GCCAsmStmt>(&statement))
      if (assembly->isAsmGoto()) return false;
    if (const auto* call = clang::dyn_cast<clang::CallExpr>(&statement))
      if (!isOwnBusiness(*call)) return false;
    if (const auto* declaration = clang::dyn_cast<clang::DeclStmt>(&statement))
      for (const clang::Decl* one : declaration->decls())
        if (const auto* variable = clang::dyn_cast<clang::VarDecl>(one))
          if (variable->needsDestruction(variable->getASTContext()) != clang::QualType::DK_none) return false;
    const bool loop =
        clang::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(statement);
    continues |= loop;
    breaks |= loop || clang::isa<clang::SwitchStmt>(statement);
    return std::all_of(statement.child_begin(), statement.child_end(),
                       [&](const clang::Stmt* child) { return !child || holds(*child, continues, breaks); });
  }

 private:
  /// What is called has none of the function's variables but those that are named in the call.
  bool isOwnBusiness(const clang::CallExpr& call) const {
    const clang::FunctionDecl* function = call.getDirectCallee();
    if (!function) return false;
    const auto* method = clang::dyn_cast<clang::CXXMethodDecl>(function);
    return !method || method->isStatic() || method->isTrivial() || isOfLibrary(*function, manager_);
  }
  const clang::SourceManager& manager_;
};

class Declared : public Visitor {
 public:
  explicit Declared(std::map<const clang::VarDecl*, const clang::DeclStmt*>& own) : own_(own) {}

 private:
  bool onStatement(clang::Stmt& statement) override {
    const auto* declarations = clang::dyn_cast<clang::DeclStmt>(&statement);
    if (!declarations) return true;
    for (const clang::Decl* declaration : declarations->decls())
      if (const auto* variable = clang::dyn_cast<clang::VarDecl>(declaration)) own_[variable] = declarations;
    return true;
  }

  std::map<const clang::VarDecl*, const clang::DeclStmt*>& own_;
};

}  // namespace

bool isQuietBody(const clang::Stmt& body, const clang::SourceManager& manager) {
  // Their operands are not evaluated, or are a thread's index.
  if (clang::isa<clang::UnaryExprOrTypeTraitExpr, clang::PseudoObjectExpr, clang::ConstantExpr>(body))
    return true;
  if (const auto* declaration = clang::dyn_cast<clang::DeclStmt>(&body)) {
    for (const clang::Decl* one : declaration->decls()) {
      const auto* variable = clang::dyn_cast<clang::VarDecl>(one);
      if (!variable || !variable->hasLocalStorage() || isShared(*variable)) return false;
      if (variable->needsDestruction(variable->getASTContext()) != clang::QualType::DK_none) return false;
    }
  } else if (const auto* expr = clang::dyn_cast<Expr>(&body)) {
    if (!isQuietExpression(*expr, manager)) return false;
  } else if (!clang::isa<clang::CompoundStmt, clang::NullStmt, clang::IfStmt, clang::ForStmt,
                         clang::AttributedStmt>(body)) {
    return false;
  }
  return std::all_of(body.child_begin(), body.child_end(),
                     [&](const clang::Stmt* child) { return !child || isQuietBody(*child, manager); });
}

bool isLeftByItsEnd(const clang::Stmt& body, const clang::SourceManager& manager) {
  return LeftByItsEnd(manager).holds(body, false, false);
}

LoopChanges::LoopChanges(const clang::ForStmt& loop, const LoopHead& head)
    : Degrees(head.variable->getASTContext()), head_(head) {
  auto* body = const_cast<clang::Stmt*>(loop.getBody());  // visitors change nothing, but can
  Changed(changed_).traverse(*body);
  Declared(own_).traverse(*body);
  for (const clang::Stmt* statement : body->children())
    if (const auto* declaration = clang::dyn_cast_or_null<clang::DeclStmt>(statement))
      outermost_.insert(declaration);
  for (const Expr* other : head.others) Changed(changed_).traverse(*other);
  findAdvances(*body);
}

void LoopChanges::findAdvances(const clang::Stmt& body) {
  const auto add = [this](const clang::Stmt* statement, bool inBody) {
    const auto* expr = clang::dyn_cast_or_null<Expr>(statement);
    std::optional<Advance> advance = expr ? advanceOf(*expr) : std::nullopt;
    if (!advance || advance->variable == head_.variable || changed_[advance->variable] != 1 ||
        own_.count(advance->variable) != 0 || !canAdvance(*advance->variable) ||
        expr->getBeginLoc().isMacroID())
      return false;
    if (inBody) advance->place = expr->getBeginLoc();
    return advances_.emplace(advance->variable, *advance).second;
  };
  for (const Expr* other : head_.others) knowsIncrement_ &= add(other, false);
  if (clang::isa<clang::CompoundStmt>(body))
    for (const clang::Stmt* statement : body.children()) add(statement, true);
  // By what stays, and is there in front of the loop.
  for (auto one = advances_.begin(); one != advances_.end();) {
    const Expr* step = one->second.step;
    needed_.clear();
    const bool steady = !step || (degree(*step) == 0 && needed_.empty() && keepsNames(*step));
    knowsIncrement_ &= steady || one->second.place.isValid();
    one = steady ? std::next(one) : advances_.erase(one);
  }
}

int LoopChanges::degreeOf(const clang::VarDecl& variable) const {
  if (&variable == head_.variable) return 1;
  if (held_.count(&variable) != 0) return 0;
  if (advances_.count(&variable) != 0) return 1;
  if (changed_.count(&variable) != 0) return uneven;
  const auto own = own_.find(&variable);
  if (own == own_.end()) return 0;
  const bool pointer = variable.getType()->isPointerType();
  const Expr* init = variable.getInit();
  if (!own->second->isSingleDecl() || !init || outermost_.count(own->second) == 0) return uneven;
  if (!pointer && !isPlainValue(*init)) return uneven;
  const int result = pointer ? degreeOfPointer(*init) : degree(*init);
  if (result <= 1) need(*own->second);
  return result;
}

int LoopChanges::degreeOfMembers(const clang::VarDecl& variable) const {
  return own_.count(&variable) == 0 ? degreeOf(variable) : uneven;  // an own object is not looked into
}

int LoopChanges::degreeOfLocation(const clang::VarDecl& variable) const {
  return own_.count(&variable) == 0 ? 0 : uneven;  // a reference of the body's own is another each time
}

void LoopChanges::need(const clang::DeclStmt& declaration) const {
  if (std::find(needed_.begin(), needed_.end(), &declaration) == needed_.end())
    needed_.push_back(&declaration);
}

bool LoopChanges::keepsNames(const clang::Stmt& place) const {
  const auto* name = clang::dyn_cast<clang::DeclRefExpr>(&place);
  const auto* variable = name ? clang::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  if (variable && held_.count(variable) == 0) {
    const bool hidden = std::any_of(own_.begin(), own_.end(), [&](const auto& one) {
      return one.first != variable && outermost_.count(one.second) != 0 &&
             one.first->getDeclName() == variable->getDeclName();
    });
    if (hidden) return false;
    const auto own = own_.find(variable);
    if (own != own_.end() && variable->getInit() && !keepsNames(*variable->getInit())) return false;
  }
  return std::all_of(place.child_begin(), place.child_end(),
                     [this](const clang::Stmt* child) { return !child || keepsNames(*child); });
}

bool LoopChanges::keepsVariable(const clang::VarDecl& variable) const {
  if (&variable == head_.variable) return true;  // it counts to its bound
  if (advances_.count(&variable) != 0)
    return !variable.getType()->isUnsignedIntegerType() ||
           head_.variable->getASTContext().getTypeSize(variable.getType()) >= 64;
  const auto own = own_.find(&variable);
  if (own == own_.end()) return true;  // it stays
  const Expr* init = variable.getInit();
  return init && (variable.getType()->isPointerType() ? keepsPointer(*init) : keeps(*init));
}

bool LoopChanges::keeps(const Expr& expr) const {
  const clang::ASTContext& ast = head_.variable->getASTContext();
  // A value of fewer bits that is too large is undefined if it is signed, else another one.
  const auto isSafe = [&](clang::QualType type) {
    return ast.getTypeSize(type) >= 64 || (type->isSignedIntegerType() && ast.getTypeSize(type) >= 32);
  };
  if (degree(expr) == 0) return true;
  const Expr* value = expr.IgnoreParens();
  if (const auto* full = clang::dyn_cast<clang::FullExpr>(value)) return keeps(*full->getSubExpr());
  if (const auto* cast = clang::dyn_cast<clang::CastExpr>(value)) {
    const Expr& from = *cast->getSubExpr();
    if (cast->getCastKind() == clang::CK_LValueToRValue) {
      const clang::VarDecl* variable = variableIn(from);
      return variable && keepsVariable(*variable);
    }
    if (cast->getCastKind() == clang::CK_NoOp) return keeps(from);
    if (cast->getCastKind() != clang::CK_IntegralCast) return false;
    const std::uint64_t before = ast.getTypeSize(from.getType()), after = ast.getTypeSize(cast->getType());
    const bool sameSign = from.getType()->isSignedIntegerType() == cast->getType()->isSignedIntegerType();
    return keeps(from) && (after >= 64 || (after >= before && sameSign)) && after >= before;
  }
  if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(value))
    return isSafe(unary->getType()) && keeps(*unary->getSubExpr());
  if (const auto* binary = clang::dyn_cast<clang::BinaryOperator>(value)) {
    // Since C++20 a shift's bits that are lost are just lost.
    const bool shift = binary->getOpcode() == clang::BO_Shl && ast.getTypeSize(binary->getType()) < 64;
    return !shift && isSafe(binary->getType()) && keeps(*binary->getLHS()) && keeps(*binary->getRHS());
  }
  const clang::VarDecl* variable = variableIn(*value);
  return variable && keepsVariable(*variable);
}

bool LoopChanges::keepsPointer(const Expr& pointer) const {
  const Expr* value = pointer.IgnoreParens();
  if (degreeOfPointer(*value) == 0) return true;
  if (const auto* cast = clang::dyn_cast<clang::CastExpr>(value)) {
    const Expr& from = *cast->getSubExpr();
    if (cast->getCastKind() == clang::CK_ArrayToPointerDecay) return keepsPlace(from);
    if (cast->getCastKind() != clang::CK_LValueToRValue) return keepsPointer(from);
    const clang::VarDecl* variable = variableIn(from);
    return variable && keepsVariable(*variable);
  }
  if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(value))
    return keepsPlace(*unary->getSubExpr());
  const auto* binary = clang::dyn_cast<clang::BinaryOperator>(value);
  if (!binary) return false;
  const Expr &left = *binary->getLHS(), &right = *binary->getRHS();
  return left.getType()->isPointerType() ? keepsPointer(left) && keeps(right)
                                         : keeps(left) && keepsPointer(right);
}

bool LoopChanges::keepsPlace(const Expr& place) const {
  const Expr* object = place.IgnoreParens();
  if (degreeOfPlace(*object) == 0) return true;
  if (const auto* subscript = clang::dyn_cast<clang::ArraySubscriptExpr>(object))
    return keepsPointer(*subscript->getBase()) && keeps(*subscript->getIdx());
  if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(object))
    return keepsPointer(*unary->getSubExpr());
  if (const auto* member = clang::dyn_cast<clang::MemberExpr>(object))
    return member->isArrow() ? keepsPointer(*member->getBase()) : keepsPlace(*member->getBase());
  const auto* cast = clang::dyn_cast<clang::CastExpr>(object);
  return cast && keepsPlace(*cast->getSubExpr());
}

}  // namespace cui::constructs
