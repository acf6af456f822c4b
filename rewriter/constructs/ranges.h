// From an AST node's range to the text that must be edited: in the file, in a macro's argument, or in a
// macro's definition; or the reason why there is none.
#pragma once

#include <clang/Basic/LangOptions.h>
#include <clang/Basic/SourceManager.h>

#include <compare>
#include <memory>
#include <string>
#include <vector>

#include "constructs/preprocessing.h"
#include "constructs/sources.h"

namespace cui::constructs {

/// Bytes [begin, end) of a file.
struct Span {
  FileIndex file = 0;
  unsigned begin = 0, end = 0;
  auto operator<=>(const Span&) const = default;
};

/// Why a macro's argument cannot be edited.
inline constexpr char turnedIntoText[] = "the macro argument is also turned into text";

struct Resolved {
  std::string reason;    ///< why not to edit; "" if `span` may be edited
  Span span;             ///< of the text; undefined with a reason
  Span use;              ///< where it takes effect in the file: `span`, or the outermost macro expansion
  bool located = false;  ///< `use` is known (also with a reason)
  const clang::MacroInfo* macro = nullptr;  ///< `span` is in the definition of this macro
  clang::SourceLocation expansion;          ///< and this is the expansion (see Preprocessing::expansions)
  clang::FileID body;                       ///< of that expansion's text
  std::string outermostMacro;               ///< name; "" outside macros
  std::vector<Span> texts;    ///< `span` is in a macro's argument that these turn into text, which must stay
  std::vector<Span> asserts;  ///< `span` is in the argument of these, <assert.h>'s: their names
  bool handedOn = false;      ///< some of these see the argument expanded
  /// `span` is all of the macro's text, but for parentheses: its use, which may be edited instead.
  std::shared_ptr<const Resolved> whereUsed;
  std::string standsFor;    ///< of a use: the macro's name
  bool inArgument = false;  ///< of a macro
  /// It is all of that argument, but for parentheses: the parameter in the macro's text, which may be edited
  /// instead.
  std::shared_ptr<const Resolved> asParameter;
  unsigned line = 0, endLine = 0;  ///< of `use`, where `span` is in a macro's definition
  bool pasted = false;  ///< a name that `span`, in a macro's definition, pastes together: the reason
};

class Ranges {
 public:
  Ranges(const clang::SourceManager& manager, const clang::LangOptions& language, Sources& sources,
         const Preprocessing& preprocessing)
      : manager_(manager), language_(language), sources_(sources), preprocessing_(preprocessing) {}

  /// Of an expression: something to wrap.
  Resolved resolve(clang::SourceRange range) const { return resolve(range, true, true); }
  /// Of a call that must be wrapped even where a macro argument is also turned into text: a check's message
  /// then shows the form, but an unrecorded allocation or a launch that cannot compile would be worse.
  Resolved resolveCall(clang::SourceRange range) const { return resolve(range, true, false); }
  /// Of the name of a called function. One that is made by pasting is another's in another expansion:
  /// `pasted`.
  Resolved resolveName(clang::SourceLocation name) const;
  /// Of a part of `outer`, as the text that holds `outer` spells it: `GRID` and not what that expands to, the
  /// macro's parameter and not the argument given for it.
  Resolved resolvePart(clang::SourceRange range, const Resolved& outer) const;
  /// The same, but only the whole of what `outer`'s text has there: `b` is no such part where a macro's
  /// argument is `a + b`.
  Resolved resolveWholePart(clang::SourceRange range, const Resolved& outer) const;
  /// The same for a token beside `other`, or for the whole of what stands there.
  Resolved resolveBeside(clang::SourceLocation token, const Resolved& other) const;
  Resolved resolveBeside(clang::SourceRange range, const Resolved& other) const;
  /// Of a token that text goes before or after.
  Resolved resolveToken(clang::SourceLocation token) const { return resolve({token, token}, false, true); }

  /// Of text that Clang did not read, in an argument of that macro's: notes in `result` where it becomes
  /// text. False if it must not be edited for that.
  bool keepTexts(const clang::MacroInfo& macro, const clang::IdentifierInfo* parameter,
                 Resolved& result) const;
  /// False for the text of a macro's argument that the macro uses several times: what is wrapped there takes
  /// effect in all of them.
  bool usedOnce(clang::SourceLocation location) const;

  /// The text as written; "" if it is not one piece of a file.
  std::string text(clang::SourceRange range) const;
  /// The same, of what is on one line without a comment to its end, and means the same elsewhere: it has to
  /// do with no pack's expansion. "" of other text.
  std::string line(clang::SourceRange range) const;
  /// What it would be called outside of all macros, if it is partly in a macro's text: that, with the
  /// arguments; "" if it is not, or has what cannot be said there.
  std::string spelledOut(clang::SourceRange range) const;
  Sources& sources() const { return sources_; }
  const Preprocessing& preprocessing() const { return preprocessing_; }
  const clang::SourceManager& manager() const { return manager_; }
  const clang::LangOptions& language() const { return language_; }

 private:
  enum class Side { begin, end };
  Resolved resolve(clang::SourceRange range, bool wrap, bool keepsText) const;
  Resolved partOf(const Resolved& outer, clang::SourceRange range, bool whole) const;
  Resolved spelledWith(clang::SourceRange range, const Resolved& other, bool whole) const;
  clang::SourceLocation within(clang::SourceLocation location, clang::FileID body, Side side,
                               bool whole) const;
  std::string whyNotWrappable(const Span& span) const;
  void finish(clang::SourceLocation begin, clang::SourceLocation end, bool wrap, Resolved& result) const;
  std::string whyExcluded(const Resolved& range) const;
  bool raiseBegin(clang::SourceLocation& begin) const;
  bool raiseEnd(clang::SourceLocation& end) const;
  void takeParentheses(clang::SourceLocation& begin, clang::SourceLocation& end) const;
  llvm::StringRef restOfPart(clang::SourceLocation location, Side side) const;
  unsigned depth(clang::SourceLocation location) const;
  const clang::MacroInfo* macroOfArgument(clang::SourceLocation location, std::string& parameter) const;
  std::shared_ptr<const Resolved> useOf(const clang::MacroInfo& macro, clang::SourceRange spelled,
                                        clang::SourceLocation expanded) const;
  std::shared_ptr<const Resolved> parameterOf(clang::SourceLocation begin, clang::SourceLocation end) const;
  bool isInParentheses(clang::SourceLocation location) const;
  clang::SourceLocation endOfPartBefore(clang::SourceLocation location) const;
  bool argumentIsText(clang::SourceLocation location, Resolved& result) const;
  bool isAssert(clang::SourceLocation location, Span& name) const;
  bool keepText(clang::SourceRange text, std::vector<Span>& kept) const;
  bool spanOf(clang::SourceLocation begin, clang::SourceLocation end, Span& span) const;

  const clang::SourceManager& manager_;
  const clang::LangOptions& language_;
  Sources& sources_;
  const Preprocessing& preprocessing_;
};

}  // namespace cui::constructs
