// Exit codes of every cuinstrument tool, and the exceptions that carry them to main().
#pragma once

#include <stdexcept>
#include <string>

namespace cui::cli {

enum class ExitCode : int {
  ok = 0,
  no = 1,        ///< the answer is no: the source does not compile, validation failed
  usage = 2,     ///< the command line (or the SQL on it) is wrong
  io = 3,        ///< a file is missing, unreadable, not a trace; the disk is full
  internal = 4,  ///< a bug of ours
};

/// One line for the user: what, where, what to do. main() prints it and exits with the code.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

/// A signal asked us to stop. Unwinds the stack, so that temporary files go; main() then dies of the
/// same signal, so that make and the shell see an interrupted command.
class Interrupted {
 public:
  explicit Interrupted(int signal) : signal_(signal) {}
  int signal() const { return signal_; }

 private:
  int signal_;
};

}  // namespace cui::cli
