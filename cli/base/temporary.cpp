// Private temporary directories.
#include "cli/base/temporary.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "cli/base/errors.h"

namespace cui::cli {
namespace {

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

std::string hexadecimal(std::uint64_t value) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; value >>= 4) text[i] = "0123456789abcdef"[value & 15];
  return text;
}

}  // namespace

TemporaryDirectory::TemporaryDirectory(std::string_view key) {
  const char* configured = std::getenv("TMPDIR");
  const std::filesystem::path parent = configured && *configured ? configured : "/tmp";
  path_ = std::filesystem::absolute(parent) / ("cuinstrument-" + hexadecimal(fnv1a(key)));
  // Never reuse what is there: it may be another process's, or a stranger's trap.
  if (mkdir(path_.c_str(), 0700) == 0) return;
  if (errno == EEXIST) {
    std::string unique = path_.string() + "-XXXXXX";
    if (mkdtemp(unique.data())) {
      path_ = unique;
      return;
    }
  }
  throw Error(ExitCode::io, "cannot create a temporary directory in '" + parent.string() +
                                "': " + std::strerror(errno) + "; set TMPDIR to a writable directory");
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;  // nothing useful can be done about a leftover
  std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path TemporaryDirectory::makeSubdirectory(std::string_view name) const {
  std::filesystem::path directory = path_ / name;
  std::error_code error;
  std::filesystem::create_directory(directory, error);
  if (error) throw Error(ExitCode::io, "cannot create '" + directory.string() + "': " + error.message());
  return directory;
}

}  // namespace cui::cli
