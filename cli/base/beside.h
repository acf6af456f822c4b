// Two things at a time.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "cli/base/process.h"
#include "cli/base/words.h"

namespace cui::cli {

/// How many processes, or threads of one, run at a time (`--jobs`). In the environment, because nvcc stands
/// between us and our ptxas.
constexpr const char* jobsVariable = "CUINSTRUMENT_JOBS";

constexpr unsigned long usualJobs = 2;
inline unsigned long jobs() {
  constexpr unsigned long most = 256;
  const char* const value = std::getenv(jobsVariable);
  const unsigned long wanted = value == nullptr ? 0 : std::strtoul(value, nullptr, 10);
  return wanted == 0 ? usualJobs : std::min(wanted, most);
}

/// A command beside what is done next: at the same time, or, where one process is to run at a time, once it
/// is waited for. One that nobody waits for is ended.
class Beside {
 public:
  explicit Beside(Words command, Capture capture = Capture::everything)
      : command_(std::move(command)), capture_(capture) {
    if (jobs() > 1) process_.emplace(command_, capture_);
  }

  ProcessResult wait() { return process_ ? process_->wait() : runProcess(command_, capture_); }

 private:
  Words command_;
  Capture capture_;
  std::optional<Process> process_;
};

}  // namespace cui::cli
