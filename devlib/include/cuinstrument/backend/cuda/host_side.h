// Where the host side is: in libcuinstrument.a, if that was built with a toolkit of the major version that
// compiles this unit, or in every unit, which then compiles it from the headers. A program has one of both
// (hostlib refuses a second), so what depends on that has another name in each case.
#pragma once

#include <cuda_runtime.h>

// Made by the build of cuinstrument; CUI_HOST_SIDE_IN_UNITS overrules it.
#if defined(__has_include) && !defined(CUI_HOST_SIDE_IN_UNITS)
#if __has_include("cuinstrument/cuda_library.h")
#include "cuinstrument/cuda_library.h"
#endif
#endif
#if defined(CUI_CUDA_LIBRARY_MAJOR)
#if CUDART_VERSION / 1000 == CUI_CUDA_LIBRARY_MAJOR
#define CUI_HOST_SIDE_IN_LIBRARY 1
#endif
#endif

#if defined(CUI_HOST_SIDE_IN_LIBRARY)
#include "cuinstrument/backend/cuda/host_library.h"
#else
#include "cuinstrument/backend/cuda/graph_nodes.h"
#include "cuinstrument/backend/cuda/harvest.h"
#include "cuinstrument/backend/cuda/launch.h"
#endif

// Units of one program may also be compiled for different default streams.
#if defined(CUI_HOST_SIDE_IN_LIBRARY) && defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define CUI_HOST_SIDE in_library_streams_per_thread
#elif defined(CUI_HOST_SIDE_IN_LIBRARY)
#define CUI_HOST_SIDE in_library
#elif defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define CUI_HOST_SIDE in_units_streams_per_thread
#else
#define CUI_HOST_SIDE in_units
#endif

namespace cui {
namespace backend {
inline namespace CUI_HOST_SIDE {

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
constexpr bool perThreadStreams = true;
#else
constexpr bool perThreadStreams = false;
#endif
#if defined(CUI_RECURSIVE)
constexpr bool isRecursive = true;
#else
constexpr bool isRecursive = false;
#endif
/// The unit's stream by a name that means the same everywhere.
inline cudaStream_t streamOf(cudaStream_t stream) {
  return stream == nullptr && perThreadStreams ? cudaStreamPerThread : stream;
}

#if defined(CUI_HOST_SIDE_IN_LIBRARY)
inline void linkUnit(HostUnit& unit) {
  cuiCudaLinkUnit(CUI_CUDA_HOST_VERSION, &unit.table(), &unit);
}
inline void announceLaunch(HostUnit& unit, unsigned int entry) {
  cuiCudaAnnounceLaunch(&unit, entry);
}
// Not inlined: what is handed on by its address would be a variable of the caller's, of which GCC compares
// all with each other. A function of 500 launches takes it 3.3 seconds so, and 5.5 to 7.2 otherwise.
__attribute__((noinline)) inline dim3 launchGrid(dim3 value) {
  cuiCudaLaunchGrid(&value);
  return value;
}
__attribute__((noinline)) inline dim3 launchBlock(dim3 value) {
  cuiCudaLaunchBlock(&value);
  return value;
}
inline std::size_t launchSharedBytes(std::size_t value) {
  cuiCudaLaunchSharedBytes(value);
  return value;
}
inline cudaStream_t launchStream(cudaStream_t value) {
  cuiCudaLaunchStream(value);
  return value;
}
inline void concludeLaunch(HostUnit& unit, unsigned int entry) {
  cuiCudaConcludeLaunch(&unit, entry);
}
inline void announceNode(HostUnit& unit, unsigned int entry, const GraphNode& node) {
  cuiCudaAnnounceNode(&unit, entry, &node);
}
inline uint64_t streamIdentity(cudaStream_t stream) {
  return cuiCudaStreamIdentity(stream);
}
inline void prepareDevice() {
  cuiCudaPrepareDevice();
}
inline void afterSynchronize(cudaError_t result, bool deviceWide) {
  cuiCudaAfterSynchronize(result, deviceWide);
}
inline void beforeReset() {
  cuiCudaBeforeReset();
}
#else
inline void linkUnit(HostUnit& unit) {
  backend::linkUnit(unit, 0);
}
#endif

}  // namespace CUI_HOST_SIDE
}  // namespace backend
}  // namespace cui
