#include "driver/own_functions.h"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>

namespace cui::driver {

bool standsForToolkits(const clang::FunctionDecl& function) {
  const clang::SourceManager& manager = function.getASTContext().getSourceManager();
  if (manager.isInSystemHeader(function.getLocation())) return false;
  for (const clang::FunctionDecl* other : function.redecls())
    if (other->isThisDeclarationADefinition() && manager.isInSystemHeader(other->getLocation())) return true;
  return false;
}

void forgiveSecondBody(clang::Decl& declared) {
  auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declared);
  if (function && function->isInvalidDecl() && standsForToolkits(*function)) function->setInvalidDecl(false);
}

}  // namespace cui::driver
