// Pointers that are handed to library code, `BlockLoad(temp).Load(p, items)`, `std::fill_n(p, n, 0)`,
// `curand(&states[i])`: what it accesses through them is not recorded, as its source is not the user's. Rows
// say so, lest a trace look complete.
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/StringSet.h>

#include "constructs/access.h"
#include "constructs/catalogue.h"
#include "constructs/describe.h"
#include "constructs/storage.h"

namespace cui::constructs {
namespace {

/// Functions that rows of their own say more of, or that do not follow pointers.
bool isKnown(llvm::StringRef name) {
  static const llvm::StringSet<> known{
#define CUI_KEEPS_POINTER(name) #name,
#include "constructs/library_pointers.def"
#define CUI_INTRINSIC(name, kind, operand) #name,
#include "constructs/intrinsics.def"
#define CUI_COPY_FUNCTION(name) #name,
#define CUI_SPACED_COPY_FUNCTION(name) #name,
#define CUI_TILE_FUNCTION(name, kind) #name,
#define CUI_TEXTURE_FUNCTION(name, kind) #name,
#define CUI_SKIPPED_FUNCTION(name, kind, reason) #name,
#include "constructs/calls.def"
  };
  return known.contains(name) || name.starts_with("make_");
}

/// The runtime's functions, on the device, too: copies of theirs are not the kernel's accesses.
bool isOfRuntime(llvm::StringRef name) {
  return name.starts_with("cuda") && name.size() > 4 && name[4] >= 'A' && name[4] <= 'Z';
}

bool mayFollow(const clang::FunctionDecl& callee, const clang::SourceManager& manager) {
  // Clang's own (printf, malloc) are either known or access nothing of the program's.
  if (callee.getBuiltinID() != 0 || isUsersOwn(callee, manager)) return false;
  if (!callee.getDeclName().isIdentifier()) return callee.getOverloadedOperator() == clang::OO_Call;
  return !isKnown(callee.getName()) && !isOfRuntime(callee.getName());
}

/// A pointer to objects that the program can have in memory.
bool leadsToMemory(const clang::Expr& argument, const clang::ASTContext& ast) {
  const clang::QualType pointee = argument.getType()->getPointeeType();
  if (!argument.getType()->isPointerType() || pointee->isFunctionType()) return false;
  const clang::Expr& written = *argument.IgnoreParenImpCasts();
  return !clang::isa<clang::StringLiteral, clang::CXXDefaultArgExpr>(written) &&
         !argument.isNullPointerConstant(const_cast<clang::ASTContext&>(ast),
                                         clang::Expr::NPC_ValueDependentIsNotNull) &&
         storageOfPointer(argument).where == Storage::Where::memory;
}

class LibraryPointer : public Construct {
  void onDeviceExpression(const clang::Expr& expr, Scope& scope) const override {
    const auto* call = clang::dyn_cast<clang::CallExpr>(&expr);
    const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    if (!callee || !mayFollow(*callee, scope.ast.getSourceManager())) return;
    std::string before;  // a range has two pointers, `p, p + n`, and one row
    for (const clang::Expr* argument : call->arguments()) {
      if (!leadsToMemory(*argument, scope.ast)) continue;
      const std::string base = describePointer(*argument, scope.ast, scope.ranges).base;
      if (!before.empty() && base == before) continue;
      before = base;
      report(*call, *argument, scope);
    }
  }

  /// Nobody knows of how many bytes.
  static void report(const clang::CallExpr& call, const clang::Expr& argument, Scope& scope) {
    const clang::QualType type = argument.getType()->getPointeeType();
    AccessSeen access = accessOfLibrary(call, &argument, type, scope);
    access.site.kind = type.isConstQualified() ? sites::Kind::load : sites::Kind::rmw;
    access.site.reason = "a pointer handed to library code";
    access.range = scope.ranges.resolve(argument.getSourceRange());
    scope.findings.add(std::move(access));
  }
};

}  // namespace

std::unique_ptr<Construct> makeLibraryPointer() {
  return std::make_unique<LibraryPointer>();
}

}  // namespace cui::constructs
