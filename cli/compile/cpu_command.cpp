// `cuinstrument cpu …`. Each CUDA source is rewritten and compiled by itself; then one line for the host
// compiler does what is left: other sources, objects, libraries.
#include "cli/compile/cpu_command.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>

#include "cli/base/errors.h"
#include "cli/base/process.h"
#include "cli/base/signals.h"
#include "cli/base/temporary.h"
#include "cli/base/words.h"
#include "cli/compile/cpu_options.h"
#include "cli/compile/dependency_file.h"
#include "cli/compile/link_words.h"
#include "cli/compile/nvcc_line.h"

namespace cui::cli {
namespace {

using Option = NvccOption;

/// CUDA's own libraries, which the CPU backend stands in for.
bool isCudaRuntimeLibrary(const std::string& name) {
  return name == "cudart" || name == "cudart_static" || name == "cudadevrt" || name == "cuda" ||
         name == "curand" || name == "curand_static" || name == "culibos";
}

Words withoutForcedIncludes(const Words& words) {
  Words result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "-include")
      ++i;
    else
      result.push_back(words[i]);
  }
  return result;
}

class CpuJob {
 public:
  CpuJob(const Words& words, const RewriteFlags& flags)
      : flags_(flags), line_(words, NvccLine::Dialect::gnu), installation_(findInstallation()) {}

  int run();

 private:
  bool compilesOnly() const { return !options_.stop.empty(); }
  Words dependencyOptions(const std::string& input, const std::string& object) const;
  std::filesystem::path dependencyFile(const std::string& input) const;
  std::string objectOf(const std::string& input) const;
  int compileCuda(const std::string& input, const std::filesystem::path& rewritten,
                  const std::string& object);
  int preprocess(const std::string& input, bool cuda);
  int finish(const std::map<std::size_t, std::string>& objects);
  int runCompiler(const Words& words) const;

  const RewriteFlags& flags_;
  NvccLine line_;
  Installation installation_;
  CpuOptions options_;
};

/// What a compile-only line calls this source's object.
std::string CpuJob::objectOf(const std::string& input) const {
  if (const auto output = line_.value(Option::output); output && compilesOnly()) return *output;
  return std::filesystem::path(input).stem().string() + (options_.stop == "-S" ? ".s" : ".o");
}

std::filesystem::path CpuJob::dependencyFile(const std::string& input) const {
  if (const auto named = line_.value(Option::dependencyOutput)) return *named;
  const auto output = line_.value(Option::output);
  return output ? std::filesystem::path(*output).replace_extension(".d")
                : std::filesystem::path(input).filename().replace_extension(".d");
}

Words CpuJob::dependencyOptions(const std::string& input, const std::string& object) const {
  if (!line_.has(Option::dependenciesToo) && !line_.has(Option::userDependenciesToo)) return {};
  Words options = {line_.has(Option::dependenciesToo) ? "-MD" : "-MMD", "-MF", dependencyFile(input)};
  const std::vector<std::string> targets = line_.values(Option::dependencyTarget);
  for (const std::string& target : targets) append(options, {"-MT", target});
  if (targets.empty()) append(options, {"-MT", object});
  if (line_.has(Option::phonyTargets)) options.push_back("-MP");
  return options;
}

int CpuJob::runCompiler(const Words& words) const {
  Words command = options_.compiler;
  append(command, words);
  if (flags_.verbose) std::fprintf(stderr, "%s\n", shellLine(command).c_str());
  return runProcess(command).exitCode;
}

int CpuJob::compileCuda(const std::string& input, const std::filesystem::path& rewritten,
                        const std::string& object) {
  RewriteJob job;
  job.backend = Backend::cpu;
  job.input = input;
  job.output = rewritten;
  job.compilerFlags = {"-std=c++17"};
  append(job.compilerFlags, withToolkitsLast(parsingFlags(line_)));
  if (line_.has(Option::preInclude) &&
      std::find(options_.compile.begin(), options_.compile.end(), "-imacros") == options_.compile.end())
    job.includes = Includes::whereRewritten;
  const RewriteOutcome outcome = Rewriting(job, flags_, installation_).outcome();
  std::fputs(outcome.diagnostics.c_str(), stderr);
  if (!outcome.done) {
    throw Error(ExitCode::no, input + " cannot be built for the CPU backend" +
                                  (outcome.diagnostics.empty() ? ": " + outcome.reason : ", see above"));
  }
  Words words = outcome.tookIncludes ? withoutForcedIncludes(options_.compile) : options_.compile;
  append(words, {"-I", installation_.include, "-I", installation_.cpuToolkit, "-include", "cuda_runtime.h"});
  append(words, dependencyOptions(input, object));
  append(words, {"-x", "c++", rewritten, options_.stop.empty() ? "-c" : options_.stop, "-o", object});
  const int exitCode = runCompiler(words);
  if (exitCode == 0 && !dependencyOptions(input, object).empty()) {
    std::vector<std::string> includePaths;
    for (const std::string& list : line_.values(Option::includePath)) append(includePaths, splitList(list));
    mapDependencyFile(dependencyFile(input), userNames({{input, rewritten, includePaths}}));
  }
  return exitCode;
}

/// -E, -M, -MM speak about the user's own text.
int CpuJob::preprocess(const std::string& input, bool cuda) {
  Words words = options_.compile;
  append(words, {"-I", installation_.include, "-I", installation_.cpuToolkit});
  if (const auto output = line_.value(Option::output)) append(words, {"-o", *output});
  if (const auto file = line_.value(Option::dependencyOutput)) append(words, {"-MF", *file});
  for (const std::string& target : line_.values(Option::dependencyTarget)) append(words, {"-MT", target});
  if (cuda) append(words, {"-include", "cuda_runtime.h", "-x", "c++"});
  words.push_back(input);
  return runCompiler(words);
}

/// The line without its CUDA sources: their objects stand in their places.
int CpuJob::finish(const std::map<std::size_t, std::string>& objects) {
  Words words = options_.compile;
  // nvcc lets host sources include cuda_runtime.h, too.
  append(words, {"-I", installation_.include, "-I", installation_.cpuToolkit});
  bool anyInput = false;
  bool anyCuda = false;
  for (std::size_t i = 0; i < line_.arguments().size(); ++i) {
    const NvccArgument& argument = line_.arguments()[i];
    if (argument.option == Option::libraryName) {
      for (const std::string& name : splitList(argument.value))
        if (!isCudaRuntimeLibrary(name)) words.push_back("-l" + name);
    } else if (argument.option == Option::input) {
      const auto object = objects.find(i);
      anyCuda |= object != objects.end();
      // With -c, the objects of CUDA sources are products, not inputs.
      if (object != objects.end() && compilesOnly()) continue;
      anyInput = true;
      words.push_back(object != objects.end() ? object->second : argument.value);
      if (compilesOnly() && object == objects.end())
        append(words, dependencyOptions(argument.value, objectOf(argument.value)));
    }
  }
  if (!anyInput && (anyCuda || compilesOnly())) return 0;
  if (!anyInput) throw Error(ExitCode::usage, "no input files; see cuinstrument --help");
  if (compilesOnly()) words.push_back(options_.stop);
  if (const auto output = line_.value(Option::output)) append(words, {"-o", *output});
  if (!compilesOnly()) append(words, cpuLinkWords(installation_));
  return runCompiler(words);
}

int CpuJob::run() {
  const SignalGuard guard;
  options_ = cpuOptions(line_);

  const std::optional<std::string> language = line_.value(Option::language);
  const std::optional<std::string> output = line_.value(Option::output);
  if (line_.has(Option::deviceLink)) {
    // Nothing to link on a device; build systems still expect the object.
    return runCompiler({"-x", "c++", "-c", "/dev/null", "-o", output.value_or("a_dlink.o")});
  }
  std::vector<std::size_t> cudaInputs;
  std::size_t sources = 0;
  std::string key = std::filesystem::current_path();
  for (std::size_t i = 0; i < line_.arguments().size(); ++i) {
    const NvccArgument& argument = line_.arguments()[i];
    key += '\0' + argument.value;
    if (argument.option != Option::input) continue;
    if (!std::filesystem::exists(argument.value))
      throw Error(ExitCode::io, "'" + argument.value + "' does not exist");
    const std::string extension = std::filesystem::path(argument.value).extension();
    if (extension == ".ptx" || extension == ".cubin" || extension == ".fatbin")
      throw Error(ExitCode::usage,
                  "'" + argument.value + "' is GPU code; the CPU backend needs its CUDA source");
    sources += isSourceInput(argument.value) || isCudaInput(argument.value, language);
    if (isCudaInput(argument.value, language)) cudaInputs.push_back(i);
  }
  if (compilesOnly() && output && sources > 1)
    throw Error(ExitCode::usage,
                "-o names one output, but several sources are compiled with " + options_.stop);
  if (options_.preprocesses) {
    for (const std::string& input : line_.values(Option::input))
      if (const int exitCode = preprocess(input, isCudaInput(input, language))) return exitCode;
    return 0;
  }

  const TemporaryDirectory temporary(key);
  const std::filesystem::path directory =
      flags_.keepRewritten.empty() ? temporary.path() : std::filesystem::absolute(flags_.keepRewritten);
  std::map<std::size_t, std::string> objects;
  for (std::size_t index : cudaInputs) {
    const std::string& input = line_.arguments()[index].value;
    const std::filesystem::path rewritten = rewrittenPath(directory, input, objects.size());
    std::string object = objectOf(input);
    if (!compilesOnly())
      object = temporary.makeSubdirectory("objects-" + std::to_string(objects.size())) / object;
    if (const int exitCode = compileCuda(input, rewritten, object)) return exitCode;
    objects[index] = object;
  }
  return finish(objects);
}

}  // namespace

int runCpu(const std::vector<std::string>& words, const RewriteFlags& flags) {
  return CpuJob(words, flags).run();
}

}  // namespace cui::cli
