// Barriers that all threads of a block pass: __syncthreads and its forms, and the sync() of the cooperative
// groups that hold whole blocks. On a GPU each call says that it has come back; the CPU backend's own
// functions know. A barrier of other threads is a skipped site: it orders accesses in a way that the trace
// does not know.
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <llvm/ADT/StringSwitch.h>

#include "constructs/catalogue.h"
#include "constructs/describe.h"
#include "constructs/use.h"

namespace cui::constructs {
namespace {

/// Whom a group of this class consists of.
Meets meetsIn(const clang::CXXRecordDecl& group) {
  if (!group.getIdentifier()) return Meets::nobody;
  const Meets meets = llvm::StringSwitch<Meets>(group.getName())
                          .Case("thread_block", Meets::block)
                          .Case("cluster_group", Meets::block)
                          .Case("grid_group", Meets::grid)
                          .Case("multi_grid_group", Meets::grid)
                          .Case("thread_block_tile", Meets::warp)
                          .Case("coalesced_group", Meets::warp)
                          .Case("thread_group", Meets::unknown)
                          .Default(Meets::nobody);
  const auto* tile = clang::dyn_cast<clang::ClassTemplateSpecializationDecl>(&group);
  if (meets != Meets::warp || !tile || tile->getTemplateArgs().size() == 0) return meets;
  const clang::TemplateArgument& size = tile->getTemplateArgs()[0];
  const bool large = size.getKind() == clang::TemplateArgument::Integral && size.getAsIntegral().ugt(32);
  return large ? Meets::unknown : Meets::warp;
}
Meets meetsIn(clang::QualType type) {
  const auto* group = type.getNonReferenceType()->getAsCXXRecordDecl();
  return group ? meetsIn(*group) : Meets::nobody;
}

bool isIn(const clang::FunctionDecl& callee, llvm::StringRef space) {
  return llvm::StringRef(callee.getQualifiedNameAsString()).starts_with(space);
}

/// cuda::pipeline<cuda::thread_scope_thread>
bool isOfOneThread(const clang::CXXRecordDecl& pipeline) {
  const auto* record = clang::dyn_cast<clang::ClassTemplateSpecializationDecl>(&pipeline);
  if (!record || record->getTemplateArgs().size() == 0) return false;
  const clang::TemplateArgument& scope = record->getTemplateArgs()[0];
  const auto* scopes = scope.getKind() == clang::TemplateArgument::Integral
                           ? scope.getIntegralType()->getAs<clang::EnumType>()
                           : nullptr;
  if (!scopes) return false;
  for (const clang::EnumConstantDecl* one : scopes->getDecl()->enumerators())
    if (one->getName() == "thread_scope_thread")
      return llvm::APSInt::isSameValue(one->getInitVal(), scope.getAsIntegral());
  return false;
}

Meets meetsAtMethod(const clang::CallExpr& call, const clang::CXXMethodDecl& method) {
  const llvm::StringRef name = method.getName();
  if (isIn(method, "cuda::")) {
    const clang::CXXRecordDecl& record = *method.getParent();
    const llvm::StringRef parent = record.getIdentifier() ? record.getName() : "";
    const bool barrier = parent.contains("barrier") && name.contains("wait");
    const bool pipeline = parent == "pipeline" && name.starts_with("consumer_wait") && !isOfOneThread(record);
    return barrier || pipeline ? Meets::unknown : Meets::nobody;
  }
  if (!isIn(method, "cooperative_groups::") || (name != "sync" && name != "barrier_wait"))
    return Meets::nobody;
  // The object's class rather than the method's, which a tile has from a base.
  const auto* member = clang::dyn_cast<clang::MemberExpr>(call.getCallee()->IgnoreParenImpCasts());
  return member ? meetsIn(member->getBase()->IgnoreParenImpCasts()->getType()) : meetsIn(*method.getParent());
}

Meets meetsAt(const clang::CallExpr& call, const clang::FunctionDecl& callee) {
  if (!callee.getIdentifier()) return Meets::nobody;
  if (const auto* method = clang::dyn_cast<clang::CXXMethodDecl>(&callee))
    return meetsAtMethod(call, *method);
  const llvm::StringRef name = callee.getName();
  if (isIn(callee, "cooperative_groups::"))
    return (name == "sync" || name == "wait" || name == "wait_prior") && call.getNumArgs() != 0
               ? meetsIn(call.getArg(0)->IgnoreParenImpCasts()->getType())
               : Meets::nobody;
  return name.starts_with("__syncthreads") ? Meets::block : Meets::nobody;
}

/// Of the threads of a block, or of several blocks.
bool hasBarrier(const clang::GCCAsmStmt& statement, const clang::ASTContext& ast) {
  llvm::SmallVector<clang::GCCAsmStmt::AsmStringPiece, 8> pieces;
  unsigned ignored = 0;
  if (statement.AnalyzeAsmString(pieces, ast, ignored) != 0) return false;
  std::string text;
  for (const auto& piece : pieces)
    if (piece.isString()) text += piece.getString();
  for (const char* const instruction : {"bar.sync", "bar.red", "bar.cta.", "barrier.sync", "barrier.red",
                                        "barrier.cta.", "barrier.cluster.wait", "test_wait", "try_wait"})
    if (text.find(instruction) != std::string::npos) return true;
  return false;
}

class Barrier : public Construct {
  void onDeviceExpression(const clang::Expr& expr, Scope& scope) const override {
    const auto* call = clang::dyn_cast<clang::CallExpr>(&expr);
    const clang::FunctionDecl* callee = call && !scope.settings.cpu ? call->getDirectCallee() : nullptr;
    if (!callee || hasUserBody(*callee, scope.ast.getSourceManager())) return;
    const Meets meets = meetsAt(*call, *callee);
    if (meets == Meets::nobody) return;
    BarrierFound found;
    found.range = scope.ranges.resolve(call->getSourceRange());
    found.hasValue = !call->getType()->isVoidType();
    found.expression = textOf(*call, scope.ast, scope.ranges);
    found.meets = meets;
    if (meets == Meets::unknown) found.reason = "of threads that only run time knows";
    add(std::move(found), scope);
  }

  void onDeviceStatement(const clang::Stmt& stmt, Scope& scope) const override {
    const auto* statement = clang::dyn_cast<clang::GCCAsmStmt>(&stmt);
    if (!statement || scope.settings.cpu || !hasBarrier(*statement, scope.ast)) return;
    BarrierFound found;
    found.range = scope.ranges.resolveToken(statement->getAsmLoc());
    found.expression = "asm";
    found.meets = Meets::unknown;
    found.reason = "in inline assembly";
    add(std::move(found), scope);
  }

  static void add(BarrierFound found, Scope& scope) {
    if (!found.range.located) return;
    found.function = scope.functionName();
    scope.findings.add(std::move(found));
  }
};

}  // namespace

std::unique_ptr<Construct> makeBarrier() {
  return std::make_unique<Barrier>();
}

}  // namespace cui::constructs
