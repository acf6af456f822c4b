// See flags_command.h.
#include "cli/flags_command.h"

#include <cstdio>
#include <vector>

#include "cli/base/installation.h"
#include "cli/base/process.h"
#include "cli/compile/link_words.h"

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
    const Taken taken = request.whole ? Taken::whole : Taken::asNeeded;
    append(flags,
           request.backend == "cpu" ? cpuLinkWords(installation, taken) : cudaLinkWords(installation, taken));
    flags.push_back("-lstdc++");  // who links may be a compiler of C's or Fortran's
  }
  std::printf("%s\n", shellLine(flags).c_str());
  return 0;
}

}  // namespace cui::cli
