// What a line of `cuinstrument cpu` says to the host compiler: nvcc's options in g++'s words, g++'s as they
// are.
#pragma once

#include <string>
#include <vector>

#include "cli/compile/nvcc_line.h"

namespace cui::cli {

struct CpuOptions {
  std::vector<std::string> compiler;
  std::vector<std::string> compile;  ///< for every source
  std::string stop;                  ///< -c or -S; empty: link
  bool preprocesses = false;
};
/// Throws Error for what the CPU backend cannot do.
CpuOptions cpuOptions(const NvccLine& line);

/// By its name, behind a launcher (`ccache clang++-19`) too.
bool isClang(const std::vector<std::string>& compiler);

/// Flags of the rewriter or the compiler with a real toolkit's folders searched last, and Thrust's and
/// libcu++'s in them, where nvcc looks unasked.
std::vector<std::string> withToolkitsLast(const std::vector<std::string>& flags);

}  // namespace cui::cli
