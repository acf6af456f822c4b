// k<<<grid, block, bytes, stream>>>(…): the launch, its brackets, its configuration, and null literals among
// its arguments.
#include <llvm/Support/raw_ostream.h>

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/CharInfo.h>

#include "constructs/access.h"
#include "constructs/catalogue.h"
#include "constructs/class_names.h"
#include "constructs/describe.h"

namespace cui::constructs {
namespace {

using edit::Form;

bool isNullLiteral(const clang::Expr& argument) {
  const auto* cast = clang::dyn_cast<clang::CastExpr>(argument.IgnoreParens());
  return cast && cast->getCastKind() == clang::CK_NullToPointer &&
         clang::isa<clang::ImplicitCastExpr>(cast) &&
         !clang::isa<clang::ExplicitCastExpr>(cast->getSubExpr()->IgnoreParens());
}

/// `{a, b}`, whatever it initialises: nothing else begins with a brace.
bool isListInBraces(const clang::Expr& argument, const Scope& scope) {
  const clang::SourceManager& manager = scope.ast.getSourceManager();
  const clang::SourceLocation begin = argument.getBeginLoc();
  if (begin.isInvalid() || argument.isTypeDependent()) return false;
  bool invalid = false;
  const char* text = manager.getCharacterData(manager.getSpellingLoc(begin), &invalid);
  return !invalid && *text == '{';
}

/// Which argument of the configuring call is the grid. Where the device could launch, in a lambda as well, it
/// is cudaLaunchDevice(kernel, parameters, grid, block, …) with -rdc=true.
unsigned firstArgument(const clang::CallExpr& config) {
  const clang::FunctionDecl* callee = config.getDirectCallee();
  return callee && callee->getIdentifier() && callee->getName() == "cudaLaunchDevice" ? 2 : 0;
}

/// In a default argument, or what initialises a variable at file scope: outside any function's body.
bool isOutsideBodies(const Scope& scope) {
  for (auto node = scope.path.rbegin(); node != scope.path.rend(); ++node) {
    if (node->stmt && clang::isa<clang::CompoundStmt>(node->stmt)) return false;
    if (!node->decl) continue;
    if (clang::isa<clang::ParmVarDecl>(node->decl)) return true;
    if (const auto* variable = clang::dyn_cast<clang::VarDecl>(node->decl)) return variable->isFileVarDecl();
  }
  return false;
}

/// Whether the kernel's name is a variable of a function, or a member: a lambda would have to capture it.
bool isHeldLocally(const clang::Expr& callee) {
  const clang::Expr& named = *callee.IgnoreParenImpCasts();
  if (clang::isa<clang::UnresolvedLookupExpr>(named)) return false;
  const auto* reference = clang::dyn_cast<clang::DeclRefExpr>(&named);
  if (!reference) return true;
  const auto* variable = clang::dyn_cast<clang::VarDecl>(reference->getDecl());
  return variable && !variable->hasGlobalStorage();
}

class Launch : public Construct {
  void onHostExpression(const clang::Expr& expr, Scope& scope) const override {
    const auto* launch = clang::dyn_cast<clang::CUDAKernelCallExpr>(&expr);
    if (launch && launch->getConfig()) report(*launch, scope);
  }

  void onDeviceExpression(const clang::Expr& expr, Scope& scope) const override {
    const auto* launch = clang::dyn_cast<clang::CUDAKernelCallExpr>(&expr);
    if (!launch) return;
    if (scope.settings.cpu && launch->getConfig()) return report(*launch, scope);
    AccessSeen access;
    access.site = describeSite(expr, scope.ast.VoidTy, scope);
    access.site.reason = "a launch from device code";
    access.range = scope.ranges.resolve(expr.getSourceRange());
    access.body = scope.body();
    scope.findings.add(std::move(access));
  }

  /// The brackets and what is between them: beside the kernel's name, or in the body of a macro that stands
  /// for all of it (`#define ARGUMENTS(grid, block) <<<grid, block>>>`).
  static void addConfiguration(const clang::CallExpr& config, LaunchFound& found, Scope& scope) {
    const clang::SourceRange brackets(config.getBeginLoc(), config.getRParenLoc());
    Resolved outer = found.whole;
    found.open = scope.ranges.resolvePart(brackets.getBegin(), outer);
    found.close = scope.ranges.resolvePart(brackets.getEnd(), outer);
    if (found.open.reason.empty() && found.open.span == found.close.span) {
      outer = found.configuration = scope.ranges.resolve(brackets);
      found.open = scope.ranges.resolvePart(brackets.getBegin(), outer);
      found.close = scope.ranges.resolvePart(brackets.getEnd(), outer);
    }
    addArguments(config, outer, found, scope);
  }

  static void addArguments(const clang::CallExpr& config, const Resolved& outer, LaunchFound& found,
                           const Scope& scope) {
    static constexpr Form forms[] = {Form::CUI_GRID, Form::CUI_BLOCK, Form::CUI_SHARED_BYTES,
                                     Form::CUI_STREAM};
    const unsigned first = firstArgument(config);
    std::vector<clang::SourceRange> ranges;
    bool apart = true;
    for (unsigned i = 0; first + i < config.getNumArgs() && i < 4; ++i) {
      const clang::Expr& argument = *config.getArg(first + i);
      // What is left out is a default argument, or for cudaLaunchDevice a literal at the bracket.
      if (clang::isa<clang::CXXDefaultArgExpr>(argument) || argument.getBeginLoc() == config.getBeginLoc())
        continue;
      ranges.push_back(argument.getSourceRange());
      found.arguments.push_back({scope.ranges.resolvePart(ranges.back(), outer), edit::open(forms[i])});
      apart &= scope.ranges.resolveWholePart(ranges.back(), outer).reason.empty();
      if (i == 3) found.seen.launch.hasStream = true;
    }
    // A macro's name, or __VA_ARGS__, stands for several of them.
    if (outer.reason.empty() && !apart) {
      Resolved all = scope.ranges.resolvePart({ranges.front().getBegin(), ranges.back().getEnd()}, outer);
      widen(all, found, scope);
      found.arguments = {{std::move(all), edit::open(Form::CUI_CONFIGURATION)}};
    }
  }

  /// To all that is between the brackets: of `<<<OPEN config>>>`, where a macro's name gets the parameter's
  /// parentheses, Clang knows the parameter to be the arguments' text.
  static void widen(Resolved& arguments, const LaunchFound& found, const Scope& scope) {
    const Span &open = found.open.span, &close = found.close.span;
    Span& span = arguments.span;
    if (!arguments.reason.empty() || !found.open.reason.empty() || !found.close.reason.empty() ||
        open.file != span.file || close.file != span.file || open.end > span.begin || span.end > close.begin)
      return;
    const llvm::StringRef text = scope.ranges.sources().file(span.file).text;
    const llvm::StringRef all = text.slice(open.end, close.begin);
    const llvm::StringRef name = text.slice(open.end, span.begin).trim();
    if (name.empty() || !clang::isValidAsciiIdentifier(name)) return;
    span.begin = open.end + static_cast<unsigned>(all.size() - all.ltrim().size());
  }

  /// The kernel may write through its parameter.
  static bool isReferredTo(const clang::CUDAKernelCallExpr& launch, unsigned number) {
    const clang::FunctionDecl* kernel = launch.getDirectCallee();
    if (!kernel || number >= kernel->getNumParams()) return false;
    const auto* type = kernel->getParamDecl(number)->getType()->getAs<clang::LValueReferenceType>();
    const clang::Expr& argument = *launch.getArg(number);
    return type && !type->getPointeeType().isConstQualified() && argument.isLValue() &&
           argument.getObjectKind() == clang::OK_Ordinary;
  }

  /// What would lose its meaning in a pack of arguments: a null literal, a list in braces, which has no type
  /// there, and an object, of which there is a copy.
  static void addArgument(const clang::CUDAKernelCallExpr& launch, unsigned number, LaunchFound& found,
                          const Scope& scope) {
    const clang::Expr& argument = *launch.getArg(number);
    std::string open;
    if (isReferredTo(launch, number)) {
      open = edit::open(Form::CUI_BY_REFERENCE);
    } else if (isNullLiteral(argument)) {
      open = edit::open(Form::CUI_NULL);
    } else if (isListInBraces(argument, scope)) {
      const std::string type = typeHere(argument.getType().getNonReferenceType().getUnqualifiedType(), scope);
      if (!type.empty()) open = edit::open(Form::CUI_LIST, number, {type});
    }
    if (open.empty()) return;
    Resolved range = scope.ranges.resolveWholePart(argument.getSourceRange(), found.whole);
    if (range.reason.empty()) found.arguments.push_back({std::move(range), std::move(open)});
  }

  static void report(const clang::CUDAKernelCallExpr& launch, Scope& scope) {
    const clang::CallExpr& config = *launch.getConfig();
    LaunchFound found;
    if (isOutsideBodies(scope)) found.form = Form::CUI_OUTER_LAUNCH;
    found.captures = isHeldLocally(*launch.getCallee());
    found.whole = scope.ranges.resolveCall(launch.getSourceRange());
    if (!found.whole.located) return;
    addConfiguration(config, found, scope);
    for (unsigned i = 0; i < launch.getNumArgs(); ++i) addArgument(launch, i, found, scope);

    found.seen.launch.function = scope.functionName();
    found.written = textOf(*launch.getCallee(), scope.ast, scope.ranges);
    if (const clang::FunctionDecl* kernel = launch.getDirectCallee();
        kernel && !kernel->isDependentContext()) {
      std::string name;
      llvm::raw_string_ostream out(name);
      kernel->getNameForDiagnostic(out, scope.ast.getPrintingPolicy(), true);
      found.seen.kernels.insert(name);
      found.seen.kernelBases.insert(qualifiedName(*kernel));
    }
    scope.findings.add(std::move(found));
  }
};

}  // namespace

std::unique_ptr<Construct> makeLaunch() {
  return std::make_unique<Launch>();
}

}  // namespace cui::constructs
