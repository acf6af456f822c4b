#include "constructs/stand_in.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>

#include "constructs/of_library.h"

namespace cui::constructs {
namespace {

/// By an operator whose first operand it is.
Use useOfTarget(const clang::CXXOperatorCallExpr& call) {
  if (call.getOperator() == clang::OO_Amp) return Use::none;
  if (call.getOperator() == clang::OO_Equal) return Use::store;
  const bool changes = call.isAssignmentOp() || call.getOperator() == clang::OO_PlusPlus ||
                       call.getOperator() == clang::OO_MinusMinus;
  return changes ? Use::rmw : Use::load;
}

}  // namespace

clang::QualType standsFor(clang::QualType type, const clang::SourceManager& manager) {
  const auto* record =
      clang::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (!record || !record->getIdentifier() || !isOfLibrary(*record, manager)) return {};
  const llvm::StringRef name = record->getName();
  if (name != "device_reference" && name != "tagged_reference" && name != "reference") return {};
  const clang::TemplateArgument& element = record->getTemplateArgs()[0];
  return element.getKind() == clang::TemplateArgument::Type ? element.getAsType() : clang::QualType();
}

StandInUsage usageOfStandIn(const std::vector<Node>& path, const clang::SourceManager& manager) {
  const auto* object = clang::cast<clang::Expr>(path.back().stmt);
  const StandInUsage kept{{}, true};
  for (std::size_t at = path.size() - 1; at-- > 0;) {
    const clang::Stmt* stmt = path[at].stmt;
    if (clang::isa_and_nonnull<clang::VarDecl>(path[at].decl)) return kept;
    if (const auto* call = clang::dyn_cast_or_null<clang::CXXOperatorCallExpr>(stmt)) {
      const bool target =
          call->getArg(0)->IgnoreImplicit() == path[at + 1].stmt || call->getArg(0) == path[at + 1].stmt;
      return {{target ? useOfTarget(*call) : Use::load, object, ""}};
    }
    if (const auto* call = clang::dyn_cast_or_null<clang::CallExpr>(stmt)) {
      const clang::FunctionDecl* callee = call->getDirectCallee();
      if (callee && isUsersOwn(*callee, manager)) return kept;
      break;
    }
    if (const auto* member = clang::dyn_cast_or_null<clang::MemberExpr>(stmt);
        member && clang::isa<clang::CXXConversionDecl>(member->getMemberDecl()))
      return {{Use::load, object, ""}};
    if (const auto* made = clang::dyn_cast_or_null<clang::CXXConstructExpr>(stmt);
        made && made->getConstructor()->isCopyOrMoveConstructor())
      continue;
    if (clang::isa_and_nonnull<clang::ReturnStmt>(stmt)) return kept;
    // Discarded.
    if (clang::isa_and_nonnull<clang::CompoundStmt>(stmt)) return {};
    if (!stmt || !clang::isa<clang::MaterializeTemporaryExpr, clang::ImplicitCastExpr, clang::ParenExpr,
                             clang::CXXBindTemporaryExpr, clang::ExprWithCleanups>(stmt))
      break;
  }
  return {{Use::load, object, "an object of library code that stands for an element is kept"}};
}

}  // namespace cui::constructs
