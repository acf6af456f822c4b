#include "driver/launch_names.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Lex/Lexer.h>
#include <clang/Sema/ExternalSemaSource.h>
#include <clang/Sema/Lookup.h>

#include "constructs/clang_version.h"
#include "driver/tokens.h"

namespace cui::driver {
namespace {

class TemplatesElsewhere : public clang::ExternalSemaSource {
 public:
  TemplatesElsewhere(const clang::Sema& sema, const LaunchNames& names) : sema_(sema), names_(names) {}

  /// Asked when nothing else has found the name.
  bool LookupUnqualified(clang::LookupResult& found, clang::Scope*) override {
    if (names_.templates.empty() || found.getLookupKind() != clang::Sema::LookupOrdinaryName ||
        !names_.templates.has(sema_.getSourceManager(), found.getNameLoc()))
      return false;
    search(*sema_.getASTContext().getTranslationUnitDecl(), found);
    found.resolveKind();
    return !found.empty();
  }

 private:
  static void search(const clang::DeclContext& context, clang::LookupResult& found) {
    for (clang::NamedDecl* named : context.lookup(found.getLookupName()))
      if (const auto* pattern = clang::dyn_cast<clang::FunctionTemplateDecl>(named);
          pattern && pattern->getTemplatedDecl()->hasAttr<clang::CUDAGlobalAttr>())
        found.addDecl(named);
    for (const clang::Decl* decl : context.decls())
      if (const auto* space = clang::dyn_cast<clang::NamespaceDecl>(decl);
          space && space->isFirstDecl() && !space->isInline())
        search(*space, found);
  }

  const clang::Sema& sema_;
  const LaunchNames& names_;
};

}  // namespace

bool addLaunchNames(const clang::CompilerInstance& compiler, const std::set<clang::SourceLocation>& unknown,
                    const std::set<clang::SourceLocation>& withoutCandidates, LaunchNames& names) {
  const clang::SourceManager& manager = compiler.getSourceManager();
  bool added = false;
  for (const auto* places : {&unknown, &withoutCandidates})
    for (const clang::SourceLocation place : *places)
      if (names.met.count(place) > 0) added |= names.unknown.add(manager, place);
  for (const clang::SourceLocation place : unknown) {
    const clang::SourceLocation written = manager.getSpellingLoc(place);
    clang::Token name, sign;
    if (!clang::Lexer::getRawToken(written, name, manager, compiler.getLangOpts()) &&
        name.is(clang::tok::raw_identifier) &&
        !clang::Lexer::getRawToken(name.getEndLoc(), sign, manager, compiler.getLangOpts(), true) &&
        sign.is(clang::tok::less))
      added |= names.templates.add(manager, place);
  }
  return added;
}

void LaunchNameWatcher::operator()(const clang::Token& token) {
  if (token.is(clang::tok::lesslessless) && name_.isValid()) names_.met.insert(name_);
  name_ = token.is(clang::tok::identifier) ? token.getLocation() : clang::SourceLocation();
  if (name_.isInvalid() || names_.unknown.empty() || !names_.unknown.has(compiler_.getSourceManager(), name_))
    return;
  readInstead(compiler_.getPreprocessor(), token, annotated(token));
}

clang::Token LaunchNameWatcher::annotated(const clang::Token& name) const {
  clang::Sema& sema = compiler_.getSema();
  clang::LookupResult found(sema, name.getIdentifierInfo(), name.getLocation(),
                            clang::Sema::LookupOrdinaryName);
  found.suppressDiagnostics();
  if (clang::Scope* scope = sema.getCurScope()) sema.LookupName(found, scope);
  clang::Token result;
  result.startToken();
  result.setLocation(name.getLocation());
  result.setKind(found.empty() ? clang::tok::annot_non_type_undeclared : clang::tok::annot_overload_set);
  result.setAnnotationEndLoc(name.getLocation());
  if (found.empty()) {
    result.setAnnotationValue(name.getIdentifierInfo());
  } else {
    result.setAnnotationValue(
        sema.BuildDeclarationNameExpr(clang::CXXScopeSpec(), found, true).getAsOpaquePointer());
  }
  return result;
}

void findTemplatesElsewhere(clang::Sema& sema, const LaunchNames& names) {
  compat::addSource(sema, llvm::makeIntrusiveRefCnt<TemplatesElsewhere>(sema, names));
}

}  // namespace cui::driver
