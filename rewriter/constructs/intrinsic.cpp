// Calls that are an access through their pointer operand: atomics, cached loads and stores. The operand is
// wrapped, because the library's body cannot be.
#include <clang/AST/Expr.h>

#include <unordered_map>

#include "constructs/access.h"
#include "constructs/catalogue.h"
#include "constructs/storage.h"

namespace cui::constructs {
namespace {

struct IntrinsicRow {
  sites::Kind kind;
  unsigned operand;
};

const std::unordered_multimap<std::string, IntrinsicRow>& rows() {
  static const std::unordered_multimap<std::string, IntrinsicRow> all{
#define CUI_INTRINSIC(name, kind, operand) {#name, {sites::Kind::kind, operand}},
#include "constructs/intrinsics.def"
  };
  return all;
}

class Intrinsic : public Construct {
  void onDeviceExpression(const clang::Expr& expr, Scope& scope) const override {
    const auto* call = clang::dyn_cast<clang::CallExpr>(&expr);
    const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    if (!callee || !callee->getDeclName().isIdentifier()) return;
    const auto [first, last] = rows().equal_range(callee->getName().str());
    if (first == last || hasUserBody(*callee, scope.ast.getSourceManager())) return;
    for (auto row = first; row != last; ++row)
      if (row->second.operand < call->getNumArgs())
        report(*call, *call->getArg(row->second.operand), row->second, scope);
  }

  static void report(const clang::CallExpr& call, const clang::Expr& argument, const IntrinsicRow& row,
                     Scope& scope) {
    const clang::Expr& written = *argument.IgnoreImpCasts();
    const Storage storage = storageOfPointer(argument);
    if (storage.where != Storage::Where::memory) return;
    const clang::QualType type = argument.getType()->getPointeeType();
    AccessSeen access = accessThrough(argument, type.isNull() ? argument.getType() : type, call, scope);
    access.site.kind = row.kind;
    access.site.space = storage.space;
    const clang::QualType own = written.getType();
    if (!own->isPointerType() && !own->isArrayType())
      access.site.reason = "its operand becomes a pointer by a conversion";
    scope.findings.add(std::move(access));
  }
};

}  // namespace

std::unique_ptr<Construct> makeIntrinsic() {
  return std::make_unique<Intrinsic>();
}

}  // namespace cui::constructs
