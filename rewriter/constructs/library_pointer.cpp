// Pointers that are handed to library code, `BlockLoad(temp).Load(p, items)`, `std::fill_n(p, n, 0)`,
// `curand(&states[i])`, or iterators that hold them, or that its objects keep, `GridQueue<int>(p)`: what it
// accesses through them is not recorded, as its source is not the user's. Rows say so, lest a trace look
// complete.
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/StringSet.h>

#include "constructs/access.h"
#include "constructs/catalogue.h"
#include "constructs/describe.h"
#include "constructs/library_iterator.h"
#include "constructs/of_library.h"
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

/// A class of the library's that is known for what its objects do with a pointer that they are made of.
bool isHolder(const clang::CXXRecordDecl& record) {
  static const llvm::StringSet<> known{
#define CUI_HOLDS_POINTER(name) #name,
#include "constructs/library_pointers.def"
  };
  return record.getIdentifier() && (known.contains(record.getName()) || record.getName().starts_with("__"));
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

/// Gives another iterator, or what it is, and no element: `thrust::get<0>(it)`, `std::move(it)`.
bool onlyLooks(const clang::CallExpr& call) {
  return call.getNumArgs() == 1 && call.isGLValue();
}

class LibraryPointer : public Construct {
  void onDeviceExpression(const clang::Expr& expr, Scope& scope) const override {
    const clang::SourceManager& manager = scope.ast.getSourceManager();
    if (const auto* made = clang::dyn_cast<clang::CXXConstructExpr>(&expr)) {
      const clang::CXXRecordDecl& record = *made->getConstructor()->getParent();
      if (isOfLibrary(record, manager) && !isUsersOwn(*made->getConstructor(), manager) &&
          !isHolder(record) && !isLibraryIterator(made->getType(), manager))
        reportAll(expr, {made->getArgs(), made->getNumArgs()},
                  "a pointer that an object of library code keeps", scope);
      return;
    }
    const auto* call = clang::dyn_cast<clang::CallExpr>(&expr);
    const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    if (!callee || !mayFollow(*callee, manager)) return;
    const llvm::ArrayRef<const clang::Expr*> arguments(call->getArgs(), call->getNumArgs());
    reportAll(expr, arguments, "a pointer handed to library code", scope);
    if (!onlyLooks(*call)) reportIterators(*call, arguments, scope);
  }

  /// A range has two pointers, `p, p + n`, and one row.
  static void reportAll(const clang::Expr& whole, llvm::ArrayRef<const clang::Expr*> arguments,
                        const char* reason, Scope& scope) {
    std::string before;
    for (const clang::Expr* argument : arguments) {
      if (!leadsToMemory(*argument, scope.ast)) continue;
      const std::string base = describePointer(*argument, scope.ast, scope.ranges).base;
      if (!before.empty() && base == before) continue;
      before = base;
      report(whole, *argument, reason, scope);
    }
  }

  /// The same, of one type.
  static void reportIterators(const clang::CallExpr& call, llvm::ArrayRef<const clang::Expr*> arguments,
                              Scope& scope) {
    clang::QualType before;
    for (const clang::Expr* argument : arguments) {
      const clang::Expr* named = argument->IgnoreImplicit();
      if (const auto* copy = clang::dyn_cast<clang::CXXConstructExpr>(named); copy && copy->getNumArgs() == 1)
        named = copy->getArg(0)->IgnoreImplicit();
      const clang::QualType type = named->getType().getCanonicalType().getUnqualifiedType();
      if (!isLibraryIterator(type, scope.ast.getSourceManager()) || type == before) continue;
      before = type;
      AccessSeen access = accessOfLibrary(call, nullptr, type, scope);
      const auto* moved = clang::dyn_cast<clang::CXXOperatorCallExpr>(named);  // `it + n`
      access.site.base = describe(moved ? *moved->getArg(0) : *named, scope.ast, scope.ranges).base;
      access.site.kind = sites::Kind::rmw;
      access.site.reason = "an iterator handed to library code";
      access.range = scope.ranges.resolve(named->getSourceRange());
      scope.findings.add(std::move(access));
    }
  }

  /// Nobody knows of how many bytes.
  static void report(const clang::Expr& whole, const clang::Expr& argument, const char* reason,
                     Scope& scope) {
    const clang::QualType type = argument.getType()->getPointeeType();
    AccessSeen access = accessOfLibrary(whole, &argument, type, scope);
    access.site.kind = type.isConstQualified() ? sites::Kind::load : sites::Kind::rmw;
    access.site.reason = reason;
    access.range = scope.ranges.resolve(argument.getSourceRange());
    scope.findings.add(std::move(access));
  }
};

}  // namespace

std::unique_ptr<Construct> makeLibraryPointer() {
  return std::make_unique<LibraryPointer>();
}

}  // namespace cui::constructs
