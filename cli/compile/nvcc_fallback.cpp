// nvcc failed on the instrumented form. Its verdict on the user's own sources decides; if it takes those, as
// much as possible stays instrumented: first only the lines that its messages speak of are left alone, then
// their functions, then only the sources that do not compile.
#include <algorithm>

#include "cli/base/errors.h"
#include "cli/compile/error_lines.h"
#include "cli/compile/keep_working.h"
#include "cli/compile/nvcc_job.h"

namespace cui::cli {

int NvccJob::fallBack(const ProcessResult& result, const std::filesystem::path& directory) {
  const int plain = runPlain();
  if (plain != 0) return plain;
  const std::map<std::size_t, std::string> all = rewritten_;
  if (retryWithout(errorLines(result.output + result.error), directory)) return 0;
  if (!keepWhatWorks(directory)) {
    rewritten_.clear();
    if (!plainIsLast_) runPlain();  // what failed since then may have removed its output
  }
  std::string names;
  for (const auto& [index, path] : all)
    if (!rewritten_.count(index)) names += (names.empty() ? "" : ", ") + line_.arguments()[index].value;
  warn("nvcc accepts " + names + " but not the instrumented form; not instrumented. nvcc said:");
  show(result);
  return 0;
}

/// Leaves out what nvcc's messages speak of, round by round: what is on a line, then functions.
bool NvccJob::retryWithout(std::vector<std::string> lines, const std::filesystem::path& directory) {
  constexpr int rounds = 4;
  for (int round = 0; round < rounds && !lines.empty(); ++round) {
    std::vector<std::string>& left = round == 0 ? leftLines_ : left_;
    const std::size_t known = left.size();
    for (std::string& line : lines) {
      if (round > 0) std::erase(leftLines_, line);
      if (std::find(left.begin(), left.end(), line) == left.end()) left.push_back(std::move(line));
    }
    if (left.size() == known) return false;
    rewriteInputs(directory);
    if (rewritten_.empty()) return false;
    const ProcessResult result = compileRewritten(directory);
    if (result.succeeded()) {
      warnOfLines();
      accept(result);
      return true;
    }
    lines = errorLines(result.output + result.error);
  }
  return false;
}

/// Of several sources on a line, those that compile instrumented beside the others' originals. False if
/// there are none.
bool NvccJob::keepWhatWorks(const std::filesystem::path& directory) {
  // An original needs what -include names, which goes for all sources of the line or for none.
  if (tookIncludes_ != 0) rewriteInputs(directory, Includes::leave);
  const std::map<std::size_t, std::string> all = rewritten_;
  std::vector<std::size_t> indices;
  indices.reserve(all.size());
  for (const auto& [index, path] : all) indices.push_back(index);
  ProcessResult last;
  const auto compile = [&](const std::vector<std::size_t>& some) {
    rewritten_.clear();
    for (const std::size_t index : some) rewritten_[index] = all.at(index);
    last = compileRewritten(directory);
    return last.succeeded();
  };
  const std::vector<std::size_t> kept = KeepWorking(indices, compile).run();
  if (kept.empty()) return false;
  // A later try that failed may have removed the outputs.
  if (!last.succeeded() && !compile(kept)) return false;
  warnOfLines();
  accept(last);
  return true;
}

void NvccJob::warnOfLines() const {
  const auto list = [](const std::vector<std::string>& lines) {
    std::string places;
    for (const std::string& line : lines) places += (places.empty() ? "" : ", ") + line;
    return places;
  };
  if (!leftLines_.empty())
    warn("nvcc accepts these lines but not their instrumented form; what is on them is not instrumented: " +
         list(leftLines_));
  if (!left_.empty())
    warn("nvcc accepts these lines but not their instrumented form; their functions are not instrumented: " +
         list(left_));
}

}  // namespace cui::cli
