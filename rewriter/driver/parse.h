// One device-side parse of the source with Clang, and the walk while its tree is alive.
#pragma once

#include <clang/Frontend/CompilerInstance.h>

#include <functional>

#include "constructs/preprocessing.h"
#include "driver/options.h"
#include "driver/toolchain.h"

namespace cui::driver {

/// Calls `consume` with the complete translation unit. False if the source does not compile: its
/// diagnostics have been printed and `consume` has not been called.
bool parse(const Options& options, const Toolchain& toolchain, constructs::Preprocessing& preprocessing,
           const std::function<void(clang::CompilerInstance&)>& consume);

}  // namespace cui::driver
