// Two things at a time.
#pragma once

#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/base/process.h"
#include "cli/base/words.h"

namespace cui::cli {

/// `1`: one process at a time (`--jobs`). In the environment, because nvcc stands between us and our ptxas.
constexpr const char* jobsVariable = "CUINSTRUMENT_JOBS";

/// A command beside what is done next: at the same time, or, where one process is to run at a time, once it
/// is waited for. One that nobody waits for is ended.
class Beside {
 public:
  explicit Beside(Words command, Capture capture = Capture::everything)
      : command_(std::move(command)), capture_(capture) {
    const char* const jobs = std::getenv(jobsVariable);
    if (jobs == nullptr || jobs != std::string_view("1")) process_.emplace(command_, capture_);
  }

  ProcessResult wait() { return process_ ? process_->wait() : runProcess(command_, capture_); }

 private:
  Words command_;
  Capture capture_;
  std::optional<Process> process_;
};

}  // namespace cui::cli
