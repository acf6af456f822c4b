#include "driver/file_output.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

namespace cui::driver {
namespace {

namespace fs = std::filesystem;

/// Writes and closes; false with errno set. Errors of a full disk may only show at the close.
bool writeTemporary(const std::string& path, const std::string& text) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (!file) return false;
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const int error = errno;
  const bool closed = std::fclose(file) == 0;
  if (!written) errno = error;
  return written && closed;
}

bool needsTemporary(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return !fs::exists(status) || fs::is_regular_file(status);  // /dev/stdout and pipes are written directly
}

}  // namespace

bool writeAll(const std::vector<OutputFile>& files, std::string& error, const std::set<std::string>& folders,
              const std::map<std::string, std::string>& links) {
  struct Pending {
    std::string temporary, final;
  };
  std::vector<Pending> pending;
  const auto fail = [&](const std::string& path, const std::string& reason) {
    error = path + ": cannot be written: " + reason;
    for (const Pending& one : pending) std::remove(one.temporary.c_str());
    return false;
  };
  for (const std::string& folder : folders) {
    std::error_code code;
    fs::create_directories(folder, code);
    if (code) return fail(folder, code.message());
  }
  for (const OutputFile& file : files) {
    if (file.path == "-") continue;
    std::error_code code;
    const fs::path folder = fs::path(file.path).parent_path();
    if (!folder.empty()) fs::create_directories(folder, code);
    if (code) return fail(file.path, code.message());
    const std::string temporary =
        needsTemporary(file.path) ? file.path + "." + std::to_string(getpid()) + ".tmp" : file.path;
    if (temporary != file.path) pending.push_back({temporary, file.path});
    if (!writeTemporary(temporary, file.text)) return fail(file.path, std::strerror(errno));
  }
  for (const Pending& one : pending)
    if (std::rename(one.temporary.c_str(), one.final.c_str()) != 0)
      return fail(one.final, std::strerror(errno));
  for (const auto& [name, target] : links) {
    std::error_code code;
    fs::create_directories(fs::path(name).parent_path(), code);
    if (!code && fs::is_symlink(name, code)) fs::remove(name, code);  // of an earlier run
    fs::create_symlink(target, name, code);
    if (code) return fail(name, code.message());
  }
  for (const OutputFile& file : files) {
    if (file.path != "-") continue;
    std::cout << file.text << std::flush;
    if (!std::cout) return fail("standard output", std::strerror(errno));
  }
  return true;
}

bool readFile(const std::string& path, std::string& text, std::string& error) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    error = path + ": is a folder";
    return false;
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (file) text.assign(std::istreambuf_iterator<char>(file), {});
  if (!file || file.bad()) {
    error = path + ": cannot be read: " + std::strerror(errno ? errno : EIO);
    return false;
  }
  return true;
}

}  // namespace cui::driver
