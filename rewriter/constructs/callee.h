// The function that host code calls, by its name: the runtime's, perhaps.
#pragma once

#include <clang/AST/Expr.h>
#include <clang/Basic/SourceManager.h>

#include <optional>
#include <string>
#include <string_view>

namespace cui::constructs {

struct Callee {
  std::string name;  ///< as documented: without `_v2` and `_ptsz`, which the toolkit's macros append
  clang::SourceLocation location;
  bool global = false;     ///< behind a `::` that stays outside of a wrap
  bool decorated = false;  ///< with another qualifier
  enum class Whose { library, program, unknown } whose = Whose::library;  ///< unknown: not resolved yet
};

/// Also of a call in a template that is not resolved yet.
std::optional<Callee> namedCallee(const clang::CallExpr& call, const clang::SourceManager& manager);

/// One of device/api.def.
bool isRuntimeFunction(std::string_view name);

}  // namespace cui::constructs
