// for (auto x : table): each turn copies an element, and no expression in the source does it. Only said, not
// instrumented.
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include "constructs/access.h"
#include "constructs/catalogue.h"
#include "constructs/storage.h"

namespace cui::constructs {
namespace {

/// The elements are not in the range, which holds pointers to them (`for (auto x : span)`), and its iterators
/// give references to them. What they give else is a value that their own code makes.
bool leadsElsewhere(const clang::Expr& range, const clang::VarDecl& variable) {
  const clang::CXXRecordDecl* type = range.getType()->getAsCXXRecordDecl();
  if (!type || !holdsPointer(range.getType()) || !variable.getInit()) return false;
  if (type->getIdentifier() && type->getName() == "initializer_list") return false;
  const clang::Expr* element = variable.getInit()->IgnoreImplicit();
  if (const auto* construct = clang::dyn_cast<clang::CXXConstructExpr>(element);
      construct && construct->getNumArgs() > 0)
    element = construct->getArg(0)->IgnoreImplicit();
  return element->isLValue();
}

class RangeFor : public Construct {
  void onDeviceStatement(const clang::Stmt& stmt, Scope& scope) const override {
    const auto* loop = clang::dyn_cast<clang::CXXForRangeStmt>(&stmt);
    if (!loop || scope.dependent()) return;
    const clang::VarDecl* variable = loop->getLoopVariable();
    const clang::Expr* range = loop->getRangeInit();
    if (!variable || !range || variable->getType()->isReferenceType()) return;
    Storage storage;
    if (!leadsElsewhere(*range, *variable)) {
      if (!range->isLValue()) return;
      storage = storageOf(*range);
      if (storage.where != Storage::Where::memory) return;
    }
    AccessSeen access;
    access.site = describeSite(*range, variable->getType(), scope);
    access.site.base = access.site.expression;
    access.site.space = storage.space;
    access.site.reason = "read by a range-based for";
    access.range = scope.ranges.resolve(range->getSourceRange());
    access.body = scope.body();
    scope.findings.add(std::move(access));
  }
};

}  // namespace

std::unique_ptr<Construct> makeRangeFor() {
  return std::make_unique<RangeFor>();
}

}  // namespace cui::constructs
