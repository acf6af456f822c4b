#include "constructs/expansion.h"

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "constructs/access.h"
#include "constructs/library_copies.h"
#include "constructs/of_library.h"
#include "constructs/visitor.h"

namespace cui::constructs {
namespace {

using clang::dyn_cast;

/// Loops of more turns stay loops, unless a pragma asks for them to be unrolled.
constexpr std::int64_t mostTurnsUnasked = 32;
/// A tile's rows are told one by one: nvcc takes as long over one as over so many other sites.
constexpr std::uint64_t tileWeight = 16;
/// How often Thrust's and CUB's kernels copy what they are given, all of them together, in round numbers.
constexpr std::uint64_t copiesInLibrary = 100;
/// Sums stay far below overflow, however deep the loops are.
constexpr std::uint64_t ceiling = 1u << 24;

std::optional<std::int64_t> constantOf(const clang::Expr* expr, const clang::ASTContext& ast) {
  clang::Expr::EvalResult result;
  if (!expr || expr->isValueDependent() || !expr->EvaluateAsInt(result, ast)) return std::nullopt;
  return result.Val.getInt().getExtValue();
}

/// Turns of `for (int i = A; i < B; i += C)`; none for loops of another form.
std::optional<std::int64_t> turnsOf(const clang::ForStmt& loop, const clang::ASTContext& ast) {
  const auto* init = clang::dyn_cast_or_null<clang::DeclStmt>(loop.getInit());
  const auto* variable =
      init && init->isSingleDecl() ? dyn_cast<clang::VarDecl>(init->getSingleDecl()) : nullptr;
  const auto* condition = clang::dyn_cast_or_null<clang::BinaryOperator>(loop.getCond());
  if (!variable || !condition || !condition->isComparisonOp()) return std::nullopt;
  const auto* compared = dyn_cast<clang::DeclRefExpr>(condition->getLHS()->IgnoreParenImpCasts());
  if (!compared || compared->getDecl() != variable) return std::nullopt;
  const auto first = constantOf(variable->getInit(), ast), last = constantOf(condition->getRHS(), ast);
  std::optional<std::int64_t> stride;
  if (const auto* unary = clang::dyn_cast_or_null<clang::UnaryOperator>(loop.getInc());
      unary && unary->isIncrementOp())
    stride = 1;
  else if (const auto* compound = clang::dyn_cast_or_null<clang::CompoundAssignOperator>(loop.getInc());
           compound && compound->getOpcode() == clang::BO_AddAssign)
    stride = constantOf(compound->getRHS(), ast);
  if (!first || !last || !stride || *stride <= 0) return std::nullopt;
  const std::int64_t distance = *last - *first + (condition->getOpcode() == clang::BO_LE ? 1 : 0);
  return distance <= 0 ? 0 : (distance + *stride - 1) / *stride;
}

const clang::LoopHintAttr* hintOf(const clang::AttributedStmt& loop) {
  for (const clang::Attr* attribute : loop.getAttrs())
    if (const auto* hint = dyn_cast<clang::LoopHintAttr>(attribute)) return hint;
  return nullptr;
}

/// What a variable of the function's own takes.
std::uint64_t wordsOf(const clang::Decl& declaration, const clang::ASTContext& ast) {
  const auto* variable = dyn_cast<clang::VarDecl>(&declaration);
  if (!variable || !variable->hasLocalStorage() || variable->hasAttr<clang::CUDASharedAttr>()) return 0;
  const clang::QualType type = variable->getType();
  if (!(type->isArrayType() || type->isRecordType()) || type->isVariableArrayType()) return 0;
  return sizeOf(type, ast) / 4;
}

class Expansion : public Visitor {
 public:
  Expansion(const clang::ASTContext& ast, const Ranges& ranges, const std::vector<AccessFound>& accesses,
            bool relocatable)
      : ast_(ast), ranges_(ranges), relocatable_(relocatable) {
    for (const AccessFound& access : accesses) {
      if (!access.first.site.reason.empty()) continue;
      std::uint64_t& weight = weights_[access.first.range.span];
      weight = std::max<std::uint64_t>(weight, access.first.layer == Layer::tile ? tileWeight : 1);
      for (const LoopSeen& loop : access.first.loops) {
        if (!loop.fixed) continue;
        fixed_.emplace(loop.span.file, loop.span.begin);
        for (const LoopSeen::Inner& inner : loop.inner) fixed_.emplace(inner.span.file, inner.span.begin);
      }
    }
  }

  UnitSize size() const { return size_; }

  /// Kernels whose code is not in the tree, which copy objects of this class.
  void addCopies(const clang::CXXRecordDecl& record) {
    KernelSize size;
    for (const clang::CXXMethodDecl* method : copyingMembers(record)) {
      // What only the library's code calls is not in the tree but as a template's.
      const clang::FunctionDecl* pattern =
          method->isDefined() ? nullptr : method->getTemplateInstantiationPattern();
      const auto& known = pattern ? *clang::cast<clang::CXXMethodDecl>(pattern) : *method;
      add(size, of(known));
      if (const auto* constructor = dyn_cast<clang::CXXConstructorDecl>(&known))
        add(size, inFront(*constructor));
    }
    size.sites = std::min(size.sites * copiesInLibrary, ceiling);
    keepLargest(size);
    size_.sites = std::min(size_.sites + size.sites, ceiling);
  }

  bool seesInstantiations() const override { return true; }
  bool onDeclaration(clang::Decl& declaration) override {
    return isOfLibrary(declaration, ranges_.manager()) || inside(declaration);
  }
  bool enters(clang::Stmt&) override { return false; }  // bodies are counted from their kernel on
  bool onFunction(clang::FunctionDecl& function) override {
    if (function.isDependentContext()) return true;
    const bool isKernel = function.hasAttr<clang::CUDAGlobalAttr>();
    if (!isKernel && !(relocatable_ && isForOtherUnits(function))) return true;
    const KernelSize size = of(function);
    // What stack a kernel of another unit needs, no unit by itself can tell.
    size_.largest.recursive |= isKernel && size.recursive;
    keepLargest(size);
    if (function.doesThisDeclarationHaveABody()) size_.sites = std::min(size_.sites + size.sites, ceiling);
    return true;
  }

 private:
  /// Compiled whoever calls it here.
  bool isForOtherUnits(const clang::FunctionDecl& function) const {
    return function.hasAttr<clang::CUDADeviceAttr>() && function.doesThisDeclarationHaveABody() &&
           ast_.GetGVALinkageForFunction(&function) >= clang::GVA_StrongExternal;
  }

  void keepLargest(const KernelSize& size) {
    if (size.sites <= size_.largest.sites) return;
    size_.largest.sites = size.sites;
    size_.largest.words = size.words;
  }

  /// What a constructor gives the members.
  KernelSize inFront(const clang::CXXConstructorDecl& constructor) {
    KernelSize size;
    const clang::FunctionDecl* definition = nullptr;
    if (!constructor.getBody(definition)) return size;
    for (const clang::CXXCtorInitializer* one : clang::cast<clang::CXXConstructorDecl>(definition)->inits())
      if (one->isWritten()) add(size, in(*one->getInit()));
    return size;
  }

  static void add(KernelSize& sum, const KernelSize& size) {
    sum.sites = std::min(sum.sites + size.sites, ceiling);
    sum.words = std::min(sum.words + size.words, ceiling);
    sum.recursive |= size.recursive;
  }

  KernelSize of(const clang::FunctionDecl& function) {
    const clang::FunctionDecl* definition = nullptr;
    const clang::Stmt* body = function.getBody(definition);
    if (!body) return {};
    // Nothing but that while it is being counted: recursion.
    const auto [entry, isNew] = known_.try_emplace(definition, KernelSize{0, 0, true});
    if (!isNew) return entry->second;
    const KernelSize size = in(*body);
    known_[definition] = size;
    return size;
  }

  /// A launch is none, nor is what nvcc evaluates itself.
  KernelSize ofCallee(const clang::CallExpr& call) {
    const clang::FunctionDecl* callee = call.getDirectCallee();
    if (!callee || clang::isa<clang::CUDAKernelCallExpr>(call)) return {};
    KernelSize size = of(*callee);
    if (const clang::FunctionDecl* definition = callee->getDefinition();
        definition && definition->hasAttr<clang::NoInlineAttr>())
      size.sites = size.words = 0;
    const bool evaluated =
        size.recursive && callee->isConstexpr() && !call.isValueDependent() && call.isEvaluatable(ast_);
    return evaluated ? KernelSize{} : size;
  }

  KernelSize in(const clang::Stmt& stmt) {
    if (clang::isa<clang::LambdaExpr>(stmt)) return {};  // it counts where it is called
    if (const auto* attributed = dyn_cast<clang::AttributedStmt>(&stmt))
      if (const auto* loop = dyn_cast<clang::ForStmt>(attributed->getSubStmt()))
        return inLoop(*loop, hintOf(*attributed));
    if (const auto* loop = dyn_cast<clang::ForStmt>(&stmt)) return inLoop(*loop, nullptr);
    KernelSize size{siteAt(stmt), 0, false};
    if (const auto* call = dyn_cast<clang::CallExpr>(&stmt)) add(size, ofCallee(*call));
    if (const auto* declared = dyn_cast<clang::DeclStmt>(&stmt))
      for (const clang::Decl* declaration : declared->decls())
        add(size, {0, wordsOf(*declaration, ast_), false});
    add(size, inChildren(stmt));
    return size;
  }

  KernelSize inChildren(const clang::Stmt& stmt) {
    KernelSize size;
    for (const clang::Stmt* child : stmt.children())
      if (child) add(size, in(*child));
    return size;
  }

  KernelSize inLoop(const clang::ForStmt& loop, const clang::LoopHintAttr* hint) {
    std::int64_t turns = turnsOf(loop, ast_).value_or(1);
    if (!hint && turns > mostTurnsUnasked) turns = 1;
    if (hint && hint->getState() == clang::LoopHintAttr::Disable) turns = 1;
    if (hint && hint->getState() == clang::LoopHintAttr::Numeric)
      turns = constantOf(hint->getValue(), ast_).value_or(turns);
    const Resolved begin = ranges_.resolveToken(loop.getForLoc());
    if (fixed_.count({begin.span.file, begin.span.begin}) != 0) turns = 1;  // a call in front of it
    KernelSize size = inChildren(loop);
    size.sites = std::min(size.sites * static_cast<std::uint64_t>(std::max<std::int64_t>(turns, 1)), ceiling);
    return size;
  }

  /// What it counts for; 0 if it is none.
  std::uint64_t siteAt(const clang::Stmt& stmt) const {
    const auto* expr = dyn_cast<clang::Expr>(&stmt);
    if (!expr || !clang::isa<clang::ArraySubscriptExpr, clang::UnaryOperator, clang::MemberExpr,
                             clang::CXXDependentScopeMemberExpr, clang::DeclRefExpr, clang::CallExpr>(expr))
      return 0;
    const Resolved range = ranges_.resolve(expr->getSourceRange());
    auto known = range.reason.empty() ? weights_.find(range.span) : weights_.end();
    for (const Resolved* other : {range.whereUsed.get(), range.asParameter.get()})
      if (known == weights_.end() && other) known = weights_.find(other->span);
    return known == weights_.end() ? 0 : known->second;
  }

  const clang::ASTContext& ast_;
  const Ranges& ranges_;
  const bool relocatable_;
  std::map<Span, std::uint64_t> weights_;
  std::set<std::pair<FileIndex, unsigned>> fixed_;  ///< where loops begin that are recorded in front of them
  std::map<const clang::FunctionDecl*, KernelSize> known_;
  UnitSize size_;
};

}  // namespace

UnitSize expansionOf(clang::ASTContext& ast, const Ranges& ranges, const std::vector<AccessFound>& accesses,
                     bool relocatable) {
  Expansion expansion(ast, ranges, accesses, relocatable);
  expansion.traverse(*ast.getTranslationUnitDecl());
  for (const clang::CXXRecordDecl* record : classesInLibraryKernels(ast)) expansion.addCopies(*record);
  return expansion.size();
}

}  // namespace cui::constructs
