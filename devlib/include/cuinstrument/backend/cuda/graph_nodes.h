// Host side of calls that make a graph's kernel node or change it (device/launch_call.h): what the node
// launches is announced, so that each of its runs has the kernel, the configuration and the place of that
// call. The user's last error stays what it is.
#pragma once

#include "cuinstrument/backend/cuda/launch.h"

// Before CUDA 12.3 there is none; a library that was compiled for a later one may meet such a runtime.
#if CUDART_VERSION >= 12030
#if !defined(CUI_HOST_SIDE_IN_LIBRARY_ITSELF)
#define CUI_HAS_KERNEL_NAMES 1
#else
extern "C" cudaError_t CUDARTAPI cudaFuncGetName(const char** name, const void* function)
    __attribute__((weak));
#define CUI_HAS_KERNEL_NAMES (&cudaFuncGetName != nullptr)
#endif
#endif

CUI_HOST_SIDE_BEGIN
namespace cui {
namespace backend {

/// As launch.kernel has it; null if the runtime cannot tell.
inline const char* kernelNameOf(const void* kernel) {
#if defined(CUI_HAS_KERNEL_NAMES)
  const char* symbol = nullptr;
  if (CUI_HAS_KERNEL_NAMES && ::cudaFuncGetName(&symbol, kernel) == cudaSuccess && symbol != nullptr)
    return cuiKernelName(symbol);
#endif
  (void)kernel;
  return nullptr;
}

inline void announceNode(HostUnit& unit, unsigned int entry, const GraphNode& node) {
  if (cuiRecording() ? unit.recursive : runtime().recursive) makeRoomOnStack();
  if (!cuiRecording()) return;
  QuietCalls quiet;
  Lock lock;
  Device* const device = deviceOfCall(quiet);
  if (device == nullptr) return;
  CuiGraphNode made = {};
  made.launch.unit = &unit.table();
  made.launch.launchEntry = entry;
  const dim3 extents[2] = {node.grid, node.block};
  for (int i = 0; i < 2; ++i) {
    uint32_t* const extent = i == 0 ? made.launch.grid : made.launch.block;
    extent[0] = extents[i].x;
    extent[1] = extents[i].y;
    extent[2] = extents[i].z;
  }
  made.launch.dynamicSharedBytes = node.sharedBytes;
  made.launch.device = device->ring.device;
  made.launch.hostBeginNs = node.beginNs;
  made.launch.captured = 1;
  made.launch.kernel = quiet.allowed() ? kernelNameOf(node.kernel) : nullptr;
  made.node = reinterpret_cast<uint64_t>(node.node);
  made.change = node.change;
  cuiGraphNode(&made);
  expectGraphs(*device, quiet);
  if (quiet.allowed()) setClosed(*device, false);  // no launch comes that could
}

}  // namespace backend
}  // namespace cui
CUI_HOST_SIDE_END
