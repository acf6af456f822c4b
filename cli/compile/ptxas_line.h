// A line of ptxas, as nvcc writes it.
#pragma once

#include <optional>
#include <string>

#include "cli/base/words.h"

namespace cui::cli {

struct PtxasLine {
  explicit PtxasLine(const Words& words);

  std::string input, output, gpu;
  bool relocatable = false;
  bool splits = false;               ///< says how many threads compile its kernels
  std::optional<long> maxRegisters;  ///< -maxrregcount
  Words others;                      ///< all but input and output
};

}  // namespace cui::cli
