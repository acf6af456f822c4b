// What library_launches.cpp and library_launches_by_handle.cpp share: wrappers of the CUDA runtime's
// functions that launch, as the linker sees them (library_calls.h). Such a launch has a row, and no accesses:
// its kernel was not rewritten.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/library_calls.h"

namespace cui::library_calls {

/// dim3, and cudaLaunchConfig_t as far as it is read here, as functions take them.
struct Extent {
  unsigned int x, y, z;
};
struct LaunchConfig {
  Extent grid, block;
  std::size_t dynamicSharedBytes;
  void* stream;
};

/// Whether the rewritten code, whose launches have their rows, is not making this one.
inline bool isLaunchRecorded() {
  return isRecorded() && cuiLaunchesUnderWay() == 0;
}

/// After the call. `function`: a kernel as the runtime's functions take it, or its handle. The calling
/// thread's last error stays what it is.
void launched(const void* function, const LaunchConfig& config, bool perThreadStreams,
              std::int64_t hostBeginNs, int result);

template <class Function, class... Arguments>
int launch(Function& original, const void* function, const LaunchConfig& config, bool perThreadStreams,
           Arguments... arguments) {
  if (!isLaunchRecorded()) return original(arguments...);
  const std::int64_t hostBeginNs = cuiNow();
  const int result = call(original, arguments...);
  launched(function, config, perThreadStreams, hostBeginNs, result);
  return result;
}

}  // namespace cui::library_calls

// `perThread`: default streams are per thread.
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming): the
// linker's names
#define CUI_LAUNCH_BY(name, perThread)                                                                      \
  extern "C" int __real_##name(const void* function, cui::library_calls::Extent grid,                       \
                               cui::library_calls::Extent block, void** arguments, std::size_t sharedBytes, \
                               void* stream);                                                               \
  extern "C" [[gnu::weak]] int __wrap_##name(const void* function, cui::library_calls::Extent grid,         \
                                             cui::library_calls::Extent block, void** arguments,            \
                                             std::size_t sharedBytes, void* stream) {                       \
    return cui::library_calls::launch(__real_##name, function, {grid, block, sharedBytes, stream},          \
                                      perThread, function, grid, block, arguments, sharedBytes, stream);    \
  }
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
