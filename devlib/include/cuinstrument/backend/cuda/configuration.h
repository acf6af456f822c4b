// A launch's configuration, two to four arguments, that a macro's name stands for as a whole: how many there
// are, and where each ends, only a call tells, for commas may be a template's or a list's.
#pragma once

#include <cstddef>

#include "cuinstrument/backend/cuda/host_side.h"

namespace cui {
namespace backend {

struct LaunchConfiguration {
  dim3 grid, block;
  std::size_t sharedBytes = 0;
  cudaStream_t stream = nullptr;
  bool hasStream = false;

  LaunchConfiguration() = default;
  LaunchConfiguration(dim3 g, dim3 b, std::size_t bytes = 0) : grid(g), block(b), sharedBytes(bytes) {}
  LaunchConfiguration(dim3 g, dim3 b, std::size_t bytes, cudaStream_t s)
      : grid(g), block(b), sharedBytes(bytes), stream(s), hasStream(true) {}
};

/// It is evaluated once, for whichever of its arguments the launch asks first: nothing says in which order it
/// does. The others find it held here, in the thread's memory.
struct HeldConfiguration {
  LaunchConfiguration held;
  unsigned wanted = 0;  ///< a bit for each argument that has not been asked for
};
inline HeldConfiguration& heldConfiguration() {
  static thread_local HeldConfiguration held;
  return held;
}
inline const LaunchConfiguration& takeConfiguration(unsigned argument) {
  HeldConfiguration& held = heldConfiguration();
  held.wanted &= ~argument;
  return held.held;
}

}  // namespace backend

// What the form names: `configuredGrid(isConfigured(1) || holdConfiguration(…))`. No lambda, which outside
// functions, in default arguments, could not say what it captures.
using backend::LaunchConfiguration;
inline bool isConfigured(unsigned argument) {
  return (backend::heldConfiguration().wanted & argument) != 0;
}
inline bool holdConfiguration(const LaunchConfiguration& evaluated) {
  backend::heldConfiguration().held = evaluated;
  backend::heldConfiguration().wanted = 15;
  return true;
}
inline dim3 configuredGrid(bool) {
  return backend::launchGrid(backend::takeConfiguration(1).grid);
}
inline dim3 configuredBlock(bool) {
  return backend::launchBlock(backend::takeConfiguration(2).block);
}
inline std::size_t configuredSharedBytes(bool) {
  return backend::launchSharedBytes(backend::takeConfiguration(4).sharedBytes);
}
inline cudaStream_t configuredStream(bool) {
  const LaunchConfiguration& configuration = backend::takeConfiguration(8);
  return configuration.hasStream ? backend::launchStream(configuration.stream) : nullptr;
}

}  // namespace cui
