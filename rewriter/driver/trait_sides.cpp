#include "driver/trait_sides.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <llvm/ADT/STLExtras.h>

namespace cui::driver {
namespace {

void makeBothSides(clang::FunctionDecl& function) {
  if (function.hasAttr<clang::CUDADeviceAttr>() || function.hasAttr<clang::CUDAHostAttr>() ||
      function.hasAttr<clang::CUDAGlobalAttr>())
    return;
  function.addAttr(clang::CUDAHostAttr::CreateImplicit(function.getASTContext()));
  function.addAttr(clang::CUDADeviceAttr::CreateImplicit(function.getASTContext()));
}

/// `template <class T> static long test(...);`, what is left when nothing else fits.
bool isLastResort(const clang::NamedDecl* named) {
  const clang::FunctionDecl* function = named->getAsFunction();
  return function && function->isVariadic() && function->getNumParams() == 0;
}

}  // namespace

void askOnBothSides(const clang::NamespaceDecl& ended) {
  for (clang::NamedDecl* named : ended.lookup(&ended.getASTContext().Idents.get("declval")))
    if (auto* function = llvm::dyn_cast<clang::FunctionTemplateDecl>(named))
      makeBothSides(*function->getTemplatedDecl());
}

void askOnBothSides(const clang::RecordDecl& ended) {
  for (clang::Decl* member : ended.decls()) {
    auto* function = llvm::dyn_cast<clang::FunctionTemplateDecl>(member);
    if (function && llvm::any_of(ended.lookup(function->getDeclName()), isLastResort))
      makeBothSides(*function->getTemplatedDecl());
  }
}

}  // namespace cui::driver
