// Values that can be read once more beside the place where they stand.
#pragma once

#include <clang/AST/Expr.h>

#include <llvm/ADT/StringRef.h>

namespace cui::constructs {

/// A number made of constants, private variables, parameters and thread indices by operators without side
/// effects: no memory, no calls.
bool isPlainValue(const clang::Expr& expr);

/// An object whose address is made of the same, and of pointers that are private variables.
bool isPlainPlace(const clang::Expr& glvalue);

/// `threadIdx` and `x` of `threadIdx.x`; empty if it is none of these four variables.
struct ThreadIndexName {
  llvm::StringRef name, coordinate;
};
ThreadIndexName indexOf(const clang::PseudoObjectExpr& expr);

}  // namespace cui::constructs
