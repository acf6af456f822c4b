// See cpu_options.h.
#include "cli/compile/cpu_options.h"

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "cli/base/errors.h"
#include "cli/base/process.h"
#include "cli/base/words.h"

namespace cui::cli {
namespace {

using Option = NvccOption;

/// Kinds of -Werror that no host compiler has.
bool isNvccWarning(const std::string& kind) {
  return kind == "cross-execution-space-call" || kind == "default-stream-launch" ||
         kind == "missing-launch-bounds" || kind == "ext-lambda-captures-this";
}

/// The include folder of a real CUDA toolkit. nvcc lines often name it, needlessly; here it must not come
/// before the headers we bring.
bool isToolkitFolder(const std::string& folder) {
  return std::filesystem::exists(std::filesystem::path(folder) / "crt/host_config.h");
}

void refuseWhatCannotWork(const NvccLine& line) {
  for (const NvccArgument& argument : line.arguments()) {
    if (argument.option == Option::input || argument.option == Option::unknown) continue;
    if (cpuUse(argument.option) == CpuUse::refuse)
      throw Error(ExitCode::usage, "the CPU backend cannot serve '" + shortSpelling(argument.option) +
                                       "': it makes objects and programs only");
  }
}

class Sorter {
 public:
  explicit Sorter(const NvccLine& line) : line_(line) {}
  CpuOptions sorted();

 private:
  void takeGnuOption(const NvccArgument& argument);
  void takeOption(const NvccArgument& argument);

  const NvccLine& line_;
  CpuOptions options_;
  bool optimizes_ = false;
};

void Sorter::takeGnuOption(const NvccArgument& argument) {
  const std::string& word = line_.sources()[argument.source].words[argument.word].text;
  if (word == "-S") {
    options_.stop = word;
    return;
  }
  options_.compile.push_back(word);
  if (argument.words == 2) options_.compile.push_back(argument.value);
}

void Sorter::takeOption(const NvccArgument& argument) {
  switch (argument.option) {
    case Option::compile:
    case Option::deviceC:
    case Option::deviceW:
      options_.stop = "-c";
      return;
    case Option::preprocess:
    case Option::dependencies:
    case Option::userDependencies:
      options_.preprocesses = true;
      options_.compile.push_back(shortSpelling(argument.option));
      return;
    case Option::standard:
      options_.compile.push_back("-std=" + raisedStandard(argument.value));
      return;
    case Option::templateDepth:
    case Option::randomSeed:
      options_.compile.push_back(shortSpelling(argument.option) + "=" + argument.value);
      return;
    case Option::defaultStream:
      if (argument.value == "per-thread")
        options_.compile.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
      return;
    case Option::warningsAsErrors:
      if (argument.value.empty()) options_.compile.push_back("-Werror");
      for (const std::string& kind : splitList(argument.value)) {
        if (isNvccWarning(kind)) continue;
        options_.compile.push_back(kind == "all-warnings" ? "-Werror" : "-Werror=" + kind);
      }
      return;
    case Option::linkerOptions:
      for (const std::string& item : splitList(argument.value)) append(options_.compile, {"-Xlinker", item});
      return;
    case Option::hostCompiler:
      if (!std::getenv("CUINSTRUMENT_CXX")) options_.compiler = {argument.value};
      return;
    default:
      return;  // outputs, dependency options and -x are read where they are needed
  }
}

CpuOptions Sorter::sorted() {
  const char* const configured = std::getenv("CUINSTRUMENT_CXX");
  options_.compiler = splitWords(configured && *configured ? configured : "g++");
  for (const NvccArgument& argument : line_.arguments()) {
    if (argument.option == Option::input || argument.opensSource) continue;
    if (argument.option == Option::unknown) {
      takeGnuOption(argument);
      continue;
    }
    const std::string name = shortSpelling(argument.option);
    switch (cpuUse(argument.option)) {
      case CpuUse::keep:
        options_.compile.push_back(name + argument.value);
        optimizes_ |= argument.option == Option::optimize;
        break;
      case CpuUse::list:
        for (const std::string& item : splitList(argument.value)) append(options_.compile, {name, item});
        break;
      case CpuUse::unpack:
        for (const std::string& item : splitList(argument.value, ", ")) {
          const bool standard = item.compare(0, 5, "-std=") == 0;
          options_.compile.push_back(standard ? "-std=" + raisedStandard(item.substr(5)) : item);
          optimizes_ |= item.compare(0, 2, "-O") == 0;
        }
        break;
      case CpuUse::own:
        takeOption(argument);
        break;
      case CpuUse::drop:
      case CpuUse::refuse:
        break;
    }
  }
  options_.compile = withToolkitsLast(options_.compile);
  // Kernels hand values that only one lane has set to __shfl_sync(). Clang would take it that each lane had.
  if (isClang(options_.compiler)) append(options_.compile, {"-Xclang", "-no-enable-noundef-analysis"});
  if (!optimizes_) options_.compile.push_back("-O2");
  // First, so that a -std of the user's, also one in -Xcompiler, comes later and wins.
  options_.compile.insert(options_.compile.begin(), "-std=c++17");
  return std::move(options_);
}

}  // namespace

bool isClang(const Words& compiler) {
  return std::any_of(compiler.begin(), compiler.end(), [](const std::string& word) {
    return word.compare(0, 1, "-") != 0 &&
           std::filesystem::path(word).filename().string().find("clang") != std::string::npos;
  });
}

Words withToolkitsLast(const Words& flags) {
  Words result;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const bool isFolder = (flags[i] == "-I" || flags[i] == "-isystem") && i + 1 < flags.size();
    if (!isFolder || !isToolkitFolder(flags[i + 1])) {
      result.push_back(flags[i]);
      continue;
    }
    const std::string& folder = flags[++i];
    const std::filesystem::path libraries = std::filesystem::path(folder) / "cccl";
    if (std::filesystem::exists(libraries)) append(result, {"-idirafter", libraries});
    append(result, {"-idirafter", folder});
  }
  return result;
}

CpuOptions cpuOptions(const NvccLine& line) {
  refuseWhatCannotWork(line);
  return Sorter(line).sorted();
}

}  // namespace cui::cli
