// Launches by function call: cudaLaunchKernel, cudaLaunchCooperativeKernel, cudaLaunchKernelEx. A kernel's
// type says what the argument pointers point to, so a void pointer to one must have been made by
// CUI_KERNEL_POINTER.
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
CUI_TK_HOST cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel,
                                            void** arguments);
template <class... Parameters, class... Arguments>
CUI_TK_HOST cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                                           Arguments&&... arguments);

#else

#include "../exec_launch.h"

extern "C" {
/// Replaces the calling thread's last error.
void cuiSetLastError(cudaError_t error);
cudaError_t cuiUnsupported(const char* function);
}

namespace cui {
namespace backend {

/// Launches and returns the launch's error, leaving an earlier last error as it was.
cudaError_t launchAndReport(const format::UnitTable* unit, unsigned launchEntry, const LaunchShape& shape,
                            void (*thread)(void* context), void* context);

/// Refuses kernels that no registerKernel() has described. `ofNode`: a graph's node runs.
cudaError_t launchByAddress(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t sharedBytes,
                            cudaStream_t stream, bool cooperative, bool ofNode = false,
                            dim3 cluster = dim3(0, 0, 0));

inline cudaError_t launchConfigured(const cudaLaunchConfig_t* config, const void* kernel, void** arguments) {
  if (config == nullptr) return cudaErrorInvalidValue;
  bool cooperative = false;
  dim3 cluster(0, 0, 0);
  for (unsigned int i = 0; i < config->numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config->attrs[i];
    if (attribute.id == cudaLaunchAttributeCooperative) cooperative = attribute.val.cooperative != 0;
    if (attribute.id == cudaLaunchAttributeClusterDimension)
      cluster = dim3(attribute.val.clusterDim.x, attribute.val.clusterDim.y, attribute.val.clusterDim.z);
  }
  return launchByAddress(kernel, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                         config->stream, cooperative, false, cluster);
}

template <class... Parameters>
const void* addressOfKernel(void (*kernel)(Parameters...)) {
  if (kernel == nullptr) return nullptr;
  return reinterpret_cast<const void*>(&cuiKernelPointer(CalledLaunch{}, *kernel));
}

template <class... Arguments>
cudaError_t launchConfiguredWithThese(const cudaLaunchConfig_t* config, const void* kernel,
                                      Arguments&&... those) {
  void* arguments[] = {const_cast<void*>(static_cast<const volatile void*>(std::addressof(those)))...,
                       nullptr};
  return launchConfigured(config, kernel, arguments);
}
template <class... Parameters>
cudaError_t launchConfiguredWith(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                                 typename std::remove_cv<Parameters>::type... values) {
  return launchConfiguredWithThese(config, addressOfKernel(kernel),
                                   KernelArgument<Parameters>::from(values)...);
}

}  // namespace backend
}  // namespace cui

template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                             size_t sharedBytes = 0, cudaStream_t stream = 0) {
  return ::cui::backend::launchByAddress(::cui::backend::addressOfKernel(kernel), grid, block, arguments,
                                         sharedBytes, stream, false);
}
template <class... Parameters>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                        void** arguments, size_t sharedBytes = 0, cudaStream_t stream = 0) {
  return ::cui::backend::launchByAddress(::cui::backend::addressOfKernel(kernel), grid, block, arguments,
                                         sharedBytes, stream, true);
}
inline cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                    size_t sharedBytes = 0, cudaStream_t stream = 0) {
  return ::cui::backend::launchByAddress(kernel, grid, block, arguments, sharedBytes, stream, false);
}
inline cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                               size_t sharedBytes = 0, cudaStream_t stream = 0) {
  return ::cui::backend::launchByAddress(kernel, grid, block, arguments, sharedBytes, stream, true);
}
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel,
                                       void** arguments) {
  return ::cui::backend::launchConfigured(config, kernel, arguments);
}
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Arguments&&... arguments) {
  return ::cui::backend::launchConfiguredWith<Parameters...>(config, kernel,
                                                             static_cast<Arguments&&>(arguments)...);
}

#endif
