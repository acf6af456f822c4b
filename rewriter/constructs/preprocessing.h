// What the preprocessor did: macros and their expansions, includes. Recorded while parsing.
#pragma once

#include <memory>

#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace cui::constructs {

struct Include {
  clang::SourceLocation hash;       ///< of the directive, or of the __has_include token
  clang::SourceLocation nameBegin;  ///< the opening quote or `<`; invalid: find it after `hash`
  std::string spelled;
  const clang::FileEntry* file = nullptr;  ///< null: not found (allowed in __has_include)
  std::string foundAs;                     ///< path of `file` as the search gave it
  bool angled = false;
  bool conditional = false;  ///< __has_include
};

/// Outlives the preprocessor's callbacks; filled by them.
struct Preprocessing {
  const clang::SourceManager* manager = nullptr;
  std::vector<Include> includes;
  /// Macro definitions outside system headers, by the location of their name.
  std::map<clang::SourceLocation, const clang::MacroInfo*> definitions;
  /// Each expansion (by the location of the macro's name in it) of those definitions.
  std::map<const clang::MacroInfo*, std::set<clang::SourceLocation>> expansions;
  std::map<std::string, const clang::MacroInfo*> byName;  ///< function-like, last definition; also system's
  std::map<const clang::MacroInfo*, std::string> names;
  /// What stands in the files that Clang read with joined launch brackets or another word
  /// (driver/parsed_files.h), by the beginning of the text that it has.
  std::map<const char*, std::string> written;
  /// Where Clang met attributes, `alignas` among them, that it complained of and forgot; the parser's.
  std::set<clang::SourceLocation> droppedAttributes;

  /// The macro whose definition holds that location; null if none.
  const clang::MacroInfo* macroAt(clang::SourceLocation spelling) const;
  /// True if the parameter's argument is also turned into text or pasted, by this macro or by one that it
  /// hands the argument to.
  bool isStringised(const clang::MacroInfo& macro, const clang::IdentifierInfo* parameter) const;
  /// Where the macro itself turns the parameter's argument into text, each with the literals it is joined to,
  /// if that can be a call's result instead of a literal. False if some of it cannot, or another macro or
  /// pasting is involved.
  bool textRuns(const clang::MacroInfo& macro, const clang::IdentifierInfo* parameter,
                std::vector<clang::SourceRange>& runs) const;

 private:
  bool isStringised(const clang::MacroInfo& macro, const clang::IdentifierInfo* parameter,
                    std::set<std::pair<const clang::MacroInfo*, const clang::IdentifierInfo*>>& seen) const;
};

/// Callbacks that fill `result`, which must outlive the preprocessor.
std::unique_ptr<clang::PPCallbacks> recordPreprocessing(const clang::SourceManager& manager,
                                                        Preprocessing& result);

}  // namespace cui::constructs
