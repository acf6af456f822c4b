// __global__ functions: an entry mark at the start of the body.
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>

#include "constructs/catalogue.h"

namespace cui::constructs {
namespace {

class Kernel : public Construct {
  void onFunction(const clang::FunctionDecl& function, Scope& scope) const override {
    if (!function.hasAttr<clang::CUDAGlobalAttr>()) return;
    const auto* body = clang::dyn_cast_or_null<clang::CompoundStmt>(function.getBody());
    if (!body) return;
    KernelFound kernel;
    kernel.brace = scope.ranges.resolveToken(body->getLBracLoc());
    kernel.name = scope.ranges.resolveToken(function.getLocation());
    kernel.kernel.name = qualifiedName(function);
    if (kernel.brace.located) scope.findings.add(std::move(kernel));
  }
};

}  // namespace

std::unique_ptr<Construct> makeKernel() {
  return std::make_unique<Kernel>();
}

}  // namespace cui::constructs
