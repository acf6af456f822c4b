// Declarations of memory: __shared__ (static and extern), __device__, __constant__, __managed__.
#include <clang/AST/DeclTemplate.h>

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>

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
        respell(
            scope.ranges.resolveCall(clang::SourceRange(place)),
            isAlignedAsType(place, variable, scope) ? edit::Form::CUI_ALIGNED_LIKE : edit::Form::CUI_ALIGNED,
            scope);
  }
  /// Whether a word that Clang has dropped has a type behind it, `alignas(float4)`, not a number: by its
  /// first name, and where that is declared. What is named behind a `::` is taken for a number.
  static bool isAlignedAsType(clang::SourceLocation place, const clang::VarDecl& variable,
                              const Scope& scope) {
    const clang::SourceManager& manager = scope.ranges.manager();
    const clang::LangOptions& language = scope.ranges.language();
    const auto behind = [&](clang::SourceLocation token) {
      return clang::Lexer::findNextToken(token, manager, language);
    };
    const auto open = behind(manager.getSpellingLoc(place));
    const auto first = open ? behind(open->getLocation()) : open;
    if (!first || first->isNot(clang::tok::raw_identifier)) return false;
    unsigned depth = 1;
    for (auto token = first; depth != 0; token = behind(token->getLocation())) {
      if (!token || token->isOneOf(clang::tok::coloncolon, clang::tok::eof)) return false;
      if (token->is(clang::tok::l_paren)) ++depth;
      if (token->is(clang::tok::r_paren)) --depth;
    }
    const clang::IdentifierInfo& name = scope.ast.Idents.get(first->getRawIdentifier());
    if (name.isKeyword(language))
      return name.getTokenID() != clang::tok::kw_sizeof && name.getTokenID() != clang::tok::kw_alignof;
    for (const clang::DeclContext* in = variable.getDeclContext(); in; in = in->getParent())
      if (isTypeIn(*in, name)) return true;
    return false;
  }
  static bool isTypeIn(const clang::DeclContext& context, const clang::IdentifierInfo& name) {
    const clang::TemplateParameterList* parameters = nullptr;
    if (const auto* function = clang::dyn_cast<clang::FunctionDecl>(&context)) {
      if (const clang::FunctionTemplateDecl* made = function->getDescribedFunctionTemplate())
        parameters = made->getTemplateParameters();
      else if (const clang::FunctionTemplateDecl* of = function->getPrimaryTemplate())
        parameters = of->getTemplateParameters();
    } else if (const auto* record = clang::dyn_cast<clang::CXXRecordDecl>(&context)) {
      const auto* instance = clang::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
      if (const clang::ClassTemplateDecl* made =
              instance ? instance->getSpecializedTemplate() : record->getDescribedClassTemplate())
        parameters = made->getTemplateParameters();
    }
    const auto isType = [&](const clang::NamedDecl* declared) {
      return declared->getIdentifier() == &name &&
             clang::isa<clang::TypeDecl, clang::ClassTemplateDecl>(declared);
    };
    if (parameters && std::any_of(parameters->begin(), parameters->end(), isType)) return true;
    const auto found = context.lookup(&name);
    return std::any_of(found.begin(), found.end(), isType);
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
