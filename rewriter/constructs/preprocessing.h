// What the preprocessor did: macros and their expansions, includes. Recorded while parsing.
#pragma once

#include <memory>

#include <clang/Basic/FileEntry.h>
#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cui::constructs {

/// Files in the order in which they were found.
struct AsFound {
  bool operator()(const clang::FileEntry* a, const clang::FileEntry* b) const {
    return a->getUID() < b->getUID();
  }
};

struct Include {
  clang::SourceLocation hash;       ///< of the directive, or of the __has_include token
  clang::SourceLocation nameBegin;  ///< the opening quote or `<`; invalid: find it after `hash`
  std::string spelled;
  const clang::FileEntry* file = nullptr;  ///< null: not found (allowed in __has_include)
  std::string foundAs;                     ///< path of `file` as the search gave it
  bool angled = false;
  bool conditional = false;  ///< __has_include
};

/// Where a macro's argument is turned into text.
struct ArgumentTexts {
  std::vector<clang::SourceRange> runs;        ///< `#x`, each with the literals it is joined to
  std::vector<clang::SourceLocation> asserts;  ///< the names of <assert.h>'s, that it is an argument of
  bool handedOn = false;                       ///< in part by other macros, which see what it expands to
};

/// A parenthesis in a macro's body, seen from a token in it.
struct MacroCall {
  std::size_t callee;                     ///< the token in front of it
  const clang::MacroInfo* macro;          ///< that this names, or null
  const clang::IdentifierInfo* argument;  ///< the macro's parameter that gets the token, or null
};

struct HostText {
  clang::SourceRange range;  ///< from behind the directive
  bool sure = false;         ///< the condition asks for nothing else: no architecture's code has it
};

/// Outlives the preprocessor's callbacks; filled by them.
struct Preprocessing {
  const clang::SourceManager* manager = nullptr;
  clang::Preprocessor* preprocessor = nullptr;  ///< while the tree is alive
  std::vector<Include> includes;
  /// Files in folders of the program's that a system header has included, for they have such a one's name.
  std::set<const clang::FileEntry*, AsFound> inPlaceOfSystems;
  /// Text outside system headers that a condition about `__CUDA_ARCH__` takes away.
  std::vector<HostText> hostText;
  /// All text outside system headers that conditions take away, from behind the directive.
  std::vector<clang::SourceRange> skipped;
  /// Macro definitions outside system headers, by the location of their name.
  std::map<clang::SourceLocation, const clang::MacroInfo*> definitions;
  /// Each expansion (by the location of the macro's name in it) of those definitions; of those that are
  /// alike, the first's.
  std::map<const clang::MacroInfo*, std::set<clang::SourceLocation>> expansions;
  /// Function-like, last definition; also the system's, but for those of precompiled headers.
  std::map<std::string, const clang::MacroInfo*> byName;
  std::map<const clang::MacroInfo*, std::string> names;
  /// Whether the program, or a header of the system's, defines a macro of that name anywhere.
  bool hasMacro(std::string_view name) const;
  /// Definitions in the same words, while the first one holds; behind that.
  std::map<const clang::MacroInfo*, std::vector<const clang::MacroInfo*>> alike;
  std::map<const clang::MacroInfo*, const clang::MacroInfo*> firsts;  ///< of the others
  /// What stands in the files that Clang read with joined launch brackets or another word
  /// (driver/parsed_files.h), by the beginning of the text that it has.
  std::map<const char*, std::string> written;
  /// Where Clang met attributes, `alignas` among them, that it complained of and forgot; the parser's.
  std::set<clang::SourceLocation> droppedAttributes;

  /// Itself if there is none before it that is alike.
  const clang::MacroInfo* firstAlike(const clang::MacroInfo* macro) const;
  /// The last function-like macro of that name; null if there is none.
  const clang::MacroInfo* functionLike(llvm::StringRef name) const;
  /// The macro whose definition holds that location; null if none.
  const clang::MacroInfo* macroAt(clang::SourceLocation spelling) const;
  /// What `##` joins to another token: behind the argument only, or nowhere.
  enum class Joined { counts, countsBehind, passes };
  /// True if the parameter's argument is also turned into text or pasted, by this macro or by one that it
  /// hands the argument to.
  bool isStringised(const clang::MacroInfo& macro, const clang::IdentifierInfo* parameter,
                    Joined joined = Joined::counts) const;
  /// Where the macro, or one that it hands the argument to, turns the parameter's argument into text. False
  /// if some of that cannot be a call's result instead of a literal, or pasting is involved.
  bool findTexts(const clang::MacroInfo& macro, const clang::IdentifierInfo* parameter,
                 ArgumentTexts& texts) const;

 private:
  using Parameters = std::set<std::pair<const clang::MacroInfo*, const clang::IdentifierInfo*>>;
  bool isStringised(const clang::MacroInfo& macro, const clang::IdentifierInfo* parameter, Joined joined,
                    Parameters& seen) const;
  bool findTexts(const clang::MacroInfo& macro, const clang::IdentifierInfo* parameter, ArgumentTexts& texts,
                 Parameters& seen) const;
  bool findTextsOf(const MacroCall& call, const clang::MacroInfo& macro, ArgumentTexts& texts,
                   Parameters& seen) const;
  bool takesAnyExpression(const clang::MacroInfo& macro, const clang::IdentifierInfo* parameter,
                          Parameters& seen) const;
  bool canBeComputed(const clang::MacroInfo& macro, std::size_t begin, std::size_t end,
                     Parameters& seen) const;
  std::vector<MacroCall> callsAround(const clang::MacroInfo& macro, std::size_t token) const;
  std::size_t endOfLiteralPart(const clang::MacroInfo& macro, std::size_t at, unsigned depth = 0) const;
  std::size_t endOfLiteral(const clang::MacroInfo& macro, std::size_t at, std::size_t limit,
                           unsigned depth = 0) const;
  bool isLiteral(const clang::MacroInfo& macro, unsigned depth = 0) const;
  std::pair<std::size_t, std::size_t> literalPartAround(const clang::MacroInfo& macro,
                                                        std::size_t argument) const;
};

/// Callbacks that fill `result`, which must outlive the preprocessor. `folders` are the program's: what a
/// system header includes from there is no system's.
std::unique_ptr<clang::PPCallbacks> recordPreprocessing(clang::Preprocessor& preprocessor,
                                                        std::vector<std::string> folders,
                                                        Preprocessing& result);

}  // namespace cui::constructs
