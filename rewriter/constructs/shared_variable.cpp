// Declarations of memory: __shared__ (static and extern), __device__, __constant__, __managed__.
#include <clang/AST/DeclTemplate.h>

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/Lex/Lexer.h>

#include "constructs/access.h"
#include "constructs/catalogue.h"
#include "constructs/storage.h"
#include "sites/table.h"

namespace cui::constructs {
namespace {

/// How the epilogue can name a variable at file scope; "" if it cannot.
std::string globalName(const clang::VarDecl& variable) {
  if (variable.isConstexpr() || variable.getType()->isDependentType() ||
      variable.isThisDeclarationADefinition() != clang::VarDecl::Definition ||
      variable.getDescribedVarTemplate() || variable.getType()->isIncompleteType() ||
      clang::isa<clang::VarTemplateSpecializationDecl>(variable))
    return "";
  return pathOf(variable);
}

/// The namespaces that a dynamic array of a function's is mangled with, where one of them has a name.
std::string mangledSpaces(const clang::VarDecl& variable) {
  std::string spaces;
  bool named = false;
  for (const clang::DeclContext* context = variable.getDeclContext(); context;
       context = context->getParent()) {
    const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context);
    if (!space) continue;
    if (space->isStdNamespace()) return "";  // it has letters of its own
    named |= !space->isAnonymousNamespace();
    const std::string name = space->isAnonymousNamespace() ? "_GLOBAL__N_1" : space->getNameAsString();
    spaces.insert(0, std::to_string(name.size()) + name);
  }
  return named ? spaces : "";
}

class SharedVariable : public Construct {
  void onVariable(const clang::VarDecl& variable, Scope& scope) const override {
    const auto* device = variable.getAttr<clang::CUDADeviceAttr>();
    const auto* constant = variable.getAttr<clang::CUDAConstantAttr>();
    const bool shared = isShared(variable);
    if (!shared && !(device && !device->isImplicit()) && !(constant && !constant->isImplicit())) return;
    if (!variable.getIdentifier()) return;  // an anonymous union: nvcc ignores the attribute

    VariableFound found;
    found.name = scope.ranges.resolveToken(variable.getLocation());
    found.declarator = scope.ranges.resolveToken(variable.getEndLoc());
    found.semicolon.reason = "file scope";
    if (const clang::Stmt* statement = scope.parent().stmt)
      found.semicolon = scope.ranges.resolveToken(statement->getEndLoc());
    found.spelled = found.semicolon.reason.empty()
                        ? scope.ranges.resolveBeside(variable.getLocation(), found.semicolon)
                        : found.name;
    if (!found.name.located) return;

    sites::Variable& row = found.variable;
    const clang::PrintingPolicy& policy = scope.ast.getPrintingPolicy();
    clang::QualType element = scope.ast.getBaseElementType(variable.getType());
    row.name = variable.getNameAsString();
    row.function = scope.functionName();
    row.type = variable.getType().getAsString(policy);
    row.elementType = element.getUnqualifiedType().getAsString(policy);
    row.elementBytes = static_cast<std::uint32_t>(sizeOf(element, scope.ast));
    row.bytes = sizeOf(variable.getType(), scope.ast);
    row.dynamic = shared && variable.hasExternalStorage();
    row.space = shared                                ? sites::Space::shared
                : constant && !constant->isImplicit() ? sites::Space::constant
                                                      : sites::Space::global;
    if (!shared) row.global = globalName(variable);
    if (row.dynamic) row.bytes = 0;
    // A macro's text may stand in several namespaces.
    if (row.dynamic && scope.settings.cpu && found.name.outermostMacro.empty())
      found.spaces = mangledSpaces(variable);
    scope.findings.add(std::move(found));
    if (shared && scope.settings.cpu) respellAlignments(variable, scope);
  }

  /// GCC accepts `alignas` only in front of what `__shared__` stands for. Clang knows of it, in a macro's
  /// text too; where the variable is extern, and in an old Clang everywhere, from its complaint only.
  static void respellAlignments(const clang::VarDecl& variable, Scope& scope) {
    for (const auto* alignment : variable.specific_attrs<clang::AlignedAttr>())
      if (alignment->isAlignas())
        respell(scope.ranges.resolveCall(clang::SourceRange(alignment->getLocation())),
                alignment->isAlignmentExpr() ? edit::Form::CUI_ALIGNED : edit::Form::CUI_ALIGNED_LIKE, scope);
    const clang::SourceManager& manager = scope.ranges.manager();
    const clang::Stmt* const statement = scope.parent().stmt;
    const clang::SourceLocation begin = statement ? statement->getBeginLoc() : variable.getBeginLoc();
    for (const clang::SourceLocation place : scope.ranges.preprocessing().droppedAttributes)
      if (manager.isBeforeInTranslationUnit(begin, place) &&
          manager.isBeforeInTranslationUnit(place, variable.getLocation()) &&
          spelled(place, scope) == "alignas")
        respell(scope.ranges.resolveCall(clang::SourceRange(place)), edit::Form::CUI_ALIGNED, scope);
  }
  static llvm::StringRef spelled(clang::SourceLocation token, const Scope& scope) {
    const clang::SourceLocation place = scope.ranges.manager().getSpellingLoc(token);
    return clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(place, place),
                                       scope.ranges.manager(), scope.ranges.language());
  }
  static void respell(const Resolved& word, edit::Form form, Scope& scope) {
    if (!word.located) return;
    RespellingFound found;
    found.whole = word;
    found.function = scope.functionName();
    found.written = "alignas";
    if (word.reason.empty()) found.wraps.emplace_back(form, word.span);
    scope.findings.add(std::move(found));
  }
};

}  // namespace

std::unique_ptr<Construct> makeSharedVariable() {
  return std::make_unique<SharedVariable>();
}

}  // namespace cui::constructs
