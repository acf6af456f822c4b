// Launches and runtime calls in text that only the host's side has (`#ifndef __CUDA_ARCH__`): the source is
// read as the device's, so that Clang never sees it. Where no device's code can have that text they are
// found by their tokens, and followed as those that Clang sees; else the tables say so.
#pragma once

#include <clang/AST/ASTContext.h>

#include "constructs/findings.h"
#include "constructs/ranges.h"
#include "constructs/scope.h"

namespace cui::constructs {

/// Adds each of them in the program's own files, or a skipped site for it.
void tellHostText(const clang::ASTContext& ast, const Ranges& ranges, const Settings& settings,
                  Findings& findings);

}  // namespace cui::constructs
