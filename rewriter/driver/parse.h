// The device-side parse of the source with Clang (two, if it has declarations as in driver/other_words.h),
// and the walk while its tree is alive.
#pragma once

#include <clang/Frontend/CompilerInstance.h>

#include <functional>
#include <vector>

#include "constructs/preprocessing.h"
#include "constructs/unparsed.h"
#include "driver/options.h"
#include "driver/toolchain.h"

namespace cui::driver {

/// What is made of the complete translation unit, and of the errors that it was parsed in spite of.
/// `complete`: all of the program's code is in the tree, but for what those are about.
using Consume = std::function<void(clang::CompilerInstance&,
                                   const std::vector<constructs::SourceError>& errors, bool complete)>;

/// Calls `consume`. False if the source cannot be parsed: its diagnostics have been printed and `consume` has
/// not been called. Errors are lived with unless the options refuse them: another compiler is to judge.
bool parse(const Options& options, const Toolchain& toolchain, constructs::Preprocessing& preprocessing,
           const Consume& consume);

}  // namespace cui::driver
