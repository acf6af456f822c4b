// `new (p) T(v)` and `new T(v)` in device code store an object. Where no constructor of the user's does that,
// whose body tells, it is an access through the pointer that comes back, which is wrapped. Where such
// constructors store parts of it, and one that nobody wrote the rest, each part of that rest is an access:
// the pointers to virtual functions are, that every constructor stores.
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include <optional>
#include <vector>

#include "constructs/access.h"
#include "constructs/catalogue.h"
#include "constructs/describe.h"
#include "constructs/storage.h"
#include "constructs/stored_parts.h"
#include "constructs/use.h"
#include "cuinstrument/format/record.h"

namespace cui::constructs {
namespace {

constexpr std::size_t mostParts = 8;

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
    StoredParts parts(scope);
    bool told = true;
    if (!unknown && stores != Stores::whole && !made->isArray())
      told = parts.add(made->getInitializer(), type);
    if (stores == Stores::nothing && told && parts.all().empty()) return;
    const Resolved range = scope.ranges.resolve(made->getSourceRange());
    if (stores == Stores::byConstructor && told && parts.all().empty())
      return scope.findings.veto(range, "stored by a constructor in another instantiation");
    // One text stands for what all instantiations and expansions store.
    const bool once = !scope.instantiated() && !range.macro;
    if (!parts.all().empty() && told && once && parts.all().size() <= mostParts)
      return reportParts(*made, parts.all(), range, scope);
    if (const std::optional<StoredPart> all = arrayOf(*made, scope.ast);
        all && stores == Stores::whole && !unknown && once)
      return reportParts(*made, {*all}, range, scope);
    AccessSeen access = seen(*made, range, scope);
    if (made->isArray())
      access.site.reason = "an array that new makes";
    else if (stores == Stores::nothing)
      access.site.reason = "pointers to virtual functions that a constructor stores which nobody wrote";
    else if (stores != Stores::whole)
      access.site.reason = "stored partly by constructors of its members";
    scope.findings.add(std::move(access));
  }

  /// All elements of an array whose number the source says, if a record can have so many bytes.
  static std::optional<StoredPart> arrayOf(const clang::CXXNewExpr& made, const clang::ASTContext& ast) {
    const clang::Expr* size = made.getArraySize().value_or(nullptr);
    clang::Expr::EvalResult number;
    if (!size || size->isValueDependent() || !size->EvaluateAsInt(number, ast)) return std::nullopt;
    const clang::QualType element = made.getAllocatedType();
    const std::uint64_t count = number.Val.getInt().getLimitedValue(format::maxRecordBytes + 1);
    const std::uint64_t bytes = count * sizeOf(element, ast);
    if (count > format::maxRecordBytes || bytes > format::maxRecordBytes || bytes == 0) return std::nullopt;
    const clang::QualType whole =
        ast.getConstantArrayType(element, number.Val.getInt(), nullptr, clang::ArraySizeModifier::Normal, 0);
    return StoredPart{{static_cast<long>(bytes), 0}, whole};
  }

  static AccessSeen seen(const clang::CXXNewExpr& made, const Resolved& range, const Scope& scope) {
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
    access.form = edit::Form::CUI_POINTER;
    access.layer = Layer::made;
    access.range = range;
    return access;
  }

  static void reportParts(const clang::CXXNewExpr& made, const std::vector<StoredPart>& parts,
                          const Resolved& range, Scope& scope) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      AccessSeen access = seen(made, range, scope);
      const StoredPart& part = parts[i];
      describePart(access.site, part, scope.ast);
      access.form = edit::Form::CUI_ARROW_FIELD;
      access.measures = part.place;
      access.layer = static_cast<Layer>(static_cast<unsigned>(Layer::part) + i);
      scope.findings.add(std::move(access));
    }
  }
};

}  // namespace

std::unique_ptr<Construct> makeNewObject() {
  return std::make_unique<NewObject>();
}

}  // namespace cui::constructs
