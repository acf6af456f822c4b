// Pointers, and parameters that are references, that lead to nothing but what is private to the thread: a
// helper that works on its callers' arrays (`mix(float state[16])`) works on registers, as do the arrays'
// owners.
#pragma once

#include <clang/AST/ASTContext.h>

namespace cui::constructs {

/// Annotation of such a variable, which storageOf() reads.
inline constexpr const char* privateAnnotation = "cui.private";

/// Annotates them: parameters of functions whose calls are all in this unit, and local pointers that keep
/// what they were given. Only for units of which Clang has all of the code: what it rejects may have calls,
/// too. `relocatable`: other units may call what they can see.
void markPrivatePointers(clang::ASTContext& ast, bool relocatable);

}  // namespace cui::constructs
