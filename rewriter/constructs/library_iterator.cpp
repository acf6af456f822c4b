// `*it`, `it[i]` of such an iterator: only said. What gives the element itself (use.h), or an object that
// stands for it (stand_in.h), is recorded where that is used.
#include "constructs/library_iterator.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/STLExtras.h>

#include "constructs/access.h"
#include "constructs/catalogue.h"
#include "constructs/describe.h"
#include "constructs/of_library.h"
#include "constructs/stand_in.h"
#include "constructs/storage.h"

namespace cui::constructs {
namespace {

bool hasCategory(const clang::CXXRecordDecl& record) {
  const auto isCategory = [](const clang::Decl* member) {
    const auto* named = clang::dyn_cast<clang::TypedefNameDecl>(member);
    return named && named->getName() == "iterator_category";
  };
  return llvm::any_of(record.decls(), isCategory) ||
         llvm::any_of(record.bases(), [](const clang::CXXBaseSpecifier& base) {
           const clang::CXXRecordDecl* of = base.getType()->getAsCXXRecordDecl();
           return of && of->hasDefinition() && hasCategory(*of);
         });
}

bool isDereference(const clang::CXXOperatorCallExpr& call) {
  return call.getOperator() == clang::OO_Subscript || call.getOperator() == clang::OO_Arrow ||
         (call.getOperator() == clang::OO_Star && call.getNumArgs() == 1);
}

class LibraryIterator : public Construct {
  void onDeviceExpression(const clang::Expr& expr, Scope& scope) const override {
    const clang::SourceManager& manager = scope.ast.getSourceManager();
    const auto* call = clang::dyn_cast<clang::CXXOperatorCallExpr>(&expr);
    if (!call || call->isTypeDependent() || !isDereference(*call)) return;
    const clang::QualType type = call->getArg(0)->IgnoreImplicit()->getType();
    const auto* method = clang::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
    if (!method || isUsersOwn(*method, manager) || !isLibraryIterator(type, manager)) return;
    if (givesViewed(*method, manager) || holdsReferences(call->getType()) ||
        !standsFor(call->getType(), manager).isNull())
      return;
    AccessSeen access = seenIn(scope);
    access.site = describeSite(*call, call->getType().getNonReferenceType(), scope);
    const Description description = describe(*call, scope.ast, scope.ranges);
    access.site.base = description.base;
    access.site.index = description.index;
    access.site.kind = isProxy(call->getType(), manager) ? sites::Kind::store : sites::Kind::load;
    access.site.bytes = 0;  // what it reads may be of another type
    access.site.reason = "by an iterator of library code";
    access.range = scope.ranges.resolve(call->getSourceRange());
    scope.findings.add(std::move(access));
  }

  /// What is assigned to, to write the element: `CacheModifiedOutputIterator<…>::Reference`.
  static bool isProxy(clang::QualType type, const clang::SourceManager& manager) {
    const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
    return record && record->getIdentifier() && record->getName().contains_insensitive("reference") &&
           isOfLibrary(*record, manager);
  }
};

}  // namespace

bool isLibraryIterator(clang::QualType type, const clang::SourceManager& manager) {
  const clang::CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->hasDefinition() && !record->isDependentContext() &&
         isOfLibrary(*record, manager) && holdsPointer(type.getNonReferenceType()) && hasCategory(*record);
}

std::unique_ptr<Construct> makeLibraryIterator() {
  return std::make_unique<LibraryIterator>();
}

}  // namespace cui::constructs
