// The whole of cuinstrument-rewrite: parse, find the constructs, edit, write.
#pragma once

#include "driver/options.h"

namespace cui::driver {

/// Reports to standard error, one line an error; gives the exit code. `program` is argv[0].
int run(const Options& options, const char* program);

}  // namespace cui::driver
