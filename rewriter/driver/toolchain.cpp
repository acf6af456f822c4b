#include "driver/toolchain.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Program.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace cui::driver {
namespace {

namespace fs = std::filesystem;

bool isThere(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool isToolkit(const fs::path& folder) {
  return !folder.empty() && isThere(folder / "include" / "cuda_runtime.h");
}

std::string findCuda(const Options& options) {
  if (!options.cudaPath.empty()) return isToolkit(options.cudaPath) ? options.cudaPath : std::string();
  for (const char* variable : {"CUDA_PATH", "CUDA_HOME"})
    if (const char* value = std::getenv(variable); value && isToolkit(value)) return value;
  if (const auto nvcc = llvm::sys::findProgramByName("nvcc")) {
    std::error_code ignored;
    const fs::path folder = fs::canonical(*nvcc, ignored).parent_path().parent_path();
    if (isToolkit(folder)) return folder.string();
  }
  return isToolkit("/usr/local/cuda") ? "/usr/local/cuda" : std::string();
}

/// "13.0.88" in cuda_runtime_api.h's `#define CUDART_VERSION  13000`.
void readCudaVersion(Toolchain& toolchain) {
  std::ifstream header(fs::path(toolchain.cudaPath) / "include" / "cuda_runtime_api.h");
  const std::string marker = "#define CUDART_VERSION";
  for (std::string line; std::getline(header, line);) {
    const auto at = line.find(marker);
    if (at == std::string::npos) continue;
    const int version = std::atoi(line.c_str() + at + marker.size());
    if (version < 1000) return;
    toolchain.cudaVersionMajor = std::to_string(version / 1000);
    toolchain.cudaVersionMinor = std::to_string(version % 1000 / 10);
    return;
  }
}

/// The newest gcc's folder of built-in headers.
void findGcc(Toolchain& toolchain) {
  long bestVersion = 0;
  std::error_code code;
  for (const char* folder : {"/usr/lib/gcc/x86_64-linux-gnu", "/usr/lib/gcc/aarch64-linux-gnu"})
    for (const auto& entry : fs::directory_iterator(folder, code)) {
      const long version = std::atol(entry.path().filename().c_str());
      if (version <= bestVersion || !isThere(entry.path() / "include" / "omp.h")) continue;
      bestVersion = version;
      toolchain.gccHeaders = (entry.path() / "include").string();
      toolchain.gccVersion = std::to_string(version);
    }
}

std::string findDevlib(const char* program) {
  const fs::path self = llvm::sys::fs::getMainExecutable(program, reinterpret_cast<void*>(&findDevlib));
  const fs::path installed = (self.parent_path().parent_path() / "include").lexically_normal();
  const fs::path marker = fs::path("cuinstrument") / "instrument.h";
  if (isThere(installed / marker)) return installed.string();
  return isThere(fs::path(CUI_BUILD_DEVLIB) / marker) ? CUI_BUILD_DEVLIB : std::string();
}

}  // namespace

bool findToolchain(const Options& options, const char* program, Toolchain& toolchain, std::string& error) {
  toolchain.resourceDir = options.resourceDir.empty() ? CUI_RESOURCE_DIR : options.resourceDir;
  if (!isThere(fs::path(toolchain.resourceDir) / "include" / "stddef.h")) {
    error = "Clang's headers are not in " + toolchain.resourceDir +
            ": install libclang-common-dev or give --resource-dir";
    return false;
  }
  toolchain.devlib = findDevlib(program);
  if (toolchain.devlib.empty()) {
    error = "cuinstrument/instrument.h is not in ../include of this program: reinstall cuinstrument";
    return false;
  }
  findGcc(toolchain);
  if (options.backend == Backend::cpu) return true;
  toolchain.cudaPath = findCuda(options);
  if (toolchain.cudaPath.empty()) {
    error = "no CUDA toolkit" + (options.cudaPath.empty() ? std::string() : " in " + options.cudaPath) +
            ": give --cuda-path, set CUDA_PATH, or use --backend cpu";
    return false;
  }
  readCudaVersion(toolchain);
  return true;
}

}  // namespace cui::driver
