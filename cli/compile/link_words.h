// What the link of instrumented objects takes, in words that nvcc and C++ compilers understand alike.
#pragma once

#include "cli/base/installation.h"
#include "cli/base/words.h"

namespace cui::cli {

/// How much of our libraries. What objects need is known only where they come first; `whole` is for words
/// that stand in front of them.
enum class Taken { asNeeded, whole };

/// Our libraries, and which functions' calls the linker is to send through them (host/library_calls.def).
Words cudaLinkWords(const Installation& installation, Taken taken = Taken::asNeeded);
Words cpuLinkWords(const Installation& installation, Taken taken = Taken::asNeeded);

}  // namespace cui::cli
