#include "driver/other_words.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "constructs/storage.h"
#include "constructs/visitor.h"

namespace cui::driver {
namespace {

struct Word {
  std::string_view name, other;
};
constexpr Word sharedWord{"__shared__", "CUI_OBJECT"};
constexpr Word deviceWord{"__device__", "CUI_EITHER"};
constexpr Word constexprWord{"constexpr", "CUI_CEXPR"};
constexpr Word inlineWord{"inline", "CUI_IN"};
constexpr Word templateWord{"template", "CUI_INST"};
constexpr Word castWord{"static_cast", "CUI_ST_CAST"};
constexpr Word staticWord{"static", "CUI_ST"};  // behind those that begin with it
constexpr Word textWord{"\"C\"", "\"X\""};
constexpr Word attributeWord{"__attribute__", "CUI_ATTRIBUTE"};
constexpr Word opening{"(", "{"}, closing{")", "}"};
constexpr std::array wordsOfOurs{sharedWord, deviceWord, constexprWord, inlineWord, templateWord, castWord,
                                 staticWord, textWord,   attributeWord, opening,    closing};
static_assert(std::all_of(wordsOfOurs.begin(), wordsOfOurs.end(),
                          [](const Word& w) { return w.name.size() == w.other.size(); }),
              "all else keeps its place");

/// Looks at templates' patterns only: of an instantiation with such an object, Clang keeps no body.
class Rejected : public constructs::Visitor {
 public:
  Rejected(const clang::ASTContext& ast, const RejectedDeclarations& rejected, OtherWords& found)
      : ast_(ast), manager_(ast.getSourceManager()), rejected_(rejected), found_(found) {}

  bool added = false;

  bool onDeclaration(clang::Decl& declaration) override {
    const clang::SourceLocation place = declaration.getLocation();
    if (place.isValid() && manager_.isInSystemHeader(manager_.getExpansionLoc(place))) return true;
    return inside(declaration);
  }

  bool onVariable(clang::VarDecl& variable) override {
    if (const auto* shared = variable.getAttr<clang::CUDASharedAttr>();
        shared && rejected_.objects.count(variable.getLocation()) > 0)
      add(sharedWord, shared->getLocation());
    return true;
  }

  bool onFunction(clang::FunctionDecl& function) override {
    if (const auto* device = function.getAttr<clang::CUDADeviceAttr>();
        device && !function.hasAttr<clang::CUDAHostAttr>() &&
        rejected_.functions.count(function.getLocation()) > 0)
      add(deviceWord, device->getLocation());
    if (rejected_.functions.count(function.getLocation()) > 0 && specialisesBothSides(function))
      addSpecifier(function);
    return true;
  }

 private:
  /// It says nothing of sides, and a template of its name is for both.
  static bool specialisesBothSides(const clang::FunctionDecl& function) {
    if (function.hasAttr<clang::CUDAHostAttr>()) return false;
    const auto* device = function.getAttr<clang::CUDADeviceAttr>();
    if (device && !device->isImplicit()) return false;
    const auto found = function.getDeclContext()->getRedeclContext()->lookup(function.getDeclName());
    return std::any_of(found.begin(), found.end(), [](const clang::NamedDecl* named) {
      const auto* pattern = clang::dyn_cast<clang::FunctionTemplateDecl>(named);
      return pattern && pattern->getTemplatedDecl()->hasAttr<clang::CUDAHostAttr>() &&
             pattern->getTemplatedDecl()->hasAttr<clang::CUDADeviceAttr>();
    });
  }

  /// The first `constexpr` or `inline` in front of the function's name, in the file or macro that holds both.
  void addSpecifier(const clang::FunctionDecl& function) {
    const clang::SourceLocation name = manager_.getSpellingLoc(function.getLocation());
    clang::SourceLocation place = manager_.getSpellingLoc(function.getBeginLoc());
    if (manager_.getFileID(place) != manager_.getFileID(name)) return;
    clang::Token token;
    while (place < name && !clang::Lexer::getRawToken(place, token, manager_, ast_.getLangOpts(), true)) {
      for (const Word& word : {constexprWord, inlineWord})
        if (token.is(clang::tok::raw_identifier) &&
            token.getRawIdentifier() == llvm::StringRef(word.name.data(), word.name.size())) {
          added |= addPlace(manager_, token.getLocation(), found_);
          return;
        }
      place = token.getEndLoc();
    }
  }

  /// `attribute` is in the expansion of the toolkit's macro of that name, which may itself be in that of a
  /// user's.
  void add(const Word& word, clang::SourceLocation attribute) {
    for (; attribute.isMacroID(); attribute = manager_.getImmediateMacroCallerLoc(attribute)) {
      const llvm::StringRef macro =
          clang::Lexer::getImmediateMacroName(attribute, manager_, ast_.getLangOpts());
      if (macro != llvm::StringRef(word.name.data(), word.name.size())) continue;
      const clang::SourceLocation place =
          manager_.getSpellingLoc(manager_.getImmediateExpansionRange(attribute).getBegin());
      added |= addPlace(manager_, place, found_);
      return;
    }
  }

  const clang::ASTContext& ast_;
  const clang::SourceManager& manager_;
  const RejectedDeclarations& rejected_;
  OtherWords& found_;
};

/// The last such word in front of the name, in the text that holds both: of the declaration that is the
/// name's.
clang::SourceLocation wordInFront(const Word& word, clang::SourceLocation name,
                                  const clang::SourceManager& manager) {
  const clang::SourceLocation written = manager.getSpellingLoc(name);
  const auto [file, offset] = manager.getDecomposedLoc(written);
  const llvm::StringRef text = manager.getBufferData(file).take_front(offset);
  const std::size_t begin = text.rfind(llvm::StringRef(word.name.data(), word.name.size()));
  if (begin == text.npos || text.find_first_of(";{}", begin) != text.npos) return {};
  return written.getLocWithOffset(static_cast<int>(begin) - static_cast<int>(offset));
}

/// The parentheses around a list in them, of which `first` is the first element; false if there are none, or
/// they are known.
bool addParentheses(clang::SourceLocation first, const clang::ASTContext& ast, OtherWords& words) {
  const clang::SourceManager& manager = ast.getSourceManager();
  if (first.isMacroID()) return false;
  const auto [file, offset] = manager.getDecomposedLoc(first);
  const llvm::StringRef inFront = manager.getBufferData(file).take_front(offset).rtrim();
  if (!inFront.ends_with("(")) return false;
  const clang::SourceLocation begin = manager.getComposedLoc(file, static_cast<unsigned>(inFront.size()) - 1);
  clang::Token token;
  int open = 0;
  for (clang::SourceLocation place = begin;
       !clang::Lexer::getRawToken(place, token, manager, ast.getLangOpts(), true) &&
       token.isNot(clang::tok::eof);
       place = token.getEndLoc()) {
    if (token.is(clang::tok::l_paren)) ++open;
    if (token.is(clang::tok::r_paren) && --open == 0)
      return addPlace(manager, begin, words) && addPlace(manager, token.getLocation(), words);
  }
  return false;
}

}  // namespace

bool addOtherWords(clang::ASTContext& ast, const RejectedDeclarations& rejected, OtherWords& words) {
  bool added = false;
  for (const clang::SourceLocation name : rejected.instantiations)
    added |= addPlace(ast.getSourceManager(), wordInFront(templateWord, name, ast.getSourceManager()), words);
  for (const clang::SourceLocation name : rejected.statics)
    added |= addPlace(ast.getSourceManager(), wordInFront(staticWord, name, ast.getSourceManager()), words);
  for (const clang::SourceLocation cast : rejected.casts)
    added |= addPlace(ast.getSourceManager(), ast.getSourceManager().getSpellingLoc(cast), words);
  for (const clang::SourceLocation text : rejected.texts)
    added |= addPlace(ast.getSourceManager(), ast.getSourceManager().getSpellingLoc(text), words);
  for (const clang::SourceLocation first : rejected.elements) added |= addParentheses(first, ast, words);
  for (const clang::SourceLocation attribute : rejected.attributes) {
    const clang::SourceLocation written = ast.getSourceManager().getSpellingLoc(attribute);
    if (!ast.getSourceManager().isInSystemHeader(written))
      added |= addPlace(ast.getSourceManager(), written, words);
  }
  if (rejected.objects.empty() && rejected.functions.empty()) return added;
  Rejected search(ast, rejected, words);
  search.traverse(*ast.getTranslationUnitDecl());
  return search.added || added;
}

void replaceWords(std::string& text, const std::set<unsigned>& offsets) {
  for (const unsigned offset : offsets)
    for (const Word& word : wordsOfOurs)
      if (text.compare(offset, word.name.size(), word.name) == 0)
        text.replace(offset, word.name.size(), word.other);
}

// A variable of the device's memory may have a constructor, if Clang is told so (GPUAllowDeviceInit).
const char* const otherWordsHeader =
    "#pragma once\n"
    "#pragma clang system_header\n"
    "#define CUI_OBJECT static __attribute__((device)) __attribute__((annotate(\"cui.shared\")))\n"
    "#define CUI_EITHER __attribute__((host)) __attribute__((device))\n"
    "#define CUI_CEXPR constexpr __attribute__((host)) __attribute__((device))\n"
    "#define CUI_INST template __attribute__((host)) __attribute__((device))\n"
    "#define CUI_IN inline __attribute__((host)) __attribute__((device))\n"
    "#define CUI_ST_CAST reinterpret_cast\n"
    "#define CUI_ATTRIBUTE(...)\n"
    "#define CUI_ST\n";

}  // namespace cui::driver
