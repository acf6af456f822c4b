// `new (p) T(v)` and `new T(v)` in device code store an object. Where no constructor of the user's does that,
// whose body tells, it is an access through the pointer that comes back, which is wrapped.
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include "constructs/access.h"
#include "constructs/catalogue.h"
#include "constructs/describe.h"
#include "constructs/storage.h"
#include "constructs/use.h"

namespace cui::constructs {
namespace {

enum class Stores { nothing, whole, byConstructor, partly };

Stores both(Stores one, Stores other) {
  if (one == Stores::nothing || one == other) return other;
  return other == Stores::nothing ? one : Stores::partly;
}

Stores storesOf(const clang::Expr* initialiser, const Scope& scope);

/// Of a constructor that nobody wrote, its members' and bases'.
Stores storesOfParts(const clang::CXXConstructorDecl& constructor, const Scope& scope) {
  Stores all = Stores::nothing;
  for (const clang::CXXCtorInitializer* part : constructor.inits())
    all = both(all, storesOf(part->getInit(), scope));
  return all;
}

/// What an initialiser stores that is not found in the body of a constructor.
Stores storesOf(const clang::Expr* initialiser, const Scope& scope) {
  if (!initialiser) return Stores::nothing;
  const clang::Expr* value = initialiser->IgnoreParenCasts()->IgnoreImplicit();
  if (const auto* own = clang::dyn_cast<clang::CXXDefaultInitExpr>(value))
    value = own->getExpr()->IgnoreParenCasts()->IgnoreImplicit();
  if (const auto* list = clang::dyn_cast<clang::InitListExpr>(value)) {
    Stores all = list->getNumInits() == 0 ? Stores::whole : Stores::nothing;
    for (const clang::Expr* part : list->inits()) all = both(all, storesOf(part, scope));
    return all;
  }
  const auto* construct = clang::dyn_cast<clang::CXXConstructExpr>(value);
  if (!construct) return Stores::whole;
  const clang::CXXConstructorDecl& constructor = *construct->getConstructor();
  if (constructor.isUserProvided() && isUsersOwn(constructor, scope.ast.getSourceManager()))
    return Stores::byConstructor;
  if (!constructor.isDefaultConstructor()) return Stores::whole;
  const Stores zeros = construct->requiresZeroInitialization() ? Stores::whole : Stores::nothing;
  // Of one of the library's nothing tells whether it stores.
  return constructor.isUserProvided() ? zeros : both(zeros, storesOfParts(constructor, scope));
}

class NewObject : public Construct {
  void onDeviceExpression(const clang::Expr& expr, Scope& scope) const override {
    const auto* made = clang::dyn_cast<clang::CXXNewExpr>(&expr);
    if (!made) return;
    const clang::QualType type = made->getAllocatedType();
    // What a pattern says counts only where nothing is made from it.
    const bool unknown = type->isDependentType() || made->isTypeDependent();
    if (made->getNumPlacementArgs() == 1 && !made->getPlacementArg(0)->isTypeDependent() &&
        storageOfPointer(*made->getPlacementArg(0)).where != Storage::Where::memory)
      return;
    const Stores stores = !unknown                 ? storesOf(made->getInitializer(), scope)
                          : made->hasInitializer() ? Stores::whole
                                                   : Stores::nothing;
    if (stores == Stores::nothing) return;
    const Resolved range = scope.ranges.resolve(made->getSourceRange());
    if (stores == Stores::byConstructor)
      return scope.findings.veto(range, "stored by a constructor in another instantiation");
    report(*made, stores, range, scope);
  }

  static void report(const clang::CXXNewExpr& made, Stores stores, const Resolved& range, Scope& scope) {
    const clang::QualType type = made.getAllocatedType();
    AccessSeen access = seenIn(scope);
    access.site = describeSite(made, type, scope);
    access.site.kind =
        kindOf(!type->isDependentType() && type->isRecordType() ? Use::copyTo : Use::store, type, scope.ast);
    if (made.getNumPlacementArgs() == 1) {
      const clang::Expr& pointer = *made.getPlacementArg(0);
      const Description description = describePointer(pointer, scope.ast, scope.ranges);
      access.site.base = description.base;
      access.site.index = description.index;
      access.site.space = storageOfPointer(pointer).space;
    }
    if (made.isArray()) access.site.reason = "an array that new makes";
    if (stores == Stores::partly) access.site.reason = "stored partly by constructors of its members";
    access.form = edit::Form::CUI_POINTER;
    access.layer = Layer::made;
    access.range = range;
    scope.findings.add(std::move(access));
  }
};

}  // namespace

std::unique_ptr<Construct> makeNewObject() {
  return std::make_unique<NewObject>();
}

}  // namespace cui::constructs
