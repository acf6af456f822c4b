// Private temporary directories.
#include "cli/base/temporary.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "cli/base/errors.h"
#include "cli/base/text_hash.h"

namespace cui::cli {

TemporaryDirectory::TemporaryDirectory(std::string_view key) {
  const char* configured = std::getenv("TMPDIR");
  const std::filesystem::path parent = configured && *configured ? configured : "/tmp";
  path_ = std::filesystem::absolute(parent) / ("cuinstrument-" + textHash(key));
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
