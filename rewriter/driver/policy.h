// Which files are the user's, and which of these are instrumented.
#pragma once

#include "constructs/sources.h"
#include "driver/options.h"
#include "driver/toolchain.h"

namespace cui::driver {

constructs::Sources::Policy policyOf(const Options& options, const Toolchain& toolchain);

}  // namespace cui::driver
