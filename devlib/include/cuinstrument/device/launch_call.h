// Launches by a call: CUI_LAUNCH_CALL(n, cudaLaunchKernel)(…) calls a static member function with the
// overloads and default arguments of the original. A launch scope lives around the original's call: made of
// the configuration, it announces the launch as the forms around <<<…>>> do.
#pragma once

#include <cstddef>

namespace cui {

#if defined(CUI_CPU_BACKEND)

/// The launches that start here are those of the row, which a call does not say by itself.
template <class Row>
class LaunchScope {
 public:
  LaunchScope(dim3, dim3, std::size_t, cudaStream_t) : before_(backend::calledLaunch()) {
    backend::calledLaunch() = {&Row::Unit::table(), Row::number};
  }
  LaunchScope(const LaunchScope&) = delete;
  LaunchScope& operator=(const LaunchScope&) = delete;
  ~LaunchScope() { backend::calledLaunch() = before_; }

 private:
  backend::CalledLaunch before_;
};

#else

template <class Row>
class LaunchScope {
 public:
  LaunchScope(dim3 grid, dim3 block, std::size_t sharedBytes, cudaStream_t stream) {
    backend::announceLaunch(Row::unit(), Row::number);
    backend::launchGrid(grid);
    backend::launchBlock(block);
    backend::launchSharedBytes(sharedBytes);
    backend::launchStream(stream);
  }
  LaunchScope(const LaunchScope&) = delete;
  LaunchScope& operator=(const LaunchScope&) = delete;
  ~LaunchScope() { backend::concludeLaunch(Row::unit(), Row::number); }
};

#endif

template <class Scope>
class LaunchCalls {
  /// A null configuration is for the original to refuse.
  static cudaLaunchConfig_t valueOf(const cudaLaunchConfig_t* config) {
    return config != nullptr ? *config : cudaLaunchConfig_t();
  }

 public:
  template <class T>
  static cudaError_t cudaLaunchKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                      std::size_t sharedBytes = 0, cudaStream_t stream = nullptr) {
    const Scope scope(grid, block, sharedBytes, stream);
    return ::cudaLaunchKernel(kernel, grid, block, arguments, sharedBytes, stream);
  }
  template <class T>
  static cudaError_t cudaLaunchCooperativeKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                                 std::size_t sharedBytes = 0, cudaStream_t stream = nullptr) {
    const Scope scope(grid, block, sharedBytes, stream);
    return ::cudaLaunchCooperativeKernel(kernel, grid, block, arguments, sharedBytes, stream);
  }
  static cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel,
                                         void** arguments) {
    const cudaLaunchConfig_t c = valueOf(config);
    const Scope scope(c.gridDim, c.blockDim, c.dynamicSmemBytes, c.stream);
    return ::cudaLaunchKernelExC(config, kernel, arguments);
  }
  template <class... Parameters, class... Arguments>
  static cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                                        Arguments&&... arguments) {
    const cudaLaunchConfig_t c = valueOf(config);
    const Scope scope(c.gridDim, c.blockDim, c.dynamicSmemBytes, c.stream);
    return ::cudaLaunchKernelEx(config, kernel, static_cast<Arguments&&>(arguments)...);
  }
};

template <class Row>
using CuiLaunchCall = LaunchCalls<LaunchScope<Row>>;

}  // namespace cui

#define CUI_LAUNCH_CALL(n, name) ::cui::CuiLaunchCall<::cui::LaunchRow<n>>::name
/// Behind a `::` of the user's.
#define CUI_GLOBAL_LAUNCH_CALL(n, name) cui::CuiLaunchCall<::cui::LaunchRow<n>>::name
