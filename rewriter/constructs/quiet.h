// What code does besides yielding a value: nothing, where it is quiet.
#pragma once

#include <clang/AST/Expr.h>
#include <clang/Basic/SourceManager.h>

namespace cui::constructs {

/// float4 = float4, half = half, half = float and their kind.
bool isPlainAssignment(const clang::CallExpr& call);
/// Of the expression itself, not its operands: it runs no code but that and the toolkit's arithmetic on its
/// own numbers and vectors. Operators may write to their operands.
bool isQuietExpression(const clang::Expr& expr, const clang::SourceManager& manager);
/// Of all of it: it writes nothing either, and reads no volatile objects, so that it can be evaluated twice.
bool isRepeatable(const clang::Stmt& stmt, const clang::SourceManager& manager);

}  // namespace cui::constructs
