// Child processes, and the signals that end them with us.
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
#include <sstream>
#include <utility>

#include "cli/base/errors.h"

namespace cui::cli {
namespace {

/// SIGPIPE is ignored, so that writing to a closed pipe does not end us before the cleaning up.
constexpr std::array<int, 4> guardedSignals = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
bool guarded = false;

volatile std::sig_atomic_t pendingSignal = 0;
volatile std::sig_atomic_t childToSignal = 0;  // as kill() takes it: negative for a group
std::array<struct sigaction, guardedSignals.size()> previousActions;

extern "C" void noteSignal(int signal) {
  pendingSignal = signal;
  if (childToSignal != 0) kill(childToSignal, signal);
}

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
  void closeWriter() { closeEnd(1); }

 private:
  void closeEnd(std::size_t end) {
    if (ends_[end] >= 0) close(ends_[end]);
    ends_[end] = -1;
  }
  std::array<int, 2> ends_{-1, -1};
};

/// In the child, between fork and exec: only async-signal-safe calls.
[[noreturn]] void execChild(char** argv, pid_t parent, const sigset_t& mask, Group group, Pipe* output,
                            Pipe* error, int failureWriter) {
  if (group == Group::own) setpgid(0, 0);
  // Should we be killed outright, the child is told; nobody else would.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(127);
  // exec keeps what is ignored: give the child what we were given.
  for (std::size_t i = 0; i < guardedSignals.size(); ++i)
    if (guarded) sigaction(guardedSignals[i], &previousActions[i], nullptr);
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  if (output) dup2(output->writer(), STDOUT_FILENO);
  if (error) dup2(error->writer(), STDERR_FILENO);
  execvp(argv[0], argv);
  const int failure = errno;
  [[maybe_unused]] const ssize_t written = write(failureWriter, &failure, sizeof failure);
  _exit(127);
}

/// Reads both pipes until the writers have gone.
void drain(Pipe* output, std::string& outputText, Pipe* error, std::string& errorText) {
  std::vector<pollfd> polls;
  std::vector<std::string*> texts;
  if (output) {
    polls.push_back({output->reader(), POLLIN, 0});
    texts.push_back(&outputText);
  }
  if (error) {
    polls.push_back({error->reader(), POLLIN, 0});
    texts.push_back(&errorText);
  }
  std::size_t open = polls.size();
  std::array<char, 16384> buffer;
  while (open > 0) {
    if (poll(polls.data(), polls.size(), -1) < 0 && errno != EINTR) return;
    for (std::size_t i = 0; i < polls.size(); ++i) {
      if (polls[i].fd < 0 || polls[i].revents == 0) continue;
      const ssize_t count = read(polls[i].fd, buffer.data(), buffer.size());
      if (count > 0) {
        texts[i]->append(buffer.data(), static_cast<std::size_t>(count));
      } else if (count == 0 || errno != EINTR) {
        polls[i].fd = -1;
        --open;
      }
    }
  }
}

}  // namespace

ProcessResult runProcess(const std::vector<std::string>& arguments, Capture capture, Group group) {
  SignalGuard::check();
  std::fflush(nullptr);  // what we said comes before what the child says
  std::vector<char*> argv = toArgv(arguments);
  Pipe failurePipe;
  Pipe outputPipe, errorPipe;
  Pipe* output = capture == Capture::everything ? &outputPipe : nullptr;
  Pipe* error = capture != Capture::nothing ? &errorPipe : nullptr;

  // Held back until the child exists and is known to the handler, so that none is lost in between.
  sigset_t held, mask;
  sigemptyset(&held);
  for (int signal : guardedSignals) sigaddset(&held, signal);
  sigprocmask(SIG_BLOCK, &held, &mask);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) execChild(argv.data(), parent, mask, group, output, error, failurePipe.writer());
  if (child > 0 && group == Group::own) setpgid(child, child);  // here too: whoever is first
  childToSignal = child < 0 ? 0 : group == Group::own ? -child : child;
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  if (child < 0) throw Error(ExitCode::io, std::string("cannot start a process: ") + std::strerror(errno));

  failurePipe.closeWriter();
  outputPipe.closeWriter();
  errorPipe.closeWriter();
  ProcessResult result;
  drain(output, result.output, error, result.error);

  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  childToSignal = 0;
  int failure = 0;
  if (read(failurePipe.reader(), &failure, sizeof failure) == static_cast<ssize_t>(sizeof failure))
    throw Error(ExitCode::io, cannotStart(arguments[0], failure));
  SignalGuard::check();
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.exitCode = WIFSIGNALED(status) ? 128 + result.signal : WEXITSTATUS(status);
  return result;
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

void replaceProcess(const std::vector<std::string>& arguments) {
  std::vector<char*> argv = toArgv(arguments);
  execvp(argv[0], argv.data());
  throw Error(ExitCode::io, cannotStart(arguments[0], errno));
}

SignalGuard::SignalGuard() {
  pendingSignal = 0;
  for (std::size_t i = 0; i < guardedSignals.size(); ++i) {
    sigaction(guardedSignals[i], nullptr, &previousActions[i]);
    if (previousActions[i].sa_handler == SIG_IGN) continue;  // nohup, or a background job
    struct sigaction action = {};
    action.sa_handler = guardedSignals[i] == SIGPIPE ? SIG_IGN : noteSignal;
    sigaction(guardedSignals[i], &action, nullptr);
  }
  guarded = true;
}

SignalGuard::~SignalGuard() {
  guarded = false;
  for (std::size_t i = 0; i < guardedSignals.size(); ++i)
    sigaction(guardedSignals[i], &previousActions[i], nullptr);
}

int SignalGuard::pending() {
  return pendingSignal;
}

void SignalGuard::check() {
  if (pendingSignal != 0) throw Interrupted(pendingSignal);
}

void dieBySignal(int signal) {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, nullptr);
  raise(signal);
  _exit(128 + signal);
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
