// Child processes: started, waited for, and told of the signals we get.
#pragma once

#include <filesystem>
#include <memory>
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

/// A command that runs beside us, and beside others.
class Process {
 public:
  /// arguments[0] is looked up in PATH. Throws Error if it cannot be started, Interrupted if a signal has
  /// arrived.
  explicit Process(const std::vector<std::string>& arguments, Capture capture = Capture::nothing,
                   Group group = Group::own);
  /// One that nobody waited for is told to end, and has ended then.
  ~Process();
  Process(Process&&) noexcept;
  Process& operator=(Process&&) noexcept;

  /// Once. Throws Interrupted if a signal stopped us meanwhile (the child has been told and has ended by
  /// then).
  ProcessResult wait();

  /// The first of these to end, once it has closed what is captured of it: wait() returns at once then.
  /// Throws Interrupted.
  static Process* firstToEnd(const std::vector<Process*>& processes);

 private:
  class Child;
  std::unique_ptr<Child> child_;
};

/// Runs a command to its end.
inline ProcessResult runProcess(const std::vector<std::string>& arguments, Capture capture = Capture::nothing,
                                Group group = Group::own) {
  return Process(arguments, capture, group).wait();
}

/// The programs of that name on PATH, in its order.
std::vector<std::filesystem::path> programsOnPath(const std::string& name);
/// What is run by that name; empty if there is nothing.
std::filesystem::path programOf(const std::string& name);
bool beginsWith(const std::filesystem::path& file, const std::string& expected);
inline bool isScript(const std::filesystem::path& program) {
  return beginsWith(program, "#!");
}

/// Replaces this process. Returns only by throwing Error.
[[noreturn]] void replaceProcess(const std::vector<std::string>& arguments);

/// The command as one could type it, for --verbose.
std::string shellLine(const std::vector<std::string>& arguments);

}  // namespace cui::cli
