// __global__ functions: an entry mark at the start of the body.
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "constructs/catalogue.h"
#include "constructs/storage.h"
#include "constructs/visitor.h"

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

/// The __shared__ variables of file scope that a function uses, or one that it calls.
class FileShared : public Visitor {
 public:
  explicit FileShared(const clang::FunctionDecl& function) { visitFunction(function); }

  const std::set<const clang::VarDecl*>& variables() const { return variables_; }

 private:
  bool onStatement(clang::Stmt& statement) override {
    if (const auto* name = clang::dyn_cast<clang::DeclRefExpr>(&statement)) addNamed(*name->getDecl());
    if (const auto* member = clang::dyn_cast<clang::MemberExpr>(&statement))
      if (const auto* function = clang::dyn_cast<clang::FunctionDecl>(member->getMemberDecl()))
        visitFunction(*function);
    return true;
  }
  void addNamed(const clang::ValueDecl& named) {
    if (const auto* variable = clang::dyn_cast<clang::VarDecl>(&named)) {
      if (isShared(*variable) && variable->isFileVarDecl()) variables_.insert(variable->getCanonicalDecl());
    } else if (const auto* function = clang::dyn_cast<clang::FunctionDecl>(&named)) {
      visitFunction(*function);
    }
  }
  void visitFunction(const clang::FunctionDecl& function) {
    const clang::FunctionDecl* definition = nullptr;
    const clang::Stmt* body = function.getBody(definition);
    if (body && seen_.insert(definition).second) traverse(*body);
  }

  std::set<const clang::FunctionDecl*> seen_;
  std::set<const clang::VarDecl*> variables_;
};

/// The parameters of which nvcc takes it that nobody writes to what they point to, by number.
std::set<unsigned> readOnlyParameters(const clang::FunctionDecl& function) {
  std::set<unsigned> numbers;
  for (const clang::ParmVarDecl* parameter : function.parameters()) {
    if (parameter->isParameterPack()) break;  // who knows how many there are
    const clang::QualType type = parameter->getType().getCanonicalType();
    if (!type->isPointerType() || !type.isRestrictQualified()) continue;
    const clang::QualType pointee = type->getPointeeType();
    if (pointee.isConstQualified() && !pointee.isVolatileQualified() && !pointee->isFunctionType())
      numbers.insert(parameter->getFunctionScopeIndex());
  }
  return numbers;
}

/// What __cluster_dims__ says, as the body may spell it: numbers, or the text where a template's arguments
/// decide.
std::optional<std::pair<unsigned, std::string>> clusterOf(const clang::FunctionDecl& function,
                                                          const Ranges& ranges) {
  const clang::FunctionDecl* pattern = function.getTemplateInstantiationPattern();
  const clang::FunctionDecl& written = pattern ? *pattern : function;
  for (const auto* annotation : written.specific_attrs<clang::AnnotateAttr>()) {
    if (annotation->getAnnotation() != "cui.cluster_dims") continue;
    std::pair<unsigned, std::string> all;
    for (const clang::Expr* extent : annotation->args()) {
      clang::Expr::EvalResult value;
      const std::string one =
          !extent->isValueDependent() && extent->EvaluateAsInt(value, written.getASTContext())
              ? std::to_string(value.Val.getInt().getExtValue())
              : ranges.text(extent->getSourceRange());
      if (one.empty()) return std::make_pair(0u, std::string());
      all.second += (all.first++ == 0 ? "" : ", ") + one;
    }
    return all;
  }
  return {};
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
    if (scope.settings.cpu)
      kernel.cluster = clusterOf(function, scope.ranges);
    else
      kernel.readOnly = readOnlyParameters(function);
    if (kernel.brace.reason.empty()) addFileShared(function, kernel, scope);
    if (kernel.brace.located) scope.findings.add(std::move(kernel));
  }

  static void addFileShared(const clang::FunctionDecl& function, KernelFound& kernel, const Scope& scope) {
    const FileShared used(function);
    for (const clang::VarDecl* variable : used.variables()) {
      // The CPU backend places variables as they are named, the dynamic part last.
      if (scope.settings.cpu && variable->hasExternalStorage()) continue;
      const Resolved name = scope.ranges.resolveToken(variable->getLocation());
      const std::string path = pathOf(*variable);
      if (name.reason.empty() && !name.macro && !path.empty()) kernel.fileShared.emplace(name.span, path);
    }
  }
};

}  // namespace

std::unique_ptr<Construct> makeKernel() {
  return std::make_unique<Kernel>();
}

}  // namespace cui::constructs
