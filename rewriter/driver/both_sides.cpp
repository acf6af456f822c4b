#include "driver/both_sides.h"

#include "constructs/of_library.h"
#include "constructs/visitor.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaCUDA.h>

#include <utility>

namespace cui::driver {
namespace {

/// Clang overloads functions by their sides.
class Pairs {
 public:
  Pairs(const clang::ASTContext& ast, NamePlaces& found)
      : manager_(ast.getSourceManager()), language_(ast.getLangOpts()), found_(found) {}

  bool added = false;

  /// Members cannot be declared twice: theirs are errors.
  void search(const clang::DeclContext& context) {
    for (const clang::Decl* decl : context.decls()) {
      if (constructs::isOfLibrary(*decl, manager_)) continue;
      if (const auto* inner = clang::dyn_cast<clang::DeclContext>(decl);
          inner && clang::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::ExportDecl>(decl))
        search(*inner);
      if (const auto* function = clang::dyn_cast<clang::FunctionDecl>(decl)) compare(*function);
    }
  }

  bool isOfToolkit(clang::SourceLocation name) const {
    return name.isValid() && manager_.isInSystemHeader(manager_.getExpansionLoc(name));
  }

  void add(clang::SourceLocation name) {
    if (name.isValid() && !isOfToolkit(name)) added |= addName(manager_, language_, name, found_);
  }

  /// In a header of the toolkit's, which can be declared for both sides where the host has none of that name.
  void addOfToolkit(const clang::FunctionDecl& function) {
    const clang::DeclContext* context = function.getDeclContext()->getRedeclContext();
    for (const clang::NamedDecl* named : context->lookup(function.getDeclName())) {
      const auto* other = clang::dyn_cast<clang::FunctionDecl>(named);
      if (!other || !isDevice(*other)) return;
    }
    added |= addName(manager_, language_, function.getLocation(), found_);
  }

  void addAll(const clang::FunctionDecl& function) {
    for (const clang::FunctionDecl* declaration : function.redecls()) add(declaration->getLocation());
  }

  const clang::SourceManager& manager() const { return manager_; }

  static bool isDevice(const clang::FunctionDecl& function) {
    return function.hasAttr<clang::CUDADeviceAttr>() && !function.hasAttr<clang::CUDAHostAttr>();
  }

 private:
  static bool isHost(const clang::FunctionDecl& function) {
    return !function.hasAttr<clang::CUDADeviceAttr>() && !function.hasAttr<clang::CUDAGlobalAttr>();
  }

  void compare(const clang::FunctionDecl& function) {
    if (!isHost(function) || function.isConstexpr()) return;
    const clang::DeclContext* context = function.getDeclContext()->getRedeclContext();
    for (const clang::NamedDecl* named : context->lookup(function.getDeclName())) {
      const auto* other = clang::dyn_cast<clang::FunctionDecl>(named);
      if (!other || !isDevice(*other) || (other->isDefined() && function.isDefined()) ||
          !function.getASTContext().hasSameType(other->getType(), function.getType()) ||
          constructs::isOfLibrary(*other, manager_))
        continue;
      addAll(function);
      addAll(*other);
    }
  }

  const clang::SourceManager& manager_;
  const clang::LangOptions& language_;
  NamePlaces& found_;
};

/// The innermost functions around calls, whose declarations go to `found`. They have bodies that are
/// understood but for such calls.
class Callers : public constructs::Visitor {
 public:
  Callers(const std::set<clang::SourceLocation>& calls, Pairs& found) : found_(found) {
    const auto& manager = found.manager();
    for (const clang::SourceLocation call : calls) calls_.insert(manager.getExpansionLoc(call));
  }

 private:
  bool onFunction(clang::FunctionDecl& function) override {
    if (!function.doesThisDeclarationHaveABody() || !Pairs::isDevice(function)) return true;
    const clang::SourceManager& manager = found_.manager();
    const clang::SourceRange range = manager.getExpansionRange(function.getSourceRange()).getAsRange();
    const auto [file, begin] = manager.getDecomposedLoc(range.getBegin());
    const unsigned end = manager.getFileOffset(range.getEnd());
    for (const clang::SourceLocation call : calls_) {
      const auto [place, offset] = manager.getDecomposedLoc(call);
      if (place != file || offset < begin || offset > end) continue;
      found_.addAll(function);
      break;
    }
    return true;
  }

  std::set<clang::SourceLocation> calls_;
  Pairs& found_;
};

/// Adds all declarations of functions of which one is there, of the toolkit's that one.
class Redeclarations : public constructs::Visitor {
 public:
  Redeclarations(NamePlaces places, NamePlaces toolkit, Pairs& found)
      : places_(std::move(places)), toolkit_(std::move(toolkit)), found_(found) {}

 private:
  bool onFunction(clang::FunctionDecl& function) override {
    const clang::ASTContext& ast = function.getASTContext();
    if (isAmong(ast.getSourceManager(), ast.getLangOpts(), function.getLocation(), places_))
      found_.addAll(function);
    if (isAmong(ast.getSourceManager(), ast.getLangOpts(), function.getLocation(), toolkit_))
      found_.addOfToolkit(function);
    return true;
  }

  NamePlaces places_, toolkit_;  ///< of what the errors name
  Pairs& found_;
};

/// What was implied is as if it were written.
void write(clang::FunctionDecl& function) {
  if (auto* device = function.getAttr<clang::CUDADeviceAttr>()) device->setImplicit(false);
  if (auto* host = function.getAttr<clang::CUDAHostAttr>()) host->setImplicit(false);
}

class Marker : public constructs::Visitor {
 public:
  Marker(const clang::ASTContext& ast, const NamePlaces& functions) : ast_(ast), functions_(functions) {}

 private:
  bool seesInstantiations() const override { return true; }
  bool onFunction(clang::FunctionDecl& function) override {
    if (!isAmong(ast_.getSourceManager(), ast_.getLangOpts(), function.getLocation(), functions_))
      return true;
    write(function);
    return true;
  }

  const clang::ASTContext& ast_;
  const NamePlaces& functions_;
};

}  // namespace

bool addBothSides(clang::ASTContext& ast, const RejectedDeclarations& rejected, NamePlaces& functions) {
  Pairs pairs(ast, functions);
  NamePlaces toolkit;
  for (const clang::SourceLocation name : rejected.functions) {
    pairs.add(name);
    if (pairs.isOfToolkit(name)) addName(ast.getSourceManager(), ast.getLangOpts(), name, toolkit);
  }
  if (!rejected.functions.empty()) {
    // The toolkit's, too, if it is among them.
    if (!toolkit.empty()) ast.setTraversalScope({ast.getTranslationUnitDecl()});
    Redeclarations(functions, toolkit, pairs).traverse(*ast.getTranslationUnitDecl());
  }
  if (!rejected.calls.empty()) Callers(rejected.calls, pairs).traverse(*ast.getTranslationUnitDecl());
  pairs.search(*ast.getTranslationUnitDecl());
  return pairs.added;
}

/// Those of a template as if the source said so: its specialisations must have what is written there.
void BothSidesWatcher::writeSides() const {
  const clang::DeclContext* context = compiler_.getSema().CurContext;
  while (context && context->isFunctionOrMethod()) context = context->getParent();
  if (!context || !name_) return;
  for (clang::NamedDecl* named : context->lookup(name_))
    if (auto* made = clang::dyn_cast<clang::FunctionTemplateDecl>(named);
        made && made->getLocation() == place_)
      write(*made->getTemplatedDecl());
}

void BothSidesWatcher::operator()(const clang::Token& token) {
  if (functions_.empty()) return;
  if (std::exchange(ended_, false)) {
    compiler_.getSema().CUDA().PopForceHostDevice();
    writeSides();
    inside_ = false;
  }
  if (token.isAnnotation()) return;
  if (inside_) {
    if (token.is(clang::tok::l_paren)) ++depth_;
    if (token.is(clang::tok::r_paren)) --depth_;
    ended_ = depth_ <= 0 && token.isOneOf(clang::tok::l_brace, clang::tok::semi);
  } else if (isAmong(compiler_.getSourceManager(), compiler_.getLangOpts(), token.getLocation(),
                     functions_)) {
    compiler_.getSema().CUDA().PushForceHostDevice();
    inside_ = true;
    depth_ = 0;
    name_ = token.getIdentifierInfo();
    place_ = token.getLocation();
  }
}

void markBothSides(clang::ASTContext& ast, const NamePlaces& functions) {
  if (!functions.empty()) Marker(ast, functions).traverse(*ast.getTranslationUnitDecl());
}

}  // namespace cui::driver
