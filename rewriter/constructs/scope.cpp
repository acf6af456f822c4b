#include "constructs/scope.h"

#include <llvm/Support/raw_ostream.h>

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

namespace cui::constructs {
namespace {

void addArguments(std::string& text, const clang::TemplateParameterList& parameters,
                  const clang::TemplateArgumentList& arguments, const clang::PrintingPolicy& policy) {
  for (unsigned i = 0; i < parameters.size() && i < arguments.size(); ++i) {
    if (!text.empty()) text += ", ";
    llvm::raw_string_ostream out(text);
    out << parameters.getParam(i)->getNameAsString() << '=';
    arguments[i].print(policy, out, false);
  }
}

bool isLoop(const clang::Stmt& stmt) {
  return clang::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(stmt);
}

bool holdsLaunch(const clang::Stmt& stmt) {
  if (clang::isa<clang::CUDAKernelCallExpr>(stmt)) return true;
  if (clang::isa<clang::LambdaExpr>(stmt)) return false;
  for (const clang::Stmt* child : stmt.children())
    if (child && holdsLaunch(*child)) return true;
  return false;
}

}  // namespace

bool launchesKernels(const clang::FunctionDecl& function) {
  const clang::Stmt* body = function.getBody();
  return body && holdsLaunch(*body);
}

std::string qualifiedName(const clang::FunctionDecl& function) {
  const auto* method = clang::dyn_cast<clang::CXXMethodDecl>(&function);
  if (method && method->getParent()->isLambda()) {
    const clang::DeclContext* outer = method->getParent()->getDeclContext();
    while (outer && !clang::isa<clang::FunctionDecl>(outer)) outer = outer->getParent();
    return outer ? qualifiedName(*clang::cast<clang::FunctionDecl>(outer)) + "::lambda" : "lambda";
  }
  std::string name;
  llvm::raw_string_ostream out(name);
  clang::PrintingPolicy policy(function.getASTContext().getPrintingPolicy());
  policy.SuppressTemplateArgsInCXXConstructors = true;
  const clang::FunctionDecl* pattern = function.getTemplateInstantiationPattern();
  if (!pattern) pattern = &function;
  // Not printQualifiedName: Clang 19's prints the last name with a policy of its own.
  pattern->printNestedNameSpecifier(out, policy);
  pattern->printName(out, policy);
  return name;
}

bool Scope::instantiated() const {
  for (const clang::DeclContext* context = function; context; context = context->getParent()) {
    if (const auto* outer = clang::dyn_cast<clang::FunctionDecl>(context);
        outer && outer->isTemplateInstantiation())
      return true;
    if (clang::isa<clang::ClassTemplateSpecializationDecl>(context)) return true;
  }
  return false;
}

const Scope::FunctionText& Scope::text() const {
  const auto [place, fresh] = texts.try_emplace(function);
  if (fresh) place->second = {function ? qualifiedName(*function) : std::string(), spellContext()};
  return place->second;
}

std::string Scope::spellContext() const {
  std::string text;
  if (!function || dependent()) return text;
  for (const clang::DeclContext* context = function; context; context = context->getParent()) {
    if (const auto* record = clang::dyn_cast<clang::ClassTemplateSpecializationDecl>(context)) {
      addArguments(text, *record->getSpecializedTemplate()->getTemplateParameters(),
                   record->getTemplateArgs(), ast.getPrintingPolicy());
    } else if (const auto* outer = clang::dyn_cast<clang::FunctionDecl>(context)) {
      if (outer->getPrimaryTemplate() && outer->getTemplateSpecializationArgs())
        addArguments(text, *outer->getPrimaryTemplate()->getTemplateParameters(),
                     *outer->getTemplateSpecializationArgs(), ast.getPrintingPolicy());
    }
  }
  return text;
}

std::size_t Scope::depthOf(const clang::Stmt& node) const {
  std::size_t at = path.size() - 1;
  while (at > 0 && path[at].stmt != &node) --at;
  return at;
}

std::size_t Scope::depthOfFunction() const {
  std::size_t at = path.size();
  while (at > 0 && path[at - 1].decl != function) --at;
  return at == 0 ? path.size() : at - 1;
}

bool Scope::holdsOnTheWay(std::size_t from, std::size_t at,
                          const std::function<bool(const clang::Stmt&, const clang::Stmt&)>& holds) const {
  for (std::size_t i = from + 1; i < at; ++i) {
    const Node &parent = path[i], &child = path[i + 1];
    if (!parent.stmt) {
      if (!clang::isa_and_nonnull<clang::VarDecl>(parent.decl)) return false;
    } else if (child.stmt ? !holds(*parent.stmt, *child.stmt) : !clang::isa<clang::DeclStmt>(parent.stmt)) {
      return false;
    }
  }
  return true;
}

unsigned Scope::loopDepth() const {
  unsigned depth = 0;
  for (std::size_t i = path.size(); i-- > 0;) {
    if (path[i].decl && clang::isa<clang::FunctionDecl>(path[i].decl)) break;
    if (!path[i].stmt) continue;
    if (clang::isa<clang::LambdaExpr>(path[i].stmt)) break;
    if (!isLoop(*path[i].stmt)) continue;
    const auto* loop = clang::dyn_cast<clang::ForStmt>(path[i].stmt);
    const bool inInit =
        loop && i + 1 < path.size() && path[i + 1].stmt && path[i + 1].stmt == loop->getInit();
    const auto* range = clang::dyn_cast<clang::CXXForRangeStmt>(path[i].stmt);
    const bool inRange = range && i + 1 < path.size() && path[i + 1].stmt != range->getBody();
    if (!inInit && !inRange) ++depth;
  }
  return depth;
}

clang::SourceLocation Scope::body() const {
  return function && function->getBody() ? function->getBody()->getBeginLoc() : clang::SourceLocation();
}

std::string pathOf(const clang::VarDecl& variable) {
  if (!variable.isFileVarDecl()) return "";
  std::string path = "::" + variable.getNameAsString();
  for (const clang::DeclContext* context = variable.getDeclContext(); !context->isTranslationUnit();
       context = context->getParent()) {
    if (clang::isa<clang::LinkageSpecDecl>(context)) continue;
    const auto* space = clang::dyn_cast<clang::NamespaceDecl>(context);
    if (!space) return "";  // a class's: it may be private or a template
    if (!space->isAnonymousNamespace()) path = "::" + space->getNameAsString() + path;
  }
  return path;
}

}  // namespace cui::constructs
