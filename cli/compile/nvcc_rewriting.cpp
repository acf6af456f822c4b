// The sources of an nvcc line, rewritten one beside the next.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>

#include "cli/base/errors.h"
#include "cli/compile/nvcc_job.h"

namespace cui::cli {

struct NvccJob::Started {
  std::size_t index;  ///< of the argument
  RewriteJob job;
  Rewriting rewriting;
};

std::vector<std::string> NvccJob::rewriterFlags() const {
  std::vector<std::string> kept;
  // nvcc's, and -ccbin's default. Whether it is a Clang matters to programs that ask.
  if (const char* named = std::getenv("NVCC_CCBIN"); named && *named)
    kept.push_back(std::string("-ccbin=").append(named));
  for (const NvccLine* line : {&prepended_, &line_, &appended_})
    for (std::string& word : parsingFlags(*line)) kept.push_back(std::move(word));
  // Else the rewriter reads the text for a newer one than nvcc, whose own it knows.
  if (!value(NvccOption::architecture) && !value(NvccOption::generateCode))
    kept.emplace_back("-arch=default");
  return kept;
}

void NvccJob::rewriteInputs(const std::filesystem::path& directory) {
  rewriteInputs(directory, mayTakeIncludes() ? Includes::whereRewritten : Includes::leave);
  if (tookIncludes_ != 0 && !allTookIncludes()) rewriteInputs(directory, Includes::always);
  if (tookIncludes_ != 0 && !allTookIncludes()) rewriteInputs(directory, Includes::leave);
  for (const auto& [input, reason] : notRewritten_)
    warn(std::string(input).append(" is not instrumented: ").append(reason));
}

void NvccJob::rewriteInputs(const std::filesystem::path& directory, Includes includes) {
  const std::optional<std::string> language = value(NvccOption::language);
  const std::vector<std::string> compilerFlags = rewriterFlags();
  rewritten_.clear();
  notes_.clear();
  notRewritten_.clear();
  tookIncludes_ = 0;
  std::size_t sources = 0;
  std::optional<Started> last;
  for (std::size_t i = 0; i < line_.arguments().size(); ++i) {
    const NvccArgument& argument = line_.arguments()[i];
    if (argument.option != NvccOption::input) continue;
    if (argument.value == "-") notRewritten_.emplace("standard input", "give nvcc a file");
    // A file that is not there is nvcc's to report.
    if (!isCudaInput(argument.value, language) || !std::filesystem::exists(argument.value)) continue;
    if (++sources > 1 && !flags_.metadata.empty())
      throw Error(ExitCode::usage, "--emit-metadata names one file, but the line has several CUDA sources");
    RewriteJob job;
    job.input = argument.value;
    job.output = rewrittenPath(directory, job.input, sources - 1);
    job.compilerFlags = compilerFlags;
    job.left = left_;
    job.leftLines = leftLines_;
    job.includes = includes;
    // At most two at a time: this one is under way while the one before it is waited for.
    Started next{i, job, Rewriting(job, flags_, installation_)};
    if (last) take(*last);
    last.emplace(std::move(next));
  }
  if (last) take(*last);
}

void NvccJob::take(Started& started) {
  const RewriteJob& job = started.job;
  const RewriteOutcome outcome = started.rewriting.outcome();
  if (outcome.done) {
    rewritten_[started.index] = job.output;
    tookIncludes_ += outcome.tookIncludes ? 1 : 0;
    notes_ += outcome.diagnostics;
  } else if (flags_.strict) {
    std::fputs(outcome.diagnostics.c_str(), stderr);
    throw Error(ExitCode::no, job.input + " cannot be instrumented: " + outcome.reason);
  } else {
    if (flags_.verbose) std::fputs(outcome.diagnostics.c_str(), stderr);
    notRewritten_.emplace(job.input, outcome.reason);
  }
}

}  // namespace cui::cli
