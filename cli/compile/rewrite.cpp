// Running cuinstrument-rewrite on one source file.
#include "cli/compile/rewrite.h"

#include <cstdio>

#include "cli/base/cache.h"
#include "cli/base/errors.h"
#include "cli/base/process.h"
#include "cli/base/words.h"

namespace cui::cli {
namespace {

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

std::filesystem::path takenPath(const RewriteJob& job) {
  return job.output.string() + ".includes";
}

Words rewriterCommand(const RewriteJob& job, const RewriteFlags& flags, const Installation& installation) {
  Words command = {installation.rewriter, job.backend == Backend::cuda ? "--backend=cuda" : "--backend=cpu"};
  append(command, headerCacheFlags());
  append(command, flags.forwarded);
  if (flags.strict) command.emplace_back("--refuse-errors");
  if (!flags.metadata.empty()) command.push_back("--emit-metadata=" + flags.metadata);
  for (const std::string& line : job.left) command.push_back("--leave=" + line);
  for (const std::string& line : job.leftLines) command.push_back("--leave-line=" + line);
  const std::filesystem::path taken = takenPath(job);
  std::error_code ignored;
  std::filesystem::remove(taken, ignored);
  if (job.includes != Includes::leave) command.push_back("--take-includes=" + taken.string());
  if (job.includes == Includes::always) command.emplace_back("--take-all-includes");
  command.insert(command.end(), {"-o", job.output, job.input, "--"});
  append(command, job.compilerFlags);
  if (flags.verbose) std::fprintf(stderr, "%s\n", shellLine(command).c_str());
  return command;
}

}  // namespace

Words headerCacheFlags() {
  const std::filesystem::path cache = cacheFolder();
  return cache.empty() ? Words() : Words{"--header-cache=" + (cache / "headers").string()};
}

Rewriting::Rewriting(const RewriteJob& job, const RewriteFlags& flags, const Installation& installation)
    : taken_(takenPath(job)), rewriter_(rewriterCommand(job, flags, installation), Capture::errorOnly) {}

RewriteOutcome Rewriting::outcome() {
  const ProcessResult result = rewriter_.wait();
  std::error_code ignored;
  const bool tookIncludes = std::filesystem::remove(taken_, ignored);
  if (result.succeeded()) return {true, tookIncludes, "", result.error};
  std::string reason = reasonIn(result.error);
  if (result.signal != 0)
    reason = "the rewriter was ended by signal " + std::to_string(result.signal);
  else if (reason.empty())
    reason = "the rewriter failed with exit code " + std::to_string(result.exitCode);
  return {false, false, reason, result.error};
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
