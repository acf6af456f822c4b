// Private temporary directories, removed with everything in them however the command ends.
#pragma once

#include <filesystem>
#include <string_view>

namespace cui::cli {

/// A directory under $TMPDIR (else /tmp) that only we can read. Its name depends on `key` alone where that
/// is possible, so that compiling the same file twice gives the same object, byte for byte.
class TemporaryDirectory {
 public:
  explicit TemporaryDirectory(std::string_view key);
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// A new subdirectory.
  std::filesystem::path makeSubdirectory(std::string_view name) const;

 private:
  std::filesystem::path path_;
};

}  // namespace cui::cli
