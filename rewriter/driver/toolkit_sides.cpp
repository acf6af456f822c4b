#include "driver/toolkit_sides.h"

#include "constructs/of_library.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Sema/IdentifierResolver.h>
#include <clang/Sema/Scope.h>

#include <vector>

namespace cui::driver {
namespace {

using clang::FunctionDecl;
using clang::FunctionTemplateDecl;

bool isOfDevice(const FunctionDecl& function) {
  return function.hasAttr<clang::CUDADeviceAttr>() && !function.hasAttr<clang::CUDAHostAttr>();
}
bool isOfHost(const FunctionDecl& function) {
  return function.hasAttr<clang::CUDAHostAttr>() && !function.hasAttr<clang::CUDADeviceAttr>();
}

bool agree(const FunctionTemplateDecl& a, const FunctionTemplateDecl& b) {
  return a.getTemplateParameters()->size() == b.getTemplateParameters()->size() &&
         a.getASTContext().hasSameType(a.getTemplatedDecl()->getType(), b.getTemplatedDecl()->getType());
}

void forget(clang::Sema& sema, FunctionTemplateDecl& declared) {
  declared.getLexicalDeclContext()->removeDecl(&declared);
  sema.IdResolver.RemoveDecl(&declared);
  sema.TUScope->RemoveDecl(&declared);
}

void join(clang::Sema& sema, FunctionTemplateDecl& declared) {
  clang::DeclContext& context = *declared.getDeclContext()->getRedeclContext();
  if (!context.isTranslationUnit()) return;
  std::vector<FunctionTemplateDecl*> others;
  for (clang::NamedDecl* named : context.lookup(declared.getDeclName()))
    if (auto* other = llvm::dyn_cast<FunctionTemplateDecl>(named); other && agree(*other, declared))
      others.push_back(other);
  for (FunctionTemplateDecl* other : others) {
    const bool fromHost = isOfHost(*declared.getTemplatedDecl());
    FunctionTemplateDecl& host = fromHost ? declared : *other;
    FunctionTemplateDecl& device = fromHost ? *other : declared;
    if (!isOfHost(*host.getTemplatedDecl()) || !isOfDevice(*device.getTemplatedDecl()) ||
        device.getTemplatedDecl()->isDefined())
      continue;
    host.getTemplatedDecl()->addAttr(clang::CUDADeviceAttr::CreateImplicit(declared.getASTContext()));
    return forget(sema, device);
  }
}

}  // namespace

void joinSides(clang::Sema& sema, clang::Decl& declared) {
  const clang::SourceManager& manager = sema.getSourceManager();
  if (!constructs::isOfLibrary(declared, manager)) return;
  if (auto* function = llvm::dyn_cast<FunctionTemplateDecl>(&declared)) return join(sema, *function);
  const auto* linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(&declared);
  if (!linkage) return;
  std::vector<FunctionTemplateDecl*> inside;
  for (clang::Decl* one : linkage->decls())
    if (auto* function = llvm::dyn_cast<FunctionTemplateDecl>(one)) inside.push_back(function);
  for (FunctionTemplateDecl* function : inside) join(sema, *function);
}

}  // namespace cui::driver
