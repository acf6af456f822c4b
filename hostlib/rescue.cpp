#include "hostlib/rescue.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

// The program itself, as its linker wrote it, and how many bytes that are.
__asm__(
    ".pushsection .rodata\n"
    ".local cuiRescuer\n.local cuiRescuerBytes\n"
    "cuiRescuer: .incbin \"" CUI_RESCUER
    "\"\n"
    ".Lend: .balign 8\n"
    "cuiRescuerBytes: .quad .Lend - cuiRescuer\n"
    ".popsection\n");
extern "C" {
extern const char cuiRescuer[];
extern const std::uint64_t cuiRescuerBytes;
}

namespace cui::hostlib {
namespace {

/// A file descriptor, closed on exec, above those that the process is given.
class File {
 public:
  explicit File(int descriptor) {
    if (descriptor < 0) return;
    descriptor_ = fcntl(descriptor, F_DUPFD_CLOEXEC, rescueWindow + 1);
    close(descriptor);
  }
  ~File() { shut(); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int get() const { return descriptor_; }
  int release() { return std::exchange(descriptor_, -1); }
  void shut() {
    if (descriptor_ >= 0) close(descriptor_);
    descriptor_ = -1;
  }

 private:
  int descriptor_ = -1;
};

bool writeAll(int file, const char* from, std::size_t bytes) {
  while (bytes != 0) {
    const ssize_t some = write(file, from, bytes);
    if (some <= 0) return false;
    from += some;
    bytes -= static_cast<std::size_t>(some);
  }
  return true;
}

/// The program's, without what tools put into its processes: they are not for this one.
std::vector<char*> environment() {
  std::vector<char*> all;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    if (text.substr(0, 11) != "LD_PRELOAD=" && text.substr(0, 14) != "CUDA_INJECTION")
      all.push_back(*variable);
  }
  all.push_back(nullptr);
  return all;
}

}  // namespace

bool Rescue::begin(const RescueBegin& what, const Limits& limits) {
  limits_ = limits;
  if (start() && send(&what, sizeof what) && answered(limits.begin)) return true;
  end();
  return false;
}

bool Rescue::start() {
  File program(memfd_create("cuinstrument-rescuer", MFD_CLOEXEC));
  const File window(memfd_create("cuinstrument-rescue", MFD_CLOEXEC));
  int pair[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return false;
  File ours(pair[0]);
  const File theirs(pair[1]);
  if (program.get() < 0 || window.get() < 0 || ours.get() < 0 || theirs.get() < 0 ||
      ftruncate(window.get(), rescueWindowBytes) != 0 ||
      !writeAll(program.get(), cuiRescuer, cuiRescuerBytes))
    return false;
  void* const mapped = mmap(nullptr, rescueWindowBytes, PROT_READ | PROT_WRITE, MAP_SHARED, window.get(), 0);
  if (mapped == MAP_FAILED) return false;
  window_ = mapped;

  // A file that is open for writing cannot be executed.
  char path[64];
  std::snprintf(path, sizeof path, "/proc/self/fd/%d", program.get());
  const File executable(open(path, O_RDONLY | O_CLOEXEC));
  program.shut();
  if (executable.get() < 0) return false;
  std::snprintf(path, sizeof path, "/proc/self/fd/%d", executable.get());
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) return false;
  char name[] = "cuinstrument-rescuer";
  char* arguments[] = {name, nullptr};
  std::vector<char*> variables = environment();
  const bool started = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) == 0 &&
                       posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0) == 0 &&
                       posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) == 0 &&
                       posix_spawn_file_actions_adddup2(&actions, theirs.get(), rescueSocket) == 0 &&
                       posix_spawn_file_actions_adddup2(&actions, window.get(), rescueWindow) == 0 &&
                       posix_spawn(&process_, path, &actions, nullptr, arguments, variables.data()) == 0;
  posix_spawn_file_actions_destroy(&actions);
  if (!started) process_ = -1;
  socket_ = ours.release();
  return started;
}

bool Rescue::send(const void* message, std::size_t bytes) {
  // Small enough for the socket's buffer, so that it is not waited for; nobody is there: no signal.
  return ::send(socket_, message, bytes, MSG_NOSIGNAL) == static_cast<ssize_t>(bytes);
}

bool Rescue::answered(std::chrono::milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd ready = {socket_, POLLIN, 0};
    const int found = poll(&ready, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    if (found < 0 && errno == EINTR) continue;
    char byte = 0;
    return found == 1 && ::recv(socket_, &byte, 1, 0) == 1 && byte == rescueDone;
  }
}

bool Rescue::read(std::uint32_t which, std::uint64_t offset, void* to, std::size_t bytes) {
  char* at = static_cast<char*>(to);
  while (bytes != 0 && process_ >= 0) {
    const std::size_t some = std::min(bytes, rescueWindowBytes);
    const RescueRead request = {which, 0, offset, some};
    if (!send(&request, sizeof request) || !answered(limits_.read)) end();
    if (process_ < 0) break;
    std::memcpy(at, window_, some);
    at += some;
    offset += some;
    bytes -= some;
  }
  return bytes == 0;
}

void Rescue::end() {
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
  if (process_ >= 0) {
    kill(process_, SIGKILL);  // it has nothing to finish
    waitpid(process_, nullptr, 0);
  }
  process_ = -1;
  if (window_ != nullptr) munmap(window_, rescueWindowBytes);
  window_ = nullptr;
}

}  // namespace cui::hostlib
