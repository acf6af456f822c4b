#include "cli/base/cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "cli/base/errors.h"

namespace cui::cli {
namespace {

std::filesystem::path configuredFolder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::filesystem::path(value ? value : "");
  };
  if (const std::filesystem::path own = variable("CUINSTRUMENT_CACHE"); !own.empty()) return own;
  if (const std::filesystem::path cache = variable("XDG_CACHE_HOME"); cache.is_absolute())
    return cache / "cuinstrument";
  const std::filesystem::path home = variable("HOME");
  return home.is_absolute() ? home / ".cache/cuinstrument" : std::filesystem::path();
}

/// Held by one process at a time; the kernel takes it from one that dies.
class FileLock {
 public:
  explicit FileLock(const std::filesystem::path& path)
      : file_(::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600)) {
    while (file_ >= 0 && ::flock(file_, LOCK_EX) != 0)
      if (errno != EINTR) break;
    if (file_ < 0) throw Error(ExitCode::io, "cannot lock '" + path.string() + "': " + std::strerror(errno));
  }
  ~FileLock() { ::close(file_); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int file_;
};

}  // namespace

std::filesystem::path cacheFolder() {
  std::filesystem::path folder = configuredFolder();
  if (folder.empty()) return folder;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  return !error && ::access(folder.c_str(), W_OK | X_OK) == 0 ? std::filesystem::absolute(folder)
                                                              : std::filesystem::path();
}

void makeOnce(const std::filesystem::path& path,
              const std::function<void(const std::filesystem::path&)>& make) {
  if (std::filesystem::exists(path)) return;
  const FileLock lock(path.string() + ".lock");
  if (std::filesystem::exists(path)) return;
  const std::filesystem::path made = path.string() + ".new";
  std::error_code error;
  std::filesystem::remove_all(made, error);  // of a process that died
  make(made);
  std::filesystem::rename(made, path, error);
  if (error) throw Error(ExitCode::io, "cannot rename '" + made.string() + "': " + error.message());
}

}  // namespace cui::cli
