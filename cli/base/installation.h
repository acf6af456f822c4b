// Where our own parts are, relative to the running executable: the same in a build tree and when installed.
#pragma once

#include <filesystem>
#include <string>

namespace cui::cli {

struct Installation {
  std::filesystem::path prefix;       ///< what all the others are under
  std::filesystem::path rewriter;     ///< bin/cuinstrument-rewrite ($CUINSTRUMENT_REWRITER overrides)
  std::filesystem::path include;      ///< include/
  std::filesystem::path cpuToolkit;   ///< the CUDA headers the CPU backend brings
  std::filesystem::path cudaLibrary;  ///< lib/libcuinstrument.a
  std::filesystem::path cpuLibrary;   ///< lib/libcuinstrument_cpu.a
  std::filesystem::path makefile;     ///< share/cuinstrument/cuinstrument.mk
};

/// Paths only; whether the files exist is found when they are used.
Installation findInstallation();

}  // namespace cui::cli
