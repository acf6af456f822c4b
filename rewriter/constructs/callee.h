// The library function that host code calls, by its name.
#pragma once

#include <clang/AST/Expr.h>
#include <clang/Basic/SourceManager.h>

#include <optional>
#include <string>

namespace cui::constructs {

struct Callee {
  std::string name;  ///< as documented: without `_v2` and `_ptsz`, which the toolkit's macros append
  clang::SourceLocation location;
  bool global = false;     ///< behind a `::` that stays outside of a wrap
  bool decorated = false;  ///< with another qualifier, or template arguments
};

/// Also of a call in a template that is not resolved yet. Nothing for a function with a body of the user's.
std::optional<Callee> libraryCallee(const clang::CallExpr& call, const clang::SourceManager& manager);

}  // namespace cui::constructs
