// `cuinstrument nvcc …`. The rule behind every choice here: the user gets what nvcc gives for this line; if
// it cannot be instrumented as well, they are told so and get it uninstrumented (--strict: an error).
#include "cli/compile/nvcc_command.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "cli/base/errors.h"
#include "cli/base/process.h"
#include "cli/base/scoped_variable.h"
#include "cli/base/signals.h"
#include "cli/base/temporary.h"
#include "cli/base/words.h"
#include "cli/compile/dependency_file.h"
#include "cli/compile/link_words.h"
#include "cli/compile/nvcc_job.h"

namespace cui::cli {
namespace {

using Option = NvccOption;

constexpr const char* prependedFlags = "NVCC_PREPEND_FLAGS";
constexpr const char* appendedFlags = "NVCC_APPEND_FLAGS";

bool anyOf(const std::vector<const NvccLine*>& lines, std::initializer_list<Option> options) {
  for (const NvccLine* line : lines)
    for (Option option : options)
      if (line->has(option)) return true;
  return false;
}

std::vector<std::string> wordsInEnvironment(const char* name) {
  const char* value = std::getenv(name);
  return value ? splitWords(value) : std::vector<std::string>{};
}

}  // namespace

NvccJob::NvccJob(const std::vector<std::string>& compiler, const std::vector<std::string>& words,
                 const RewriteFlags& flags)
    : compiler_(compiler),
      words_(words),
      flags_(flags),
      line_(words),
      prepended_(wordsInEnvironment(prependedFlags)),
      appended_(wordsInEnvironment(appendedFlags)),
      installation_(findInstallation()) {}

bool NvccJob::has(std::initializer_list<Option> options) const {
  return anyOf({&line_, &prepended_, &appended_}, options);
}

std::optional<std::string> NvccJob::value(Option option) const {
  for (const NvccLine* line : {&appended_, &line_, &prepended_})
    if (auto found = line->value(option)) return found;
  return std::nullopt;
}

/// Lines whose product is text about the source, or nothing: they concern the user's own file.
bool NvccJob::onlyPrints() const {
  return has({Option::preprocess, Option::dependencies, Option::userDependencies, Option::dryRun,
              Option::cleanTargets, Option::help, Option::version, Option::listCode,
              Option::listArchitectures});
}

bool NvccJob::links() const {
  if (onlyPrints() || has({Option::compile, Option::deviceC, Option::deviceW, Option::deviceLink,
                           Option::library, Option::cuda, Option::cubin, Option::fatbin, Option::ptx,
                           Option::optixIr, Option::ltoir, Option::relocatableLink}))
    return false;
  bool found = false;
  for (const NvccLine* line : {&line_, &prepended_, &appended_})
    for (const NvccArgument& argument : line->arguments())
      found |= argument.option == Option::input && !(has({Option::run}) && isRunInput(argument.value));
  return found;
}

std::vector<std::string> NvccJob::libraries() const {
  if (!links()) return {};
  std::vector<std::string> words = cudaLinkWords(installation_);
  // Under -x, nvcc takes every input for a source, a library too.
  if (has({Option::language})) words.insert(words.begin(), "-Xlinker");
  return words;
}

/// nvcc's rule: -MF; else -o with its suffix replaced; else each input's base name, in -odir.
void NvccJob::mapDependencyFiles() const {
  if (!has({Option::dependenciesToo, Option::userDependenciesToo})) return;
  std::vector<std::string> includePaths;
  for (const NvccLine* line : {&prepended_, &line_, &appended_})
    for (const std::string& list : line->values(Option::includePath))
      for (std::string& path : splitList(list)) includePaths.push_back(std::move(path));
  std::vector<SourceNames> sources;
  std::vector<std::filesystem::path> files;
  for (const auto& [index, path] : rewritten_) {
    const std::string& original = line_.arguments()[index].value;
    sources.push_back({original, path, includePaths});
    std::filesystem::path file = std::filesystem::path(original).filename().replace_extension(".d");
    if (const auto directory = value(Option::outputDirectory)) file = *directory / file;
    files.push_back(file);
  }
  if (const auto named = value(Option::dependencyOutput))
    files = {*named};
  else if (const auto output = value(Option::output))
    files = {std::filesystem::path(*output).replace_extension(".d")};
  const PathMapping mapping = userNames(sources);
  for (const std::filesystem::path& file : files) mapDependencyFile(file, mapping);
}

/// nvcc's rule for the target: -MT; else -o; else the source's object, in -odir. Of a line of one source.
DependencyRule NvccJob::dependencyRule() const {
  DependencyRule rule;
  rule.phonyTargets = has({Option::phonyTargets});
  rule.systemHeaders = has({Option::dependenciesToo});
  std::filesystem::path object;
  for (const auto& [index, path] : rewritten_) object = line_.arguments()[index].value;
  object = object.filename().replace_extension(".o");
  if (const auto directory = value(Option::outputDirectory)) object = *directory / object;
  rule.target = value(Option::dependencyTarget).value_or(value(Option::output).value_or(object));
  return rule;
}

std::vector<std::string> NvccJob::commandFor(std::vector<std::string> compiler,
                                             const std::vector<std::string>& words) const {
  std::vector<std::string> command = std::move(compiler);
  append(command, words);
  for (std::string& library : libraries()) command.push_back(std::move(library));
  if (flags_.verbose) std::fprintf(stderr, "%s\n", shellLine(command).c_str());
  return command;
}

int NvccJob::runPlain() {
  plainIsLast_ = true;
  return runProcess(commandFor(compiler_, words_), Capture::nothing,
                    has({Option::run}) ? Group::shared : Group::own)
      .exitCode;
}

ProcessResult NvccJob::compileRewritten(const std::filesystem::path& directory) {
  plainIsLast_ = false;
  std::map<std::size_t, std::string> replaced = rewritten_;
  for (std::size_t i = 0; i < line_.arguments().size(); ++i) {
    const NvccArgument& argument = line_.arguments()[i];
    if (argument.option != Option::standard || raisedStandard(argument.value) == argument.value) continue;
    replaced[i] = (argument.words == 2 ? "" : "-std=") + raisedStandard(argument.value);
  }
  const bool took = tookIncludes_ != 0;
  std::vector<std::string> words =
      line_.withInputs(replaced, directory, took ? Option::preInclude : Option::unknown);
  // A system folder: warnings stay off in it, and -MMD leaves it out.
  words.insert(words.end(), {"-isystem", installation_.include});
  if (!flags_.mode.empty()) words.emplace_back(flags_.mode == "trace" ? traceOnly : profileOnly);
  const ScopedVariable prepended(prependedFlags, took ? wordsWithoutIncludes(prepended_) : std::nullopt);
  const ScopedVariable appended(appendedFlags, took ? wordsWithoutIncludes(appended_) : std::nullopt);
  return compileWords(words);
}

void show(const ProcessResult& result) {
  std::fputs(result.output.c_str(), stdout);
  std::fputs(result.error.c_str(), stderr);
}

void NvccJob::accept(const ProcessResult& result) const {
  show(result);
  std::fputs(notes_.c_str(), stderr);
  if (!notLinked_.empty()) warn(compiledInstead());
  mapDependencyFiles();
}

int NvccJob::runRewritten(const std::filesystem::path& directory) {
  const ProcessResult result = compileRewritten(directory);
  if (result.succeeded()) {
    accept(result);
    return 0;
  }
  // With --run, it may be the program that failed.
  if (flags_.strict || has({Option::run})) {
    show(result);
    return result.exitCode;
  }
  return fallBack(result, directory);
}

int NvccJob::run() {
  const SignalGuard guard;
  if (onlyPrints()) return runPlain();
  std::unique_ptr<TemporaryDirectory> temporary;
  std::filesystem::path directory = flags_.keepRewritten;
  if (directory.empty()) {
    std::string key = std::filesystem::current_path();
    for (const std::string& word : words_) key += '\0' + word;
    temporary = std::make_unique<TemporaryDirectory>(key);
    directory = temporary->path();
  } else {
    directory = std::filesystem::absolute(directory);
  }
  if (!flags_.jobs.empty()) ::setenv(jobsVariable, flags_.jobs.c_str(), 1);
  rewriteInputs(directory);
  if (rewritten_.empty()) return runPlain();
  chooseRecorder();
  return runRewritten(directory);
}

int runNvcc(const std::vector<std::string>& compiler, const std::vector<std::string>& words,
            const RewriteFlags& flags) {
  std::optional<NvccJob> job;
  try {
    job.emplace(compiler, words, flags);
  } catch (const Error&) {
    // A value or an option file that is not there: nvcc says so itself.
    std::vector<std::string> command = compiler;
    append(command, words);
    if (const int code = runProcess(command).exitCode; code != 0) return code;
    throw;
  }
  return job->run();
}

namespace {

/// Is `path` this program, as a build that names nvcc finds it on PATH?
bool isThisProgram(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::equivalent(path, "/proc/self/exe", error);
}

/// Names the script that we call as nvcc: should it call us in turn (`exec cuinstrument --values nvcc "$@"`),
/// what we call then is the nvcc behind it.
constexpr const char* scriptVariable = "CUINSTRUMENT_NVCC_SCRIPT";

bool hasCalledUs(const std::filesystem::path& path) {
  const char* script = std::getenv(scriptVariable);
  std::error_code error;
  return script && std::filesystem::equivalent(path, script, error);
}

}  // namespace

NvccCommand nvccCommand(const std::string& word) {
  if (const char* configured = std::getenv("CUINSTRUMENT_NVCC"); configured && *configured)
    return {splitWords(configured), false};
  if (word.find('/') != std::string::npos) return {{word}, false};
  bool shadowed = false, called = false;
  for (const std::filesystem::path& candidate : programsOnPath(word)) {
    if (isThisProgram(candidate)) {
      shadowed = true;
    } else if (hasCalledUs(candidate)) {
      called = true;
    } else {
      if (isScript(candidate)) ::setenv(scriptVariable, std::filesystem::absolute(candidate).c_str(), 1);
      return {{shadowed || called ? candidate.string() : word}, called};
    }
  }
  if (shadowed || called)
    throw Error(ExitCode::usage,
                "there is no " + word + " on PATH but cuinstrument's; set CUINSTRUMENT_NVCC");
  return {{word}, false};
}

}  // namespace cui::cli
