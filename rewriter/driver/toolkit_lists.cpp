#include "driver/toolkit_lists.h"

#include "constructs/of_library.h"

#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/STLExtras.h>

namespace cui::driver {
namespace {

bool isAssignment(const clang::CXXMethodDecl& method) {
  return method.getOverloadedOperator() == clang::OO_Equal;
}

/// It is a structure without a name, but for that of a typedef.
bool takesRawForm(const clang::CXXMethodDecl& method) {
  const auto* taken = method.getParamDecl(0)->getType().getNonReferenceType()->getAsCXXRecordDecl();
  const auto* name = taken ? taken->getTypedefNameForAnonDecl() : nullptr;
  return name && name->getName() == (method.getParent()->getName() + "_raw").str();
}

/// Others, from numbers, are ambiguous to nvcc as well (`__half h; h = {};`).
bool hasNoOther(const clang::CXXRecordDecl& record) {
  return llvm::all_of(record.methods(), [](const clang::CXXMethodDecl* method) {
    return !isAssignment(*method) || method->isCopyAssignmentOperator() ||
           method->isMoveAssignmentOperator() || takesRawForm(*method);
  });
}

}  // namespace

void forgetRawAssignment(clang::Sema& sema, clang::Decl& declared) {
  auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&declared);
  const clang::SourceManager& manager = sema.getSourceManager();
  if (!method || !method->isOutOfLine() || !isAssignment(*method) || method->getNumParams() != 1 ||
      !constructs::isOfLibrary(*method, manager) || !takesRawForm(*method) ||
      !hasNoOther(*method->getParent()))
    return;
  // Which of them a look-up finds is up to Clang.
  for (clang::CXXMethodDecl* one : {method->getCanonicalDecl(), method})
    one->getLexicalDeclContext()->removeDecl(one);
}

}  // namespace cui::driver
