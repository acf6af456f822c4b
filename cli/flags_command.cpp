// See flags_command.h.
#include "cli/flags_command.h"

#include <cstdio>
#include <vector>

#include "cli/base/installation.h"
#include "cli/base/process.h"

namespace cui::cli {

int runFlags(const FlagsRequest& request) {
  const Installation installation = findInstallation();
  if (request.makefile || request.prefix) {
    std::printf("%s\n", (request.makefile ? installation.makefile : installation.prefix).c_str());
    return 0;
  }
  std::vector<std::string> flags;
  if (request.compile || !request.link) {
    flags.insert(flags.end(), {"-I", installation.include});
    if (request.backend == "cpu")
      flags.insert(flags.end(), {"-I", installation.cpuToolkit, "-include", "cuda_runtime.h"});
  }
  if (request.link || !request.compile) {
    if (request.backend == "cpu") flags.push_back(installation.cpuLibrary);
    flags.insert(flags.end(), {installation.cudaLibrary, "-lpthread", "-ldl", "-lm"});
  }
  std::printf("%s\n", shellLine(flags).c_str());
  return 0;
}

}  // namespace cui::cli
