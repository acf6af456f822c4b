// The toolkit's programs that are ours in a LinkingToolchain, where nvcc runs them. Each returns the exit
// status, or is replaced by the toolkit's own.
#pragma once

#include "cli/base/words.h"

namespace cui::cli {

/// Compiles as ptxas does. PTX that calls the recorder is then linked with it, so that the machine code is
/// what it would be if the recorder were in the PTX.
int runPtxas(const Words& words);

/// Collects images as fatbinary does, of which PTX, that drivers compile for other GPUs, gets the recorder as
/// text.
int runFatbinary(const Words& words);

}  // namespace cui::cli
