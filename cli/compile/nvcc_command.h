// `cuinstrument nvcc …`: what nvcc would have made, instrumented.
#pragma once

#include <string>
#include <vector>

#include "cli/compile/rewrite.h"

namespace cui::cli {

/// Runs an nvcc command line with its CUDA sources rewritten first. `compiler` is the command that runs
/// nvcc (`ccache nvcc`), `words` what follows it. Returns nvcc's exit code.
int runNvcc(const std::vector<std::string>& compiler, const std::vector<std::string>& words,
            const RewriteFlags& flags);

struct NvccCommand {
  std::vector<std::string> words;
  bool instrumented;  ///< we were called by a script that we call as nvcc: its sources are rewritten already
};
/// $CUINSTRUMENT_NVCC as words, else `word`, or what it would be if a link of that name on PATH were not us,
/// nor a script that calls us.
NvccCommand nvccCommand(const std::string& word);

}  // namespace cui::cli
