#include "driver/shared_objects.h"

#include <clang/AST/Attr.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <string_view>

#include "constructs/storage.h"

namespace cui::driver {
namespace {

constexpr std::string_view word = "__shared__";
constexpr std::string_view otherWord = "CUI_OBJECT";
static_assert(word.size() == otherWord.size(), "all else keeps its place");

/// Looks at templates' patterns only: of an instantiation with such an object, Clang keeps no body.
class Rejected : public clang::RecursiveASTVisitor<Rejected> {
  using Base = clang::RecursiveASTVisitor<Rejected>;

 public:
  Rejected(const clang::ASTContext& ast, const std::set<clang::SourceLocation>& places, SharedWords& words)
      : ast_(ast), manager_(ast.getSourceManager()), places_(places), words_(words) {}

  bool added = false;

  bool TraverseDecl(clang::Decl* decl) {
    if (!decl) return true;
    const clang::SourceLocation place = decl->getLocation();
    if (place.isValid() && manager_.isInSystemHeader(manager_.getExpansionLoc(place))) return true;
    return Base::TraverseDecl(decl);
  }

  // NOLINTNEXTLINE(readability-identifier-naming): Clang's name
  bool VisitVarDecl(clang::VarDecl* variable) {
    if (const auto* shared = variable->getAttr<clang::CUDASharedAttr>();
        shared && places_.count(variable->getLocation()) > 0)
      addWord(shared->getLocation());
    return true;
  }

 private:
  /// `attribute` is in the expansion of the toolkit's `__shared__`, which may itself be in that of a user's
  /// macro.
  void addWord(clang::SourceLocation attribute) {
    for (; attribute.isMacroID(); attribute = manager_.getImmediateMacroCallerLoc(attribute)) {
      const llvm::StringRef macro =
          clang::Lexer::getImmediateMacroName(attribute, manager_, ast_.getLangOpts());
      if (macro != llvm::StringRef(word.data(), word.size())) continue;
      const clang::SourceLocation place =
          manager_.getSpellingLoc(manager_.getImmediateExpansionRange(attribute).getBegin());
      if (const auto file = manager_.getFileEntryRefForID(manager_.getFileID(place)))
        added |= words_[file->getUniqueID()].insert(manager_.getFileOffset(place)).second;
      return;
    }
  }

  const clang::ASTContext& ast_;
  const clang::SourceManager& manager_;
  const std::set<clang::SourceLocation>& places_;
  SharedWords& words_;
};

}  // namespace

bool addSharedWords(clang::ASTContext& ast, const std::set<clang::SourceLocation>& places,
                    SharedWords& words) {
  if (places.empty()) return false;
  Rejected rejected(ast, places, words);
  rejected.TraverseDecl(ast.getTranslationUnitDecl());
  return rejected.added;
}

void renameSharedWords(std::string& text, const std::set<unsigned>& offsets) {
  for (const unsigned offset : offsets)
    if (text.compare(offset, word.size(), word) == 0) text.replace(offset, word.size(), otherWord);
}

// A variable of the device's memory may have a constructor, if Clang is told so (GPUAllowDeviceInit).
const char* const sharedObjectHeader =
    "#pragma once\n"
    "#pragma clang system_header\n"
    "#define CUI_OBJECT static __attribute__((device)) __attribute__((annotate(\"cui.shared\")))\n";

}  // namespace cui::driver
