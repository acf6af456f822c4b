// What the link of instrumented objects takes, in words that nvcc and C++ compilers understand alike.
#pragma once

#include "cli/base/installation.h"
#include "cli/base/words.h"

namespace cui::cli {

/// Our libraries, and which functions' calls the linker is to send through them (host/library_calls.def).
Words cudaLinkWords(const Installation& installation);
Words cpuLinkWords(const Installation& installation);

}  // namespace cui::cli
