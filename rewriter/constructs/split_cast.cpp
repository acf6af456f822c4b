#include "constructs/split_cast.h"

#include "constructs/access.h"

namespace cui::constructs {
namespace {

Resolved noSplitCast() {
  Resolved none;
  none.reason = "not a cast";
  return none;
}

}  // namespace

Resolved splitCast(const clang::CStyleCastExpr& cast, const Scope& scope) {
  const clang::Expr& object = *cast.getSubExpr()->IgnoreImpCasts();
  const clang::QualType type = cast.getType();
  if (!cast.getBeginLoc().isMacroID() || !cast.isPRValue() || !namesObject(object) ||
      !(type->isDependentType() || type->isScalarType()) || !whyNotBindable(object).empty() ||
      scope.ranges.resolve(object.getSourceRange()).reason.empty())
    return noSplitCast();
  Resolved whole = scope.ranges.resolve(cast.getSourceRange());
  return whole.macro ? whole : noSplitCast();
}

Resolved splitCastAround(const clang::Expr& object, const Scope& scope) {
  std::size_t at = scope.path.size() - 1;
  if (scope.path[at].stmt != &object) return noSplitCast();
  while (at > 0 && clang::isa_and_nonnull<clang::ImplicitCastExpr>(scope.path[at - 1].stmt)) --at;
  const auto* cast =
      at > 0 ? clang::dyn_cast_or_null<clang::CStyleCastExpr>(scope.path[at - 1].stmt) : nullptr;
  return cast ? splitCast(*cast, scope) : noSplitCast();
}

}  // namespace cui::constructs
