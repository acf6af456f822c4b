// Launches by function call: cudaLaunchKernel, cudaLaunchCooperativeKernel, cudaLaunchKernelEx. The kernel's
// type says what the argument pointers point to, so they need the kernel itself, not a void pointer to it.
#pragma once
#pragma GCC system_header

#include "cuda_runtime_api.h"

#if CUI_TK_PARSE

template <class T>
CUI_TK_HOST cudaError_t cudaLaunchKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                         size_t sharedBytes = 0, cudaStream_t stream = 0);
template <class T>
CUI_TK_HOST cudaError_t cudaLaunchCooperativeKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                                    size_t sharedBytes = 0, cudaStream_t stream = 0);
template <class... Parameters, class... Arguments>
CUI_TK_HOST cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                                           Arguments&&... arguments);

#else

#include <utility>

#include "../exec_launch.h"

extern "C" {
/// Replaces the calling thread's last error.
void cuiSetLastError(cudaError_t error);
cudaError_t cuiUnsupported(const char* function);
}

namespace cui {
namespace backend {

/// Launches and returns the launch's error, leaving an earlier last error as it was.
template <class Thread>
cudaError_t launchAndReport(dim3 grid, dim3 block, size_t sharedBytes, cudaStream_t stream, bool cooperative,
                            Thread& thread) {
  const cudaError_t before = cudaGetLastError();
  const LaunchShape shape = {
      {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, sharedBytes, stream, cooperative};
  launch(nullptr, 0, shape, [](void* context) { (*static_cast<Thread*>(context))(); }, &thread);
  const cudaError_t error = cudaPeekAtLastError();
  if (error == cudaSuccess) cuiSetLastError(before);
  return error;
}

template <class... Parameters, std::size_t... I>
cudaError_t launchFromPointers(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                               size_t sharedBytes, cudaStream_t stream, bool cooperative,
                               std::index_sequence<I...>) {
  auto thread = [&] {
    kernel(*static_cast<typename std::remove_reference<Parameters>::type*>(arguments[I])...);
  };
  return launchAndReport(grid, block, sharedBytes, stream, cooperative, thread);
}

}  // namespace backend
}  // namespace cui

template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                             size_t sharedBytes = 0, cudaStream_t stream = 0) {
  return ::cui::backend::launchFromPointers(kernel, grid, block, arguments, sharedBytes, stream, false,
                                            std::index_sequence_for<Parameters...>());
}
template <class... Parameters>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                        void** arguments, size_t sharedBytes = 0, cudaStream_t stream = 0) {
  return ::cui::backend::launchFromPointers(kernel, grid, block, arguments, sharedBytes, stream, true,
                                            std::index_sequence_for<Parameters...>());
}
inline cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, size_t = 0, cudaStream_t = 0) {
  return ::cuiUnsupported("cudaLaunchKernel through a void pointer (pass the kernel itself)");
}
inline cudaError_t cudaLaunchCooperativeKernel(const void*, dim3, dim3, void**, size_t = 0,
                                               cudaStream_t = 0) {
  return ::cuiUnsupported("cudaLaunchCooperativeKernel through a void pointer (pass the kernel itself)");
}
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void*, void**) {
  return ::cuiUnsupported("cudaLaunchKernelExC");
}
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Arguments&&... arguments) {
  if (config == nullptr) return cudaErrorInvalidValue;
  bool cooperative = false;
  for (unsigned int i = 0; i < config->numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config->attrs[i];
    if (attribute.id == cudaLaunchAttributeCooperative) cooperative = attribute.val.cooperative != 0;
    if (attribute.id == cudaLaunchAttributeClusterDimension)
      return ::cuiUnsupported("cudaLaunchKernelEx with thread block clusters");
  }
  auto thread = [&] { kernel(static_cast<Parameters>(arguments)...); };
  return ::cui::backend::launchAndReport(config->gridDim, config->blockDim, config->dynamicSmemBytes,
                                         config->stream, cooperative, thread);
}

#endif
