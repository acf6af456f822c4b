// Launches by code that was not rewritten (host/library_calls.def): Thrust's and CUB's kernels, a static
// library's, host sources that call cudaLaunchKernel.
#include "cuda/library_launches.h"

#include <pthread.h>

#include <cstring>
#include <map>
#include <mutex>

// Not in runtimes before CUDA 12.3. Of a static runtime it is there because all of that is one object.
extern "C" [[gnu::weak]] int cudaFuncGetName(const char** name, const void* function);
extern "C" {
int cudaPeekAtLastError();
int cudaGetLastError();
const char* cudaGetErrorName(int error);
}

namespace cui::library_calls {
namespace {

/// The names of kernels that were asked for.
class KernelNames {
 public:
  /// `ask`: if it is not known yet.
  const char* of(const void* function, bool ask) {
    const std::lock_guard lock(mutex_);
    const auto found = names_.find(function);
    if (found != names_.end()) return found->second;
    const char* symbol = nullptr;
    if (!ask || cudaFuncGetName == nullptr || cudaFuncGetName(&symbol, function) != success ||
        symbol == nullptr)
      return "";
    return names_.emplace(function, cuiKernelName(symbol)).first->second;
  }

 private:
  std::mutex mutex_;
  std::map<const void*, const char*> names_;
};

/// The stream as the rows have it: the default one is 0, a thread's own is told by the thread.
std::uint64_t identityOf(const void* stream, bool perThreadStreams) {
  constexpr std::uint64_t legacy = 1, perThread = 2;  // cudaStreamLegacy, cudaStreamPerThread
  const std::uint64_t handle = number(stream);
  if (handle == perThread || (handle == 0 && perThreadStreams)) return ::pthread_self() | 1u;
  return handle == legacy ? 0 : handle;
}

}  // namespace

void launched(const void* function, const LaunchConfig& config, bool perThreadStreams,
              std::int64_t hostBeginNs, int result) {
  static auto& names = *new KernelNames;  // for launches while the program ends, too
  const std::int64_t hostEndNs = cuiNow();
  const InnerCalls inner;
  const bool mayFail = cudaPeekAtLastError() == success;  // a failure of ours can be told from the program's
  CuiLibraryLaunch event = {};
  event.kernel = names.of(function, mayFail);
  static_assert(sizeof event.grid == sizeof config.grid && sizeof event.block == sizeof config.block);
  std::memcpy(event.grid, &config.grid, sizeof event.grid);
  std::memcpy(event.block, &config.block, sizeof event.block);
  event.dynamicSharedBytes = config.dynamicSharedBytes;
  if (!mayFail || cudaGetDevice(&event.device) != success) event.device = 0;
  event.stream = identityOf(config.stream, perThreadStreams);
  event.hostBeginNs = hostBeginNs;
  event.hostEndNs = hostEndNs;
  event.error = result;
  event.errorName = result == success ? "" : cudaGetErrorName(result);
  cuiLibraryLaunch(&event);
  if (mayFail && cudaPeekAtLastError() != success) (void)cudaGetLastError();
}

}  // namespace cui::library_calls

CUI_LAUNCH_BY(cudaLaunchKernel, false)
CUI_LAUNCH_BY(cudaLaunchKernel_ptsz, true)
CUI_LAUNCH_BY(cudaLaunchCooperativeKernel, false)
CUI_LAUNCH_BY(cudaLaunchCooperativeKernel_ptsz, true)

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming): the
// linker's names
#define CUI_LAUNCH_CONFIGURED(name, perThread)                                                          \
  extern "C" int __real_##name(const cui::library_calls::LaunchConfig* config, const void* function,    \
                               void** arguments);                                                       \
  extern "C" [[gnu::weak]] int __wrap_##name(const cui::library_calls::LaunchConfig* config,            \
                                             const void* function, void** arguments) {                  \
    return cui::library_calls::launch(__real_##name, function,                                          \
                                      config == nullptr ? cui::library_calls::LaunchConfig{} : *config, \
                                      perThread, config, function, arguments);                          \
  }
CUI_LAUNCH_CONFIGURED(cudaLaunchKernelExC, false)
CUI_LAUNCH_CONFIGURED(cudaLaunchKernelExC_ptsz, true)
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
