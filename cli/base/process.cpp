// Child processes, and what they print.
#include "cli/base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

#include "cli/base/errors.h"
#include "cli/base/signals.h"

namespace cui::cli {
namespace {

std::vector<char*> toArgv(const std::vector<std::string>& arguments) {
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  return argv;
}

std::string cannotStart(const std::string& command, int error) {
  return "cannot run '" + command + "': " + std::strerror(error) +
         (error == ENOENT ? "; is it installed and on PATH?" : "");
}

class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0)
      throw Error(ExitCode::io, std::string("cannot create a pipe: ") + std::strerror(errno));
  }
  ~Pipe() {
    closeEnd(0);
    closeEnd(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void closeReader() { closeEnd(0); }
  void closeWriter() { closeEnd(1); }

 private:
  void closeEnd(std::size_t end) {
    if (ends_[end] >= 0) close(ends_[end]);
    ends_[end] = -1;
  }
  std::array<int, 2> ends_{-1, -1};
};

/// In the child, between fork and exec: only async-signal-safe calls.
[[noreturn]] void execChild(char** argv, pid_t parent, const HeldSignals& signals, Group group,
                            const Pipe& output, const Pipe& error, Capture capture, int failureWriter) {
  if (group == Group::own) setpgid(0, 0);
  // Should we be killed outright, the child is told; nobody else would.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(127);
  signals.restoreForExec();
  if (capture == Capture::everything) dup2(output.writer(), STDOUT_FILENO);
  if (capture != Capture::nothing) dup2(error.writer(), STDERR_FILENO);
  execvp(argv[0], argv);
  const int failure = errno;
  [[maybe_unused]] const ssize_t written = write(failureWriter, &failure, sizeof failure);
  _exit(127);
}

/// The error that exec failed with; 0 once it has succeeded.
int failureOf(const Pipe& pipe) {
  int failure = 0;
  ssize_t count = -1;
  do {
    count = read(pipe.reader(), &failure, sizeof failure);
  } while (count < 0 && errno == EINTR);
  return count == static_cast<ssize_t>(sizeof failure) ? failure : 0;
}

}  // namespace

/// From fork until it has been waited for.
class Process::Child {
 public:
  Child(const std::vector<std::string>& arguments, Capture capture, Group group) {
    SignalGuard::check();
    std::fflush(nullptr);  // what we said comes before what the child says
    std::vector<char*> argv = toArgv(arguments);
    Pipe failurePipe;
    {
      const HeldSignals signals;
      const pid_t parent = getpid();
      pid_ = fork();
      if (pid_ == 0)
        execChild(argv.data(), parent, signals, group, output_, error_, capture, failurePipe.writer());
      if (pid_ < 0) throw Error(ExitCode::io, std::string("cannot start a process: ") + std::strerror(errno));
      if (group == Group::own) setpgid(pid_, pid_);  // here too: whoever is first
      target_ = group == Group::own ? -pid_ : pid_;
      signals.forwardTo(target_);
    }
    for (Pipe* const pipe : {&failurePipe, &output_, &error_}) pipe->closeWriter();
    if (const int failure = failureOf(failurePipe)) {
      reap();
      throw Error(ExitCode::io, cannotStart(arguments[0], failure));
    }
    if (capture != Capture::everything) output_.closeReader();
    if (capture == Capture::nothing) error_.closeReader();
    running.push_back(this);
  }
  ~Child() {
    if (pid_ >= 0) {
      kill(target_, SIGTERM);
      readOn();  // its last words: without a reader they would end it before it has cleaned up
      reap();
    }
    running.erase(std::remove(running.begin(), running.end(), this), running.end());
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  ProcessResult wait() {
    readOn();
    const int status = reap();
    SignalGuard::check();
    if (WIFSIGNALED(status)) result_.signal = WTERMSIG(status);
    result_.exitCode = WIFSIGNALED(status) ? 128 + result_.signal : WEXITSTATUS(status);
    return std::move(result_);
  }

  bool isSilent() const { return output_.reader() < 0 && error_.reader() < 0; }

  /// Waits until one of those that run has printed something, or ended. It is not only the one that is waited
  /// for: no other is to stand still because its pipe is full.
  static void readAll() {
    std::vector<pollfd> polls;
    std::vector<std::pair<Pipe*, std::string*>> streams;
    for (Child* const child : running) {
      for (const auto& [pipe, text] : {std::pair(&child->output_, &child->result_.output),
                                       std::pair(&child->error_, &child->result_.error)}) {
        if (pipe->reader() < 0) continue;
        polls.push_back({pipe->reader(), POLLIN, 0});
        streams.emplace_back(pipe, text);
      }
    }
    if (poll(polls.data(), polls.size(), -1) < 0 && errno != EINTR)
      for (const auto& [pipe, text] : streams) pipe->closeReader();
    std::array<char, 16384> buffer;
    for (std::size_t i = 0; i < polls.size(); ++i) {
      if (polls[i].revents == 0 || streams[i].first->reader() < 0) continue;
      const ssize_t count = read(polls[i].fd, buffer.data(), buffer.size());
      if (count > 0)
        streams[i].second->append(buffer.data(), static_cast<std::size_t>(count));
      else if (count == 0 || errno != EINTR)
        streams[i].first->closeReader();
    }
  }

 private:
  /// Waits for the end. A signal is forwarded until then, and not afterwards, when the number may be
  /// another's.
  int reap() {
    siginfo_t ended;
    while (waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
    const HeldSignals signals;
    int status = 0;
    waitpid(pid_, &status, 0);
    signals.forwardNoLongerTo(target_);
    pid_ = -1;
    return status;
  }

  /// Reads what it prints, to the end.
  void readOn() {
    while (!isSilent()) readAll();
  }

  static std::vector<Child*> running;

  Pipe output_, error_;
  pid_t pid_ = -1;
  pid_t target_ = 0;  ///< as kill() takes it: negative for a group
  ProcessResult result_;
};

std::vector<Process::Child*> Process::Child::running;

Process::Process(const std::vector<std::string>& arguments, Capture capture, Group group)
    : child_(std::make_unique<Child>(arguments, capture, group)) {}
Process::~Process() = default;
Process::Process(Process&&) noexcept = default;
Process& Process::operator=(Process&&) noexcept = default;

ProcessResult Process::wait() {
  return child_->wait();
}

Process* Process::firstToEnd(const std::vector<Process*>& processes) {
  for (;;) {
    for (Process* const process : processes)
      if (process->child_->isSilent()) return process;
    Child::readAll();
    SignalGuard::check();
  }
}

std::vector<std::filesystem::path> programsOnPath(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::vector<std::filesystem::path> found;
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::filesystem::path candidate = std::filesystem::path(folder) / name;
    if (::access(candidate.c_str(), X_OK) == 0 && !std::filesystem::is_directory(candidate))
      found.push_back(std::move(candidate));
  }
  return found;
}

std::filesystem::path programOf(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const std::vector<std::filesystem::path> found = programsOnPath(name);
  return found.empty() ? std::filesystem::path() : found.front();
}

bool beginsWith(const std::filesystem::path& file, const std::string& expected) {
  std::string begin(expected.size(), '\0');
  std::ifstream stream(file, std::ios::binary);
  return stream.read(begin.data(), static_cast<std::streamsize>(begin.size())) && begin == expected;
}

void replaceProcess(const std::vector<std::string>& arguments) {
  std::vector<char*> argv = toArgv(arguments);
  execvp(argv[0], argv.data());
  throw Error(ExitCode::io, cannotStart(arguments[0], errno));
}

std::string shellLine(const std::vector<std::string>& arguments) {
  std::string line;
  for (const std::string& argument : arguments) {
    if (!line.empty()) line += ' ';
    const bool plain = !argument.empty() && std::all_of(argument.begin(), argument.end(), [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || std::strchr("_-+=:,./@%", c);
    });
    if (plain) {
      line += argument;
      continue;
    }
    line += '\'';
    for (char c : argument) {
      if (c == '\'')
        line += "'\\''";
      else
        line += c;
    }
    line += '\'';
  }
  return line;
}

}  // namespace cui::cli
