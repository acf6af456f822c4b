// What the command line asked for.
#pragma once

#include <string>
#include <vector>

namespace cui::driver {

enum class Backend { cuda, cpu };

/// Exit codes of all our programs (docs/cli.md).
enum ExitCode { exitOk = 0, exitNo = 1, exitUsage = 2, exitInputOutput = 3, exitInternal = 4 };

struct Options {
  Backend backend = Backend::cuda;
  std::vector<std::string> roots;     ///< folders whose files are the user's; empty: all but system files
  std::vector<std::string> included;  ///< only files that match one of these are instrumented
  std::vector<std::string> excluded;  ///< but none that match one of these
  std::string input;
  std::string output;         ///< "-": standard output
  std::string metadata;       ///< JSON file; "" for none
  std::string cudaPath;       ///< toolkit folder; "" to search
  std::string headerCache;    ///< folder for precompiled headers of the library's; "": none
  std::string forsaken;       ///< such headers, over which this program crashed before it began again; or ""
  std::string resourceDir;    ///< Clang's own headers; "" for the one we were built with
  bool values = false;        ///< record loaded and stored values
  bool separate = false;      ///< each access is recorded by itself
  bool localArrays = false;   ///< private arrays count as memory
  bool strict = false;        ///< an access that cannot be instrumented is an error
  bool refuseErrors = false;  ///< so is anything that Clang rejects
  std::string takenIncludes;  ///< file that says that -include's headers are in the output; "": they are not
  bool takeAllIncludes = false;        ///< they are also where nothing of them is instrumented
  std::vector<std::string> left;       ///< `file:line`: leave the functions there alone
  std::vector<std::string> leftLines;  ///< no more than what is there
  bool strip = false;                  ///< print the original of an instrumented file
  std::vector<std::string> compileFlags;
};

/// Fills `options`. When the program has nothing more to do (--help, --version, an error: printed here),
/// gives its exit code, else -1.
int parseCommandLine(int argc, const char* const* argv, Options& options);

}  // namespace cui::driver
