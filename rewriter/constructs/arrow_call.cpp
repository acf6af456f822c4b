// p->load(): a method of a library's class, whose body is not the user's to instrument, is an access of the
// object that it is called on, as with `.` (use.h). The pointer is wrapped.
#include <clang/AST/ExprCXX.h>

#include "constructs/access.h"
#include "constructs/catalogue.h"
#include "constructs/field.h"
#include "constructs/storage.h"

namespace cui::constructs {
namespace {

class ArrowCall : public Construct {
  void onDeviceExpression(const clang::Expr& expr, Scope& scope) const override {
    const auto* call = clang::dyn_cast<clang::CXXMemberCallExpr>(&expr);
    const auto* member =
        call ? clang::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParens()) : nullptr;
    const clang::CXXMethodDecl* method = call ? call->getMethodDecl() : nullptr;
    if (!member || !member->isArrow() || !method || clang::isa<clang::CXXDestructorDecl>(method)) return;
    report(*call, *member->getBase(), *method, scope);
  }

  static void report(const clang::CXXMemberCallExpr& call, const clang::Expr& pointer,
                     const clang::CXXMethodDecl& method, Scope& scope) {
    // Without its implicit casts to the method's own class.
    const clang::Expr& written = *pointer.IgnoreImpCasts();
    const clang::QualType type = written.getType()->getPointeeType();
    if (type.isNull() || isEmpty(type) || written.isImplicitCXXThis()) return;
    const Usage usage = usageOfMethod(method, type, scope.ast);
    if (usage.use == Use::none) return;
    const Storage storage = storageOfPointer(pointer);
    if (storage.where != Storage::Where::memory) return;
    AccessSeen access = accessThrough(pointer, type, call, scope);
    access.site.kind = kindOf(usage.use, type, scope.ast);
    access.site.space = storage.space;
    access.site.reason = usage.reason;
    if (access.site.reason.empty() && isArrow(written)) access.site.reason = "behind an overloaded ->";
    scope.findings.add(std::move(access));
  }
};

}  // namespace

std::unique_ptr<Construct> makeArrowCall() {
  return std::make_unique<ArrowCall>();
}

}  // namespace cui::constructs
