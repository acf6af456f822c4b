#include "driver/own_compiler.h"

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/MacroInfo.h>

#include <map>
#include <utility>
#include <vector>

namespace cui::driver {
namespace {

class Hider : public clang::PPCallbacks {
 public:
  Hider(clang::Preprocessor& preprocessor, std::string gccVersion)
      : preprocessor_(preprocessor), gccVersion_(std::move(gccVersion)) {}

  void FileChanged(clang::SourceLocation location, FileChangeReason, clang::SrcMgr::CharacteristicKind kind,
                   clang::FileID) override {
    const bool hide = kind == clang::SrcMgr::C_User && isProgram(location);
    if (hide == !hidden_.empty()) return;
    if (hide)
      hideAll(location);
    else
      bringBack(location);
  }

 private:
  /// Not the text that the compiler makes of its command line, nor what that includes.
  bool isProgram(clang::SourceLocation location) const {
    const clang::SourceManager& manager = preprocessor_.getSourceManager();
    const auto text = manager.getBufferName(location);
    return !text.starts_with("<") && !text.starts_with("/cuinstrument/");
  }

  void hideAll(clang::SourceLocation location) {
    for (const char* name : {"__clang__", "__clang_major__", "__clang_minor__", "__clang_patchlevel__",
                             "__clang_version__", "__GNUC__", "__GNUC_MINOR__", "__GNUC_PATCHLEVEL__"}) {
      clang::IdentifierInfo* identifier = preprocessor_.getIdentifierInfo(name);
      clang::MacroInfo* macro = preprocessor_.getMacroInfo(identifier);
      if (macro) hidden_.emplace_back(identifier, macro);
    }
    for (const auto& [identifier, macro] : hidden_) {
      const llvm::StringRef name = identifier->getName();
      if (name.starts_with("__clang"))
        preprocessor_.appendMacroDirective(
            identifier, new (preprocessor_.getPreprocessorAllocator()) clang::UndefMacroDirective(location));
      else
        preprocessor_.appendDefMacroDirective(
            identifier, numberMacro(name == "__GNUC__" ? gccVersion_ : std::string("0")), location);
    }
  }

  void bringBack(clang::SourceLocation location) {
    for (const auto& [identifier, macro] : hidden_)
      preprocessor_.appendDefMacroDirective(identifier, macro, location);
    hidden_.clear();
  }

  clang::MacroInfo* numberMacro(const std::string& number) {
    clang::MacroInfo*& macro = numbers_[number];
    if (macro) return macro;
    clang::Token token;
    token.startToken();
    token.setKind(clang::tok::numeric_constant);
    preprocessor_.CreateString(number, token);
    // In no file: the program did not write it.
    macro = preprocessor_.AllocateMacroInfo(token.getLocation());
    macro->setTokens({token}, preprocessor_.getPreprocessorAllocator());
    macro->setDefinitionEndLoc(token.getLocation());
    return macro;
  }

  clang::Preprocessor& preprocessor_;
  std::string gccVersion_;
  std::vector<std::pair<clang::IdentifierInfo*, clang::MacroInfo*>> hidden_;  ///< while in the program's text
  std::map<std::string, clang::MacroInfo*> numbers_;
};

}  // namespace

std::unique_ptr<clang::PPCallbacks> hideClang(clang::Preprocessor& preprocessor, std::string gccVersion) {
  return std::make_unique<Hider>(preprocessor, std::move(gccVersion));
}

}  // namespace cui::driver
