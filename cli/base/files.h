// Whole files, as text.
#pragma once

#include <filesystem>
#include <string>

namespace cui::cli {

/// Empty if it cannot be read.
std::string readFile(const std::filesystem::path& path);

/// Whole or not at all: another process may be reading it. Throws Error (io).
void replaceFile(const std::filesystem::path& path, const std::string& text);

}  // namespace cui::cli
