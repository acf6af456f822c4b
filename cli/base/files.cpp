#include "cli/base/files.h"

#include <fstream>
#include <sstream>
#include <utility>

#include "cli/base/errors.h"

namespace cui::cli {

std::string readFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

void replaceFile(const std::filesystem::path& path, const std::string& text) {
  const std::filesystem::path made = path.string() + ".new";
  std::ofstream file(made, std::ios::binary);
  file << text;
  file.close();
  std::error_code error;
  if (file) std::filesystem::rename(made, path, error);
  if (!file || error) throw Error(ExitCode::io, "cannot write '" + path.string() + "'");
}

}  // namespace cui::cli
