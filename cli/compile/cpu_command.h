// `cuinstrument cpu …`: a compiler for CUDA programs that needs neither a GPU nor the CUDA toolkit.
#pragma once

#include <string>
#include <vector>

#include "cli/compile/rewrite.h"

namespace cui::cli {

/// Runs a compile or link line as g++ or nvcc would take it (nvcc's options are translated) with the CUDA
/// sources rewritten and built for the CPU backend. Returns the host compiler's exit code, or 1 if a source
/// cannot be rewritten: here there is no compiler to fall back to.
int runCpu(const std::vector<std::string>& words, const RewriteFlags& flags);

}  // namespace cui::cli
