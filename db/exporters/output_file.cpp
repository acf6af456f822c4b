// See output_file.h.
#include "db/exporters/output_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace cui::db {

namespace {

constexpr std::size_t bufferBytes = 1 << 20;

std::string reason() {
  return errno != 0 ? std::strerror(errno) : "cannot be written";
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)), buffer_(bufferBytes) {
  // A link (/dev/stdout is one) or a device must stay what it is.
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::symlink_status(path_, ignored);
  const bool direct = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  temporary_ = direct ? path_ : path_ + ".part";
  errno = 0;
  stream_.rdbuf()->pubsetbuf(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  stream_.open(temporary_, std::ios::binary | std::ios::trunc);
}

OutputFile::~OutputFile() {
  if (finished_ || temporary_ == path_) return;
  stream_.close();
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

Error OutputFile::finish() {
  stream_.close();
  if (!stream_) return {ErrorCode::io, path_ + ": " + reason()};
  if (temporary_ != path_) {
    std::error_code failure;
    std::filesystem::rename(temporary_, path_, failure);
    if (failure) return {ErrorCode::io, path_ + ": " + failure.message()};
  }
  finished_ = true;
  return {};
}

Error makeFolder(const std::string& path) {
  std::error_code failure;
  std::filesystem::create_directories(path, failure);
  if (failure) return {ErrorCode::io, path + ": " + failure.message()};
  return {};
}

}  // namespace cui::db
