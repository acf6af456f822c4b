// An nvcc line's steps side by side: what the host's compilers do, and what the device's do, need each
// other's results late or never. docs/adr/0027-steps-side-by-side.md
#pragma once

#include <optional>

#include "cli/base/process.h"
#include "cli/base/words.h"
#include "cli/compile/dependency_file.h"
#include "cli/compile/nvcc_steps.h"

namespace cui::cli {

/// Runs the steps, at most jobs() at a time, and one that waits for others' text besides. The result is what
/// nvcc itself would print and return: of the first step that fails, in the plan's order, and those in front
/// of it. Throws Error, Interrupted.
ProcessResult runSteps(const NvccPlan& plan, const DependencyRule& rule = {});

/// What this line of nvcc's does, a program and its arguments, with `rule` in its dependency file; nothing
/// where the steps are not known, or it has to run itself to say what is wrong.
std::optional<ProcessResult> runBeside(const Words& command, const DependencyRule& rule);

}  // namespace cui::cli
