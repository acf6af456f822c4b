// See trace_file.h.
#include "db/store/trace_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "db/schema/schema.h"

namespace cui::db {

namespace {

constexpr off_t lockedByte = off_t{1} << 62;      // SQLite's are at 1 GiB
constexpr std::size_t databaseHeaderBytes = 100;  // of an SQLite database

struct Header {
  unsigned char bytes[databaseHeaderBytes];
  ssize_t size = 0;

  std::uint32_t number(std::size_t at) const {
    return std::uint32_t{bytes[at]} << 24 | std::uint32_t{bytes[at + 1]} << 16 |
           std::uint32_t{bytes[at + 2]} << 8 | bytes[at + 3];
  }
  bool isDatabase() const {
    return size == databaseHeaderBytes && std::memcmp(bytes, "SQLite format 3", 16) == 0;
  }
  bool isTrace() const { return isDatabase() && number(68) == static_cast<std::uint32_t>(applicationId); }
};

Header readHeader(int descriptor) {
  Header header;
  header.size = pread(descriptor, header.bytes, databaseHeaderBytes, 0);
  return header;
}

Error systemFailure(const std::string& path, const char* doing) {
  const int code = errno;
  std::string hint;
  if (code == EROFS || code == EACCES || code == EPERM)
    hint = "; choose a place that can be written";
  else if (code == ENOSPC || code == EDQUOT)
    hint = "; free space or write the trace elsewhere";
  else if (code == ENOENT)
    hint = "; create its folder first";
  return {ErrorCode::io, path + ": cannot " + doing + ": " + std::strerror(code) + hint};
}

/// 0: locked (or the file system knows no locks); else errno.
int lock(int descriptor) {
  struct flock request = {};
  request.l_type = F_WRLCK;
  request.l_whence = SEEK_SET;
  request.l_start = lockedByte;
  request.l_len = 1;
  if (fcntl(descriptor, F_OFD_SETLK, &request) == 0) return 0;
  return errno == EAGAIN || errno == EACCES ? errno : 0;
}

bool stillNamed(int descriptor, const std::string& path) {
  struct stat opened = {}, named = {};
  return fstat(descriptor, &opened) == 0 && stat(path.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

}  // namespace

Error TraceFileLock::create(const std::string& path) {
  // Another process may replace the file between our steps: then the name is no longer that of the
  // file we locked, and we start again.
  for (int attempt = 0; attempt < 100; ++attempt) {
    release();
    descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) return systemFailure(path, "create the trace");
    struct stat status = {};
    if (fstat(descriptor_, &status) != 0) return systemFailure(path, "create the trace");
    if (!S_ISREG(status.st_mode))
      return {ErrorCode::io, path + ": not a regular file; choose another name for the trace"};
    if (lock(descriptor_) != 0) {
      release();
      return {ErrorCode::busy, path + ": another running process writes this trace; choose another name"};
    }
    if (!stillNamed(descriptor_, path)) continue;
    if (status.st_size == 0) return {};
    const Header header = readHeader(descriptor_);
    if (!header.isTrace()) {
      release();
      return {header.isDatabase() ? ErrorCode::notATrace : ErrorCode::notADatabase,
              path + ": exists and is not a trace; choose another name or remove it"};
    }
    for (const char* suffix : {"-wal", "-shm", "-journal", ""})
      if (unlink((path + suffix).c_str()) != 0 && errno != ENOENT)
        return systemFailure(path, "replace the old trace");
  }
  return {ErrorCode::busy, path + ": other processes keep replacing this file; choose another name"};
}

Error TraceFileLock::acquire(const std::string& path) {
  if (Error error = checkTraceFile(path)) return error;
  release();
  descriptor_ = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor_ < 0) return systemFailure(path, "change the trace");
  if (lock(descriptor_) != 0) {
    release();
    return {ErrorCode::busy, path + ": a running process writes this trace; try again when it has ended"};
  }
  return {};
}

void TraceFileLock::release() {
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
}

Error checkTraceFile(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return {ErrorCode::io, path + ": cannot open: " + std::strerror(errno) + "; name a trace file"};
  struct stat status = {};
  const bool known = fstat(descriptor, &status) == 0;
  const Header header = known && S_ISREG(status.st_mode) ? readHeader(descriptor) : Header();
  close(descriptor);
  if (!known || !S_ISREG(status.st_mode))
    return {ErrorCode::notADatabase, path + ": not a trace (not a regular file)"};
  if (!header.isDatabase()) return {ErrorCode::notADatabase, path + ": not a trace (not an SQLite database)"};
  if (!header.isTrace())
    return {ErrorCode::notATrace, path + ": not a trace (an SQLite database of another application)"};
  const std::uint32_t rawPage = header.bytes[16] * 256u + header.bytes[17];
  const std::uint64_t page = rawPage == 1 ? 65536 : rawPage;
  const std::uint64_t expected = page * header.number(28);
  // While there is a log, pages may be in it that the file does not have yet.
  struct stat log = {};
  const bool hasLog = stat((path + "-wal").c_str(), &log) == 0 && log.st_size > 0;
  if (!hasLog && static_cast<std::uint64_t>(status.st_size) < expected)
    return {ErrorCode::truncated, path + ": truncated: " + std::to_string(status.st_size) + " bytes of " +
                                      std::to_string(expected) + "; copy it again"};
  return {};
}

}  // namespace cui::db
