#include "driver/own_functions.h"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/STLExtras.h>

namespace cui::driver {
namespace {

bool haveSameParameters(const clang::FunctionDecl& one, const clang::FunctionDecl& other) {
  const clang::ASTContext& ast = one.getASTContext();
  return one.getNumParams() == other.getNumParams() &&
         llvm::all_of(llvm::zip(one.parameters(), other.parameters()), [&](const auto& pair) {
           return ast.hasSameUnqualifiedType(std::get<0>(pair)->getType(), std::get<1>(pair)->getType());
         });
}

}  // namespace

bool standsForToolkits(const clang::FunctionDecl& function) {
  const clang::SourceManager& manager = function.getASTContext().getSourceManager();
  if (manager.isInSystemHeader(function.getLocation())) return false;
  // Those of other sides are no declarations of the same function to Clang.
  for (const clang::NamedDecl* named :
       function.getDeclContext()->getRedeclContext()->lookup(function.getDeclName())) {
    const auto* overload = llvm::dyn_cast<clang::FunctionDecl>(named);
    if (!overload || !haveSameParameters(function, *overload)) continue;
    for (const clang::FunctionDecl* other : overload->redecls())
      if (other->isThisDeclarationADefinition() && manager.isInSystemHeader(other->getLocation()))
        return true;
  }
  return false;
}

void forgiveSecondBody(clang::Decl& declared) {
  auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declared);
  if (function && function->isInvalidDecl() && standsForToolkits(*function)) function->setInvalidDecl(false);
}

void OwnBuiltins::operator()(const clang::Token& token) {
  clang::IdentifierInfo* name = token.isAnnotation() ? nullptr : token.getIdentifierInfo();
  if (behindType_ && name && name->getBuiltinID() != 0 && name->isStr("__rdtsc") &&
      !manager_.isInSystemHeader(token.getLocation()))
    name->clearBuiltinID();
  behindType_ = token.isOneOf(clang::tok::identifier, clang::tok::kw_long, clang::tok::kw_int,
                              clang::tok::kw_unsigned, clang::tok::annot_typename);
}

}  // namespace cui::driver
