// Writing results: whole files or nothing.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace cui::driver {

struct OutputFile {
  std::string path;  ///< "-": standard output
  std::string text;
};

/// Writes every file beside its final name first and renames them only when all are complete, so that an
/// error leaves what was there before. Makes their folders, `folders`, and `links` (name and target), too.
/// False, with a one-line reason, on failure.
bool writeAll(const std::vector<OutputFile>& files, std::string& error,
              const std::set<std::string>& folders = {},
              const std::map<std::string, std::string>& links = {});

/// False, with a one-line reason, if it cannot be read.
bool readFile(const std::string& path, std::string& text, std::string& error);

}  // namespace cui::driver
