// Host side: memory that is ours on a device, and reading it: by our stream, or, once the device has failed,
// by another process, which can map it as long as this one lives (host/abi.h: cuiRescueBegin()).
#pragma once

#include "cuinstrument/backend/cuda/host_runtime.h"
#include "cuinstrument/host/abi.h"

CUI_HOST_SIDE_BEGIN
namespace cui {
namespace backend {

static_assert(sizeof(cudaIpcMemHandle_t) == CUI_EXPORT_HANDLE_BYTES, "as the driver has it, too");

/// Lets another process map the allocation, if that is possible here. While all is well: a failed context
/// does not make handles.
inline void exportMemory(Device& device, const void* begin, std::size_t bytes) {
  if (device.exportCount == CUI_MOST_EXPORTS) return;
  cudaIpcMemHandle_t handle;
  if (cudaIpcGetMemHandle(&handle, const_cast<void*>(begin)) != cudaSuccess) {
    (void)cudaGetLastError();  // ours
    return;
  }
  __builtin_memcpy(device.exportHandles[device.exportCount], &handle, sizeof handle);
  device.exported[device.exportCount++] = {static_cast<const char*>(begin), bytes};
}

/// Starts copying; finishOwnStream() waits for it.
inline bool copyFrom(Device& device, void* to, const void* from, std::size_t bytes) {
  if (device.rescue == nullptr)
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, device.stream) == cudaSuccess;
  for (unsigned int i = 0; i < device.exportCount; ++i) {
    const ExportedMemory& memory = device.exported[i];
    const std::size_t offset = static_cast<std::size_t>(static_cast<const char*>(from) - memory.begin);
    if (offset <= memory.bytes && bytes <= memory.bytes - offset)
      return cuiRescueRead(device.rescue, i, offset, to, bytes) != 0;
  }
  return false;
}
/// Rows of `width` bytes, `pitch` bytes apart there, and one behind the other here.
inline bool copyRowsFrom(Device& device, char* to, const char* from, std::size_t width, std::size_t pitch,
                         unsigned int rows) {
  if (device.rescue == nullptr)
    return cudaMemcpy2DAsync(to, width, from, pitch, width, rows, cudaMemcpyDeviceToHost, device.stream) ==
           cudaSuccess;
  for (unsigned int row = 0; row < rows; ++row)
    if (!copyFrom(device, to + row * width, from + row * pitch, width)) return false;
  return true;
}
/// Zeros, where that still matters.
inline bool clearMemory(Device& device, void* memory, std::size_t bytes) {
  return device.rescue != nullptr || cudaMemsetAsync(memory, 0, bytes, device.stream) == cudaSuccess;
}
/// The same of rows, as copyRowsFrom() has them.
inline bool clearRows(Device& device, void* memory, std::size_t width, std::size_t pitch, std::size_t rows) {
  return device.rescue != nullptr ||
         cudaMemset2DAsync(memory, pitch, 0, width, rows, device.stream) == cudaSuccess;
}

inline void endRescue(Device& device) {
  cuiRescueEnd(device.rescue);
  device.rescue = nullptr;
}
/// From here on copyFrom() reads by another process; false if none can.
inline bool beginRescue(Device& device) {
  device.rescue = cuiRescueBegin(device.uuid, device.exportHandles, device.exportCount);
  if (device.rescue == nullptr) return false;
  // Whether it reads what it is meant to.
  if (copyFrom(device, device.contextCopy, device.context, sizeof(DeviceContext)) &&
      device.contextCopy->constants.counters == device.counters)
    return true;
  endRescue(device);
  return false;
}

/// Waits for our own stream, which carries only short work, for at most two seconds: where the hardware
/// queues are all taken by kernels that never end, even that may not come.
inline bool finishOwnStream(const Device& device) {
  if (device.rescue != nullptr) return true;
  const int64_t deadline = cuiNow() + 2000000000;
  cudaError_t error;
  while ((error = cudaStreamQuery(device.stream)) == cudaErrorNotReady && cuiNow() < deadline) {
  }
  return error == cudaSuccess;
}

}  // namespace backend
}  // namespace cui
CUI_HOST_SIDE_END
