#include "constructs/library_copies.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>

#include "constructs/of_library.h"
#include "constructs/visitor.h"

namespace cui::constructs {
namespace {

using clang::dyn_cast;

bool hasKernels(const clang::Decl& declaration) {
  const auto* space = dyn_cast<clang::NamespaceDecl>(&declaration);
  return space && (space->getName() == "thrust" || space->getName() == "cub");
}

class Calls : public Visitor {
 public:
  explicit Calls(const clang::ASTContext& ast) : manager_(ast.getSourceManager()) {}

  std::set<const clang::CXXRecordDecl*> classes;

  bool seesInstantiations() const override { return true; }
  bool seesTypes() const override { return false; }
  bool onDeclaration(clang::Decl& declaration) override {
    return isOfLibrary(declaration, manager_) || inside(declaration);
  }
  bool onStatement(clang::Stmt& stmt) override {
    if (const auto* name = dyn_cast<clang::DeclRefExpr>(&stmt))
      addNamed(*name->getDecl());
    else if (const auto* member = dyn_cast<clang::MemberExpr>(&stmt))
      addNamed(*member->getMemberDecl());
    return true;
  }

 private:
  void addNamed(const clang::ValueDecl& named) {
    const auto* function = dyn_cast<clang::FunctionDecl>(&named);
    if (!function || !seen_.insert(function).second || !isOfLibrary(*function, manager_)) return;
    bool kernels = false;
    for (const clang::DeclContext* context = function->getDeclContext(); context;
         context = context->getParent())
      kernels |= hasKernels(*clang::cast<clang::Decl>(context));
    if (!kernels) return;
    if (const auto* arguments = function->getTemplateSpecializationArgs()) add(arguments->asArray());
    if (const auto* made = dyn_cast<clang::ClassTemplateSpecializationDecl>(function->getDeclContext()))
      add(made->getTemplateArgs().asArray());
  }

  void add(llvm::ArrayRef<clang::TemplateArgument> arguments) {
    for (const clang::TemplateArgument& argument : arguments) {
      if (argument.getKind() == clang::TemplateArgument::Pack) add(argument.pack_elements());
      if (argument.getKind() == clang::TemplateArgument::Type) add(argument.getAsType());
    }
  }

  void add(clang::QualType type) {
    while (!type->getPointeeType().isNull()) type = type->getPointeeType();
    const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
    if (!record || !seen_.insert(record).second) return;
    if (const auto* made = dyn_cast<clang::ClassTemplateSpecializationDecl>(record))
      add(made->getTemplateArgs().asArray());
    if (record->hasDefinition() && !isOfLibrary(*record, manager_)) classes.insert(record->getDefinition());
  }

  const clang::SourceManager& manager_;
  std::set<const clang::Decl*> seen_;
};

}  // namespace

std::set<const clang::CXXRecordDecl*> classesInLibraryKernels(clang::ASTContext& ast) {
  Calls calls(ast);
  calls.traverse(*ast.getTranslationUnitDecl());
  return calls.classes;
}

std::set<const clang::CXXMethodDecl*> copyingMembers(const clang::CXXRecordDecl& record) {
  std::set<const clang::CXXMethodDecl*> found;
  for (const clang::CXXMethodDecl* method : record.methods()) {
    const auto* constructor = dyn_cast<clang::CXXConstructorDecl>(method);
    const bool copies = constructor
                            ? constructor->isCopyOrMoveConstructor()
                            : method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator();
    if (copies && method->isUserProvided() && method->hasAttr<clang::CUDADeviceAttr>()) found.insert(method);
  }
  return found;
}

}  // namespace cui::constructs
