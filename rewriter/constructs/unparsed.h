// What Clang rejects: its text is not edited, and the tables say why.
#pragma once

#include <clang/AST/ASTContext.h>

#include <string>
#include <vector>

#include "constructs/findings.h"
#include "constructs/ranges.h"

namespace cui::constructs {

struct SourceError {
  clang::SourceLocation location;
  std::vector<clang::SourceLocation> notes;  ///< of an error in library code, they lead back to the user's
  std::string message;
  bool syntax = false;        ///< what follows it may be misunderstood
  bool instantiated = false;  ///< in code made from a template
};

/// What was left alone because of an error.
struct Unparsed {
  Span place;              ///< of the error
  std::string function;    ///< "" outside functions
  bool statement = false;  ///< no more than a statement of that function
  std::string message;
  /// Host code in which there is nothing to instrument, or a template that nothing instantiates: it has its
  /// row, and needs no warning.
  bool harmless = false;
  auto operator<=>(const Unparsed&) const = default;
};

/// Excludes from being edited: the innermost statement around each error, or function for errors of syntax.
/// Adds a skipped site for the error itself, because the tree may lack accesses around it. Call before the
/// walk. `lostCode`: the device may have code that the tree has not, for any of them.
std::vector<Unparsed> leaveUnparsed(clang::ASTContext& ast, const std::vector<SourceError>& errors,
                                    const Ranges& ranges, Findings& findings, bool& lostCode);

/// Excludes these lines (`file:line`, as a compiler names them) with the innermost functions on them.
void leaveFunctions(clang::ASTContext& ast, const std::vector<std::string>& lines, const Ranges& ranges);
/// The lines alone.
void leaveLines(const std::vector<std::string>& lines, Sources& sources);

}  // namespace cui::constructs
