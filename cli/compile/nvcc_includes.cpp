// Headers that nvcc is told to include first (-include). Those of the user's are instrumented where the
// sources include them themselves, behind our own header, and nothing else of the line does.
#include <algorithm>
#include <string_view>

#include "cli/compile/nvcc_job.h"

namespace cui::cli {
namespace {

using Option = NvccOption;

bool isPlainWord(const std::string& word) {
  return word.find_first_of(" \t\n\"'\\") == std::string::npos;
}

}  // namespace

std::optional<std::string> wordsWithoutIncludes(const NvccLine& line) {
  if (line.has(Option::optionsFile)) return std::nullopt;
  std::string text;
  for (const std::string& word : line.withInputs({}, {}, Option::preInclude)) {
    if (!isPlainWord(word)) return std::nullopt;
    text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

/// Sources that are not ours to change (C++, standard input) need the option. So does what -Xcompiler says:
/// that is read a second time by the host compiler, whatever we do, and has no device code therefore.
bool NvccJob::mayTakeIncludes() const {
  if (!has({Option::preInclude})) return false;
  const std::optional<std::string> language = value(Option::language);
  for (const NvccArgument& argument : line_.arguments())
    if (argument.option == Option::input && (isSourceInput(argument.value) || argument.value == "-") &&
        !isCudaInput(argument.value, language))
      return false;
  for (const NvccLine* line : {&prepended_, &line_, &appended_}) {
    if (line != &line_ && line->has(Option::preInclude) && !wordsWithoutIncludes(*line)) return false;
    for (const std::string& list : line->values(Option::compilerOptions))
      if (list.find("-include") != list.npos || list.find("-imacros") != list.npos) return false;
  }
  return true;
}

bool NvccJob::allTookIncludes() const {
  const std::optional<std::string> language = value(Option::language);
  std::size_t sources = 0;
  for (const NvccArgument& argument : line_.arguments())
    if (argument.option == Option::input && isCudaInput(argument.value, language)) ++sources;
  return tookIncludes_ == sources;
}

}  // namespace cui::cli
