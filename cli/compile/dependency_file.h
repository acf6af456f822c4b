// Dependency files (-MD, -MMD) name what was compiled; make must see what the user wrote.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace cui::cli {

/// Maps a prerequisite's path to the one the user knows; returns it unchanged if it is the user's already.
using PathMapping = std::function<std::string(const std::string& path)>;

/// Maps every word of a make rule file; words that stay the same keep their bytes.
std::string mapDependencies(std::string_view rules, const PathMapping& mapping);

/// Does so in place. A file that does not exist is left alone: the compiler wrote none.
void mapDependencyFile(const std::filesystem::path& file, const PathMapping& mapping);

/// The mapping for one source: its rewritten copy, mirrored headers (under `<rewritten>.d/`), and headers
/// found by the absolute prefix the rewriter put in are named as `#include` and -I name them.
struct SourceNames {
  std::string original;                   ///< as on the command line
  std::filesystem::path rewritten;        ///< absolute
  std::vector<std::string> includePaths;  ///< -I values, as on the command line
};
PathMapping userNames(const std::vector<SourceNames>& sources);

/// What nvcc puts into a dependency file.
struct DependencyRule {
  std::string target;
  bool phonyTargets = false;   ///< -MP
  bool systemHeaders = false;  ///< -MD; -MMD: none
};

/// The file that nvcc writes: its rule's prerequisites are the files that the preprocessor names in `texts`.
std::string dependencyFileOf(const std::vector<std::string>& texts, const DependencyRule& rule);

}  // namespace cui::cli
