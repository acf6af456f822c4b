// The sources of an nvcc line, rewritten one beside the next.
#include <algorithm>
#include <cctype>
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

/// `-arch=all`, `all-major` and `native` as what they stand for, which only nvcc and the machine know; any
/// other option as it is.
std::vector<std::string> NvccJob::architecturesOf(const std::string& option) const {
  const std::string list = "__CUDA_ARCH_LIST__=";
  if (option != "-arch=all" && option != "-arch=all-major" && option != "-arch=native") return {option};
  std::vector<std::string> asked = compiler_;
  asked.insert(asked.end(), {option, "--dryrun", "--keep", "-c", "-x", "cu", "/dev/null"});
  const std::string steps = runProcess(asked, Capture::everything).error;
  std::vector<std::string> named;
  std::string last;  // which the text is read for first: one that every Clang knows
  const std::size_t begin = steps.find(list);
  std::size_t at = begin == std::string::npos ? steps.size() : begin + list.size();
  while (at < steps.size() && std::isdigit(static_cast<unsigned char>(steps[at])) != 0) {
    const std::size_t end = std::min(steps.find_first_not_of("0123456789", at), steps.size());
    const std::string number = steps.substr(at, end - at - 1);  // 900 of sm_90
    std::string words = "-gencode=arch=compute_";
    words.append(number).append(",code=sm_").append(number);
    if (number == "90")
      last = std::move(words);
    else
      named.push_back(std::move(words));
    at = end + (end < steps.size() && steps[end] == ',' ? 1 : 0);
  }
  if (!last.empty()) named.push_back(std::move(last));
  return named.empty() ? std::vector<std::string>{option} : named;
}

std::vector<std::string> NvccJob::rewriterFlags() const {
  std::vector<std::string> kept;
  // nvcc's, and -ccbin's default. Whether it is a Clang matters to programs that ask.
  if (const char* named = std::getenv("NVCC_CCBIN"); named && *named)
    kept.push_back(std::string("-ccbin=").append(named));
  for (const NvccLine* line : {&prepended_, &line_, &appended_})
    for (const std::string& word : parsingFlags(*line))
      for (std::string& one : architecturesOf(word)) kept.push_back(std::move(one));
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
    if (argument.value == "-" && language.value_or("cu") == "cu") {
      if (flags_.strict) throw Error(ExitCode::no, "standard input cannot be instrumented: give nvcc a file");
      notRewritten_.emplace("standard input", "give nvcc a file");
    }
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
