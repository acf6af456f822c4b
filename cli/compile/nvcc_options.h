// The options of nvcc_options.def, found by a word of a command line.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/compile/nvcc_line.h"

namespace cui::cli {

enum class OptionValue { none, one, joined };

struct OptionRow {
  NvccOption option;
  std::string_view longName, shortName;
  OptionValue value;
  CpuUse cpu;
};

struct OptionMatch {
  const OptionRow* row = nullptr;
  std::optional<std::string> value;  ///< where the word itself holds it
};

/// Its row is null if nvcc has no such option.
OptionMatch matchOption(std::string_view word, NvccLine::Dialect dialect);

/// g++ has -O and -Werror without a value; nvcc's `-O 3` and `-Werror all-warnings` are understood as well.
bool standsAlone(NvccOption option, std::string_view next);

/// A g++ option whose value is the next word, beyond those nvcc shares.
bool takesNextWord(std::string_view word);

}  // namespace cui::cli
