// What an access expression says in words: its base object and its index.
#pragma once

#include <clang/AST/Expr.h>

#include <string>

#include "constructs/ranges.h"

namespace cui::constructs {

struct Description {
  std::string base;   ///< `in`, `this->data`, `tile`
  std::string index;  ///< `i * n + j`; `y, x` for two dimensions; "" without one
};

/// Source text of an expression on one line; pretty-printed where macros left no text.
std::string textOf(const clang::Expr& expr, const clang::ASTContext& ast, const Ranges& ranges);

Description describe(const clang::Expr& glvalue, const clang::ASTContext& ast, const Ranges& ranges);
/// Of the object a pointer expression points to: `p + i` is base p, index i.
Description describePointer(const clang::Expr& pointer, const clang::ASTContext& ast, const Ranges& ranges);

}  // namespace cui::constructs
