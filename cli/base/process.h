// Child processes: started, waited for, and told of the signals we get.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cui::cli {

struct ProcessResult {
  int exitCode = 0;           ///< as a shell would report it: 128 + n if signal n ended the child
  int signal = 0;             ///< 0 if the child exited by itself
  std::string output, error;  ///< empty unless captured
  bool succeeded() const { return exitCode == 0; }
};

enum class Capture { nothing, errorOnly, everything };

/// own: the child leads a process group, so that a signal reaches the whole tree of compilers that nvcc
/// starts. shared: the child may read from the terminal (`nvcc --run`).
enum class Group { own, shared };

/// Runs a command to its end. arguments[0] is looked up in PATH. Throws Error if it cannot be started,
/// Interrupted if a signal stopped us meanwhile (the child has been told and has ended by then).
ProcessResult runProcess(const std::vector<std::string>& arguments, Capture capture = Capture::nothing,
                         Group group = Group::own);

/// The programs of that name on PATH, in its order.
std::vector<std::filesystem::path> programsOnPath(const std::string& name);

/// Replaces this process. Returns only by throwing Error.
[[noreturn]] void replaceProcess(const std::vector<std::string>& arguments);

/// While one exists, SIGINT, SIGTERM and SIGHUP are noted and forwarded instead of killing us, so that
/// temporary files can be removed. One at a time.
class SignalGuard {
 public:
  SignalGuard();
  ~SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;
  /// The signal that arrived since construction, or 0.
  static int pending();
  /// Throws Interrupted if there is one.
  static void check();
};

/// Ends this process by the signal's default action.
[[noreturn]] void dieBySignal(int signal);

/// The command as one could type it, for --verbose.
std::string shellLine(const std::vector<std::string>& arguments);

}  // namespace cui::cli
