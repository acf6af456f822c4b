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

  template <class Evaluate>
  const LaunchConfiguration& take(unsigned argument, const Evaluate& evaluate) {
    if ((wanted & argument) == 0) {
      const LaunchConfiguration evaluated = evaluate();  // which may launch something itself
      held = evaluated;
      wanted = 15;
    }
    wanted &= ~argument;
    return held;
  }
};
inline HeldConfiguration& heldConfiguration() {
  static thread_local HeldConfiguration held;
  return held;
}

}  // namespace backend

// What the form names.
using backend::LaunchConfiguration;
template <class Evaluate>
dim3 configuredGrid(const Evaluate& evaluate) {
  return backend::launchGrid(backend::heldConfiguration().take(1, evaluate).grid);
}
template <class Evaluate>
dim3 configuredBlock(const Evaluate& evaluate) {
  return backend::launchBlock(backend::heldConfiguration().take(2, evaluate).block);
}
template <class Evaluate>
std::size_t configuredSharedBytes(const Evaluate& evaluate) {
  return backend::launchSharedBytes(backend::heldConfiguration().take(4, evaluate).sharedBytes);
}
template <class Evaluate>
cudaStream_t configuredStream(const Evaluate& evaluate) {
  const LaunchConfiguration& configuration = backend::heldConfiguration().take(8, evaluate);
  return configuration.hasStream ? backend::launchStream(configuration.stream) : nullptr;
}

}  // namespace cui
