#include "constructs/class_names.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/QualTypeNames.h>

namespace cui::constructs {
namespace {

using clang::DeclContext;

/// Of what is in a function: that something of that name is between it and the code here, or beside it.
bool isHidden(const clang::TagDecl& tag, const DeclContext& function, const Scope& scope) {
  const auto hides = [&](const clang::Decl* other) {
    const auto* named = clang::dyn_cast<clang::NamedDecl>(other);
    return named && named->getDeclName() == tag.getDeclName() &&
           named->getCanonicalDecl() != tag.getCanonicalDecl() &&
           !(clang::isa<clang::CXXRecordDecl>(named) &&
             clang::cast<clang::CXXRecordDecl>(named)->isInjectedClassName());
  };
  for (const DeclContext* around = scope.function; around; around = around->getParent()) {
    if (llvm::any_of(around->decls(), hides)) return true;
    if (around == &function) break;
  }
  return false;
}

bool isNamedHere(clang::QualType type, const Scope& scope);

bool isNamedHere(const clang::TagDecl& tag, const Scope& scope) {
  if (!tag.getIdentifier() && !tag.getTypedefNameForAnonDecl()) return false;
  const DeclContext* context = tag.getDeclContext();
  if (const auto* outer = clang::dyn_cast<clang::TagDecl>(context)) {
    const bool open = tag.getAccess() == clang::AS_public || tag.getAccess() == clang::AS_none;
    if (!isNamedHere(*outer, scope) || !(open || context->Encloses(scope.function))) return false;
  } else if (context->isFunctionOrMethod() &&
             (!context->Encloses(scope.function) || isHidden(tag, *context, scope))) {
    return false;
  }
  const auto* made = clang::dyn_cast<clang::ClassTemplateSpecializationDecl>(&tag);
  return !made || llvm::all_of(made->getTemplateArgs().asArray(), [&](const clang::TemplateArgument& one) {
    return one.getKind() != clang::TemplateArgument::Type || isNamedHere(one.getAsType(), scope);
  });
}

bool isNamedHere(clang::QualType type, const Scope& scope) {
  while (!type->getPointeeType().isNull()) type = type->getPointeeType();
  const clang::TagDecl* tag = type->getBaseElementTypeUnsafe()->getAsTagDecl();
  return !tag || isNamedHere(*tag, scope);
}

/// Whether looking for the name from here finds anything, the arguments of templates included.
bool isFound(llvm::StringRef name, const Scope& scope) {
  const auto isParameter = [&](const clang::TemplateParameterList* parameters) {
    return parameters && llvm::any_of(*parameters, [&](const clang::NamedDecl* parameter) {
             return parameter->getName() == name;
           });
  };
  for (const DeclContext* around = scope.function; around; around = around->getParent()) {
    if (const auto* function = clang::dyn_cast<clang::FunctionDecl>(around)) {
      if (function->getPrimaryTemplate() &&
          isParameter(function->getPrimaryTemplate()->getTemplateParameters()))
        return true;
    } else if (!around->lookup(&scope.ast.Idents.get(name)).empty()) {
      return true;
    } else if (const auto* made = clang::dyn_cast<clang::ClassTemplateSpecializationDecl>(around)) {
      if (isParameter(made->getSpecializedTemplate()->getTemplateParameters())) return true;
    }
  }
  return false;
}

}  // namespace

std::string nameHere(clang::QualType type, const Scope& scope) {
  return type->getAsTagDecl() ? typeHere(type, scope) : "";
}

std::string typeHere(clang::QualType type, const Scope& scope) {
  if (type->isDependentType() || type->isVoidType() || !isNamedHere(type, scope)) return "";
  clang::PrintingPolicy policy = scope.ast.getPrintingPolicy();
  policy.SuppressUnwrittenScope = true;
  return clang::TypeName::getFullyQualifiedName(type, scope.ast, policy, true);
}

std::string classInFront(const clang::MemberExpr& member, const Scope& scope) {
  if (!member.hasQualifier()) return "";
  const std::string text = scope.ranges.line(member.getQualifierLoc().getSourceRange());
  llvm::StringRef name = llvm::StringRef(text).rtrim();
  if (!name.consume_back("::")) return "";
  name = name.rtrim();
  // In a member's own body it is looked for in the class, too.
  const bool ofThis = clang::isa<clang::CXXThisExpr>(member.getBase()->IgnoreParenImpCasts());
  const llvm::StringRef first =
      name.take_while([](char c) { return c == '_' || c == '$' || llvm::isAlnum(c); });
  if (!ofThis && !first.empty() && !isFound(first, scope)) return "";
  return (name.contains("::") ? "typename " : "") + name.str();
}

}  // namespace cui::constructs
