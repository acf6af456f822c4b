// __global__ functions: an entry mark at the start of the body.
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>

#include "constructs/catalogue.h"

namespace cui::constructs {
namespace {

/// Where launch bounds go: recording takes registers, and a kernel without bounds that came to use more than
/// 64 could no longer be launched with 1024 threads. A kernel that states its own limits keeps them.
Resolved placeOfBounds(const clang::FunctionDecl& function, const Ranges& ranges) {
  Resolved none;
  none.reason = "states its own limits or comes from a macro";
  const clang::SourceLocation type = function.getReturnTypeSourceRange().getEnd();
  const clang::SourceLocation name = function.getLocation();
  if (function.hasAttr<clang::CUDALaunchBoundsAttr>() || !type.isFileID() || !name.isFileID()) return none;
  if (!ranges.manager().isBeforeInTranslationUnit(type, name)) return none;  // auto k() -> void
  // Clang does not know __maxnreg__, which nvcc refuses beside launch bounds.
  if (ranges.text({function.getBeginLoc(), name}).find("maxnreg") != std::string::npos) return none;
  return ranges.resolveToken(type);
}

class Kernel : public Construct {
  void onFunction(const clang::FunctionDecl& function, Scope& scope) const override {
    if (!function.hasAttr<clang::CUDAGlobalAttr>()) return;
    const auto* body = clang::dyn_cast_or_null<clang::CompoundStmt>(function.getBody());
    if (!body) return;
    KernelFound kernel;
    kernel.brace = scope.ranges.resolveToken(body->getLBracLoc());
    kernel.name = scope.ranges.resolveToken(function.getLocation());
    kernel.returns = placeOfBounds(function, scope.ranges);
    kernel.kernel.name = qualifiedName(function);
    if (kernel.brace.located) scope.findings.add(std::move(kernel));
  }
};

}  // namespace

std::unique_ptr<Construct> makeKernel() {
  return std::make_unique<Kernel>();
}

}  // namespace cui::constructs
