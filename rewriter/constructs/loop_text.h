// What CUI_LOOP has of a loop's body: texts that mean in front of the loop what they mean in it.
#pragma once

#include <clang/AST/Expr.h>

#include <string>
#include <vector>

#include "constructs/findings.h"
#include "constructs/inner_loop.h"
#include "constructs/loop_shape.h"
#include "constructs/scope.h"

namespace cui::constructs {

/// As written, on one line; a name or a number as it is, all else in parentheses. "" if there is no such
/// text.
std::string operand(const clang::Expr& expr, const Scope& scope);

/// Declarations in the body that the places need that `changes` was asked for. False if they have no text.
bool findLocals(const LoopChanges& changes, const Scope& scope, std::vector<std::string>& locals);

/// The access's text, if it is another one there: once for each time round the loops in between, from inside,
/// with their variables' values in it; and with variables that advance as they are at the place's time
/// (cuiAhead() in device/loop.h). False if there are no such texts, or too many.
bool writeOut(const clang::Expr& access, const Span& text, const std::vector<const InnerLoop*>& loops,
              const LoopChanges& changes, const Scope& scope, LoopSeen& seen);

}  // namespace cui::constructs
