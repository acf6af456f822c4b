// Where the headers of a parse come from: the CUDA toolkit, Clang's own headers, devlib.
#pragma once

#include <string>

#include "driver/options.h"

namespace cui::driver {

struct Toolchain {
  std::string cudaPath;     ///< "" for the CPU backend
  std::string resourceDir;  ///< holds include/stddef.h
  std::string devlib;       ///< holds cuinstrument/instrument.h
  std::string gccHeaders;   ///< holds omp.h; "" if there is no gcc
  std::string gccVersion;   ///< "12"
  std::string cudaVersionMajor = "13", cudaVersionMinor = "0";
};

/// False, with a one-line reason, if something is missing. `program` is argv[0].
bool findToolchain(const Options& options, const char* program, Toolchain& toolchain, std::string& error);

}  // namespace cui::driver
