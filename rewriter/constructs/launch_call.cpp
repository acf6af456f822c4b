// cudaLaunchKernel(k, …), cuLaunchKernel(k, …) and their kin: the function's name is wrapped, the kernel is
// what its argument names. Calls that make a graph's kernel node or change it are wrapped likewise: each run
// of the node is a launch, whose kernel the parameters say when the program runs. And on the CPU backend
// kernels whose address becomes a void pointer, also that of a variable that points to one, because an
// address alone cannot be called there.
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Support/raw_ostream.h>

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>

#include "constructs/access.h"
#include "constructs/callee.h"
#include "constructs/catalogue.h"
#include "constructs/describe.h"

namespace cui::constructs {
namespace {

using edit::Form;

/// Which argument is the kernel; -1: not such a function.
int kernelArgument(llvm::StringRef function) {
  return llvm::StringSwitch<int>(function)
      .Case("cudaLaunchKernel", 0)
      .Case("cudaLaunchCooperativeKernel", 0)
      .Case("cudaLaunchKernelExC", 1)
      .Case("cudaLaunchKernelEx", 1)
      .Case("cuLaunchKernel", 0)
      .Case("cuLaunchCooperativeKernel", 0)
      .Case("cuLaunchKernelEx", 1)
      .Default(-1);
}

/// Whether it makes a graph's node, or gives it other parameters: its last argument.
bool takesNodeParameters(llvm::StringRef function) {
  return llvm::StringSwitch<bool>(function)
#define CUI_GRAPH_FUNCTION(name) .Case(#name, true)
#include "cuinstrument/device/graph_api.def"
      .Default(false);
}

/// `x` in `&x`.
const clang::Expr* withoutAddressOf(const clang::Expr& argument) {
  const clang::Expr* expr = argument.IgnoreParenCasts();
  const auto* unary = clang::dyn_cast<clang::UnaryOperator>(expr);
  return unary && unary->getOpcode() == clang::UO_AddrOf ? unary->getSubExpr()->IgnoreParenCasts() : expr;
}

/// The kernel that an argument names, possibly cast to a void pointer; null if it is a variable.
const clang::FunctionDecl* kernelOf(const clang::Expr& argument) {
  const auto* name = clang::dyn_cast<clang::DeclRefExpr>(withoutAddressOf(argument));
  const auto* function = name ? clang::dyn_cast<clang::FunctionDecl>(name->getDecl()) : nullptr;
  return function && function->hasAttr<clang::CUDAGlobalAttr>() ? function : nullptr;
}

/// A variable of a kernel's type: what it points to is described when it is asked for its address.
bool isKernelVariable(const clang::Expr& expr) {
  const auto* name = clang::dyn_cast<clang::DeclRefExpr>(&expr);
  if (!name || !clang::isa<clang::VarDecl>(name->getDecl()) || !name->getType()->isFunctionPointerType())
    return false;
  const auto* type = name->getType()->getPointeeType()->getAs<clang::FunctionProtoType>();
  return type && type->getReturnType()->isVoidType() && !type->isVariadic();
}

class LaunchCall : public Construct {
  void onHostExpression(const clang::Expr& expr, Scope& scope) const override {
    if (const auto* call = clang::dyn_cast<clang::CallExpr>(&expr))
      if (const std::optional<Callee> callee = namedCallee(*call, scope.ast.getSourceManager());
          callee && callee->whose != Callee::Whose::program)
        report(*call, *callee, scope);
    if (scope.settings.cpu) {
      if (const auto* cast = clang::dyn_cast<clang::CastExpr>(&expr);
          cast && cast->getType()->isVoidPointerType())
        reportPointer(*cast->getSubExpr(), scope);
    }
  }

  static void report(const clang::CallExpr& call, const Callee& callee, Scope& scope) {
    const bool node = takesNodeParameters(callee.name);
    const int argument = node ? static_cast<int>(call.getNumArgs()) - 1 : kernelArgument(callee.name);
    if (argument < 0 || call.getNumArgs() <= static_cast<unsigned>(argument)) return;
    const bool driver = !llvm::StringRef(callee.name).starts_with("cuda");
    if (driver && scope.settings.cpu) return;  // refused there
    LaunchFound found;
    found.form = driver          ? callee.global ? Form::CUI_GLOBAL_DRIVER_LAUNCH : Form::CUI_DRIVER_LAUNCH
                 : callee.global ? Form::CUI_GLOBAL_LAUNCH_CALL
                                 : Form::CUI_LAUNCH_CALL;
    found.whole = scope.ranges.resolveName(callee.location);
    if (!found.whole.located) return;
    if (callee.decorated && found.whole.reason.empty()) found.whole.reason = "a launch by a qualified name";
    const clang::Expr* kernel = call.getArg(static_cast<unsigned>(argument));
    if (node) kernel = withoutAddressOf(*kernel);
    describeKernel(*kernel, found, scope);
    scope.findings.add(std::move(found));
  }

  static void describeKernel(const clang::Expr& kernel, LaunchFound& found, const Scope& scope) {
    found.written = textOf(*kernel.IgnoreParenCasts(), scope.ast, scope.ranges);
    found.seen.launch.function = scope.functionName();
    found.seen.launch.hasStream = true;  // an argument, or its default
    const clang::FunctionDecl* function = kernelOf(kernel);
    if (!function || function->isDependentContext()) return;
    std::string spelled;
    llvm::raw_string_ostream out(spelled);
    function->getNameForDiagnostic(out, scope.ast.getPrintingPolicy(), true);
    found.seen.kernels.insert(spelled);
    found.seen.kernelBases.insert(qualifiedName(*function));
  }

  /// Without a cast in between, which may choose among overloads.
  static void reportPointer(const clang::Expr& source, Scope& scope) {
    const clang::Expr* expr = source.IgnoreParens();
    if (const auto* decay = clang::dyn_cast<clang::ImplicitCastExpr>(expr))
      expr = decay->getSubExpr()->IgnoreParens();
    if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(expr);
        unary && unary->getOpcode() == clang::UO_AddrOf)
      expr = unary->getSubExpr()->IgnoreParens();
    if (!clang::isa<clang::DeclRefExpr>(expr) || (!kernelOf(*expr) && !isKernelVariable(*expr))) return;
    LaunchFound found;
    found.form = Form::CUI_KERNEL_POINTER;
    found.whole = scope.ranges.resolve(expr->getSourceRange());
    // Where it cannot be wrapped, only a launch by that address fails, and says so.
    if (!found.whole.located || !found.whole.reason.empty()) return;
    describeKernel(*expr, found, scope);
    scope.findings.add(std::move(found));
  }
};

}  // namespace

std::unique_ptr<Construct> makeLaunchCall() {
  return std::make_unique<LaunchCall>();
}

}  // namespace cui::constructs
