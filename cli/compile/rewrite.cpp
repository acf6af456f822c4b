// Running cuinstrument-rewrite on one source file.
#include "cli/compile/rewrite.h"

#include <array>
#include <cstdio>
#include <cstdlib>

#include "cli/base/errors.h"
#include "cli/base/process.h"
#include "cli/base/words.h"
#include "cli/compile/nvcc_line.h"

namespace cui::cli {
namespace {

bool isSet(const char* name) {
  const char* value = std::getenv(name);
  return value && *value && std::string_view(value) != "0";
}

/// Returns true if words[0] is option `name`, and takes it and its value (`--name value`, `--name=value`).
bool takeValue(std::vector<std::string>& words, std::string_view name, std::string& value) {
  const std::string& word = words.front();
  if (word == name) {
    if (words.size() < 2) throw Error(ExitCode::usage, "option '" + word + "' needs a value");
    value = words[1];
    words.erase(words.begin(), words.begin() + 2);
    return true;
  }
  if (word.size() > name.size() && word.compare(0, name.size(), name) == 0 && word[name.size()] == '=') {
    value = word.substr(name.size() + 1);
    words.erase(words.begin());
    return true;
  }
  return false;
}

void takeInto(RewriteFlags& flags, std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 3> forwardedWithValue = {"--root", "--include", "--exclude"};
  while (!words.empty() && words.front().size() > 1 && words.front()[0] == '-') {
    std::string value;
    bool taken = true;
    if (words.front() == "--values" || words.front() == "--separate") {
      flags.forwarded.push_back(words.front());
    } else if (words.front() == "--strict") {
      flags.strict = true;
    } else if (words.front() == "--verbose") {
      flags.verbose = true;
    } else if (takeValue(words, "--keep-rewritten", value)) {
      flags.keepRewritten = value;
      continue;
    } else if (takeValue(words, "--emit-metadata", flags.metadata)) {
      continue;
    } else if (takeValue(words, "--mode", value)) {
      if (value != "trace" && value != "profile" && value != "both")
        throw Error(ExitCode::usage, "--mode is trace, profile or both, not '" + value + "'");
      flags.mode = value == "both" ? "" : value;
      continue;
    } else if (takeValue(words, "--recorder", value)) {
      if (value != "linked" && value != "compiled")
        throw Error(ExitCode::usage, "--recorder is linked or compiled, not '" + value + "'");
      flags.compilesRecorder = value == "compiled";
      continue;
    } else {
      taken = false;
    }
    if (taken) {
      words.erase(words.begin());
      continue;
    }
    for (std::string_view name : forwardedWithValue) {
      if (!takeValue(words, name, value)) continue;
      flags.forwarded.push_back(std::string(name) + "=" + value);
      taken = true;
      break;
    }
    if (!taken)
      throw Error(ExitCode::usage, "unknown option '" + words.front() + "'; see cuinstrument --help");
  }
}

/// The first line that says `error`, else the first line.
std::string reasonIn(const std::string& diagnostics) {
  std::string first;
  std::size_t begin = 0;
  while (begin < diagnostics.size()) {
    const std::size_t end = std::min(diagnostics.find('\n', begin), diagnostics.size());
    const std::string line = diagnostics.substr(begin, end - begin);
    if (line.find("error:") != std::string::npos) return line;
    if (first.empty()) first = line;
    begin = end + 1;
  }
  return first;
}

}  // namespace

RewriteFlags takeRewriteFlags(std::vector<std::string>& words) {
  RewriteFlags flags;
  flags.strict = isSet("CUINSTRUMENT_STRICT");
  if (const char* configured = std::getenv("CUINSTRUMENT_REWRITE_FLAGS")) {
    std::vector<std::string> fromEnvironment = splitWords(configured);
    takeInto(flags, fromEnvironment);
    if (!fromEnvironment.empty())
      throw Error(ExitCode::usage,
                  "CUINSTRUMENT_REWRITE_FLAGS: '" + fromEnvironment.front() + "' is no option");
  }
  takeInto(flags, words);
  return flags;
}

RewriteOutcome rewriteSource(const RewriteJob& job, const RewriteFlags& flags,
                             const Installation& installation) {
  std::vector<std::string> command = {installation.rewriter,
                                      job.backend == Backend::cuda ? "--backend=cuda" : "--backend=cpu"};
  append(command, flags.forwarded);
  if (flags.strict) command.emplace_back("--refuse-errors");
  if (!flags.metadata.empty()) command.push_back("--emit-metadata=" + flags.metadata);
  for (const std::string& line : job.left) command.push_back("--leave=" + line);
  command.insert(command.end(), {"-o", job.output, job.input, "--"});
  append(command, job.compilerFlags);
  if (flags.verbose) std::fprintf(stderr, "%s\n", shellLine(command).c_str());

  const ProcessResult result = runProcess(command, Capture::errorOnly);
  if (result.succeeded()) return {true, "", result.error};
  std::string reason = reasonIn(result.error);
  if (result.signal != 0)
    reason = "the rewriter was ended by signal " + std::to_string(result.signal);
  else if (reason.empty())
    reason = "the rewriter failed with exit code " + std::to_string(result.exitCode);
  return {false, reason, result.error};
}

void warn(const std::string& message) {
  std::fprintf(stderr, "cuinstrument: warning: %s\n", message.c_str());
}

std::filesystem::path rewrittenPath(const std::filesystem::path& directory, const std::string& input,
                                    std::size_t index) {
  // The base name stays, because compilers name their outputs after it; two inputs may share one.
  const std::filesystem::path folder = directory / std::to_string(index);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(ExitCode::io, "cannot create '" + folder.string() + "': " + error.message());
  const std::filesystem::path path = folder / std::filesystem::path(input).filename();
  if (std::filesystem::equivalent(path, input, error))
    throw Error(ExitCode::usage, "--keep-rewritten would overwrite '" + input + "'; name another directory");
  return path;
}

}  // namespace cui::cli
