#include "constructs/preprocessing.h"

#include <clang/Basic/CharInfo.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/STLExtras.h>

#include <algorithm>

namespace cui::constructs {
namespace {

/// Of a condition that asks whether there is an architecture, and nothing else.
bool isOnHostOnly(llvm::StringRef directive, bool otherwise) {
  std::string words;
  directive.consume_front("#");
  for (const char c : directive.split("//").first.split("/*").first)
    if (!clang::isWhitespace(c) && c != '(' && c != ')') words += c;
  const bool without =
      words == "ifndef__CUDA_ARCH__" || words == "if!defined__CUDA_ARCH__" || words == "if!__CUDA_ARCH__";
  const bool with =
      words == "ifdef__CUDA_ARCH__" || words == "ifdefined__CUDA_ARCH__" || words == "if__CUDA_ARCH__";
  return otherwise ? with : without;
}

class Recorder : public clang::PPCallbacks {
 public:
  Recorder(clang::SourceManager& manager, const clang::LangOptions& language,
           std::vector<std::string> folders, Preprocessing& result)
      : manager_(manager), language_(language), folders_(std::move(folders)), result_(result) {}

  void MacroDefined(const clang::Token& name, const clang::MacroDirective* directive) override {
    const clang::MacroInfo* macro = directive->getMacroInfo();
    if (macro->isFunctionLike()) result_.byName[name.getIdentifierInfo()->getName().str()] = macro;
    if (name.getLocation().isInvalid() || manager_.isInSystemHeader(name.getLocation())) return;
    result_.definitions[macro->getDefinitionLoc()] = macro;
    result_.names[macro] = name.getIdentifierInfo()->getName().str();
    const auto* before = clang::dyn_cast_or_null<clang::DefMacroDirective>(directive->getPrevious());
    if (!before || result_.names.count(before->getInfo()) == 0 || !areAlike(*before->getInfo(), *macro))
      return;
    const clang::MacroInfo* first = result_.firstAlike(before->getInfo());
    result_.firsts[macro] = first;
    result_.alike[first].push_back(macro);
  }

  void MacroExpands(const clang::Token& name, const clang::MacroDefinition& definition, clang::SourceRange,
                    const clang::MacroArgs*) override {
    const clang::MacroInfo* macro = definition.getMacroInfo();
    if (!macro || !result_.names.count(macro)) return;
    result_.expansions[result_.firstAlike(macro)].insert(name.getLocation());
  }

  void InclusionDirective(clang::SourceLocation hash, const clang::Token&, llvm::StringRef name, bool angled,
                          clang::CharSourceRange range, clang::OptionalFileEntryRef file,
                          llvm::StringRef folder, llvm::StringRef, const clang::Module*, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    if (file && manager_.isInSystemHeader(hash) && llvm::is_contained(folders_, folder))
      result_.inPlaceOfSystems.insert(&file->getFileEntry());
    add(hash, range.getBegin(), name, angled, file, false);
  }

  /// What a system header includes is the system's to Clang, wherever it is found.
  void FileChanged(clang::SourceLocation place, FileChangeReason reason, clang::SrcMgr::CharacteristicKind,
                   clang::FileID) override {
    const auto file = manager_.getFileEntryRefForID(manager_.getFileID(place));
    if (reason == EnterFile && file && result_.inPlaceOfSystems.count(&file->getFileEntry()) > 0)
      manager_.AddLineNote(manager_.getLocForStartOfFile(manager_.getFileID(place)), 2, -1, false, false,
                           clang::SrcMgr::C_User);
  }

  void HasInclude(clang::SourceLocation location, llvm::StringRef name, bool angled,
                  clang::OptionalFileEntryRef file, clang::SrcMgr::CharacteristicKind) override {
    if (!file) absent_.insert(name.str());
    add(location, {}, name, angled, file, true);
  }

  void Else(clang::SourceLocation, clang::SourceLocation opening) override { opening_ = opening; }

  void SourceRangeSkipped(clang::SourceRange range, clang::SourceLocation) override {
    const clang::SourceLocation hash = range.getBegin();
    if (!hash.isFileID() || manager_.isInSystemHeader(hash)) return;
    const llvm::StringRef directive = restOfLine(hash);
    const auto past = static_cast<clang::SourceLocation::IntTy>(directive.size());
    const clang::SourceRange text(hash.getLocWithOffset(past), range.getEnd());
    result_.skipped.push_back(text);
    const bool otherwise = directive.drop_front().ltrim().starts_with("else") && opening_.isFileID();
    const llvm::StringRef condition = otherwise ? restOfLine(opening_) : directive;
    if (!condition.contains("__CUDA_ARCH__")) return;
    result_.hostText.push_back({text, isOnHostOnly(condition, otherwise)});
  }

  /// GCC before 13 forgets to complain of a missing header that `__has_include` has asked for, and so nvcc
  /// with it does. Another one says so when it compiles the result.
  bool FileNotFound(llvm::StringRef name) override { return absent_.count(name.str()) > 0; }

 private:
  /// Token for token; compilers say so themselves where blanks differ.
  bool areAlike(const clang::MacroInfo& one, const clang::MacroInfo& other) const {
    const auto same = [this](const clang::Token& a, const clang::Token& b) {
      if (a.getKind() != b.getKind() || a.getIdentifierInfo() != b.getIdentifierInfo()) return false;
      return a.getIdentifierInfo() || spelled(a) == spelled(b);
    };
    return one.isFunctionLike() == other.isFunctionLike() && llvm::equal(one.params(), other.params()) &&
           std::equal(one.tokens().begin(), one.tokens().end(), other.tokens().begin(), other.tokens().end(),
                      same);
  }
  llvm::StringRef restOfLine(clang::SourceLocation place) const {
    const auto [file, offset] = manager_.getDecomposedLoc(place);
    return manager_.getBufferData(file).substr(offset).split('\n').first;
  }
  std::string spelled(const clang::Token& token) const {
    return clang::Lexer::getSpelling(token, manager_, language_);
  }

  void add(clang::SourceLocation hash, clang::SourceLocation begin, llvm::StringRef name, bool angled,
           clang::OptionalFileEntryRef file, bool conditional) {
    if (!hash.isValid() || manager_.isInSystemHeader(hash)) return;
    Include include;
    include.hash = hash;
    include.nameBegin = begin;
    include.spelled = name.str();
    include.angled = angled;
    include.conditional = conditional;
    if (file) {
      include.file = &file->getFileEntry();
      include.foundAs = file->getName().str();
    }
    result_.includes.push_back(std::move(include));
  }

  clang::SourceManager& manager_;
  const clang::LangOptions& language_;
  std::vector<std::string> folders_;
  Preprocessing& result_;
  std::set<std::string> absent_;
  clang::SourceLocation opening_;  ///< the directive that the last #else is of
};

}  // namespace

const clang::MacroInfo* Preprocessing::firstAlike(const clang::MacroInfo* macro) const {
  const auto known = firsts.find(macro);
  return known == firsts.end() ? macro : known->second;
}

bool Preprocessing::hasMacro(std::string_view name) const {
  return llvm::any_of(names, [name](const auto& known) { return known.second == name; });
}

const clang::MacroInfo* Preprocessing::functionLike(llvm::StringRef name) const {
  if (const auto known = byName.find(name.str()); known != byName.end()) return known->second;
  const clang::MacroInfo* kept = preprocessor->getMacroInfo(preprocessor->getIdentifierInfo(name));
  return kept && kept->isFunctionLike() ? kept : nullptr;
}

const clang::MacroInfo* Preprocessing::macroAt(clang::SourceLocation spelling) const {
  auto next = definitions.upper_bound(spelling);
  if (next == definitions.begin()) return nullptr;
  const clang::MacroInfo* macro = std::prev(next)->second;
  return !(macro->getDefinitionEndLoc() < spelling) ? macro : nullptr;
}

std::unique_ptr<clang::PPCallbacks> recordPreprocessing(clang::Preprocessor& preprocessor,
                                                        std::vector<std::string> folders,
                                                        Preprocessing& result) {
  result.manager = &preprocessor.getSourceManager();
  result.preprocessor = &preprocessor;
  return std::make_unique<Recorder>(preprocessor.getSourceManager(), preprocessor.getLangOpts(),
                                    std::move(folders), result);
}

}  // namespace cui::constructs
