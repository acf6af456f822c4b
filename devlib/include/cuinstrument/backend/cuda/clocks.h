// Host side: the host's clock beside those of a device. All calls here are made with the runtime's lock held
// and inside QuietCalls.
#pragma once

#include "cuinstrument/backend/cuda/collect.h"
#include "cuinstrument/backend/cuda/host_runtime.h"
#include "cuinstrument/host/abi.h"

CUI_HOST_SIDE_BEGIN
namespace cui {
namespace backend {

/// Readings of two clocks to compare: the quickest counts, as the others may have waited for what else the
/// device does, also for other processes.
constexpr int clockReadings = 8;

/// What %globaltimer must have added to it to be the host's clock.
inline bool compareTimers(Device& device, long long& offset) {
  long long& timer = device.contextCopy->clockOffset;
  int64_t quickest = 0;
  for (int i = 0; i < clockReadings; ++i) {
    const int64_t begin = cuiNow();
    runtime().units->calibrate(device.context, device.stream);
    if (!finishOwnStream(device)) return false;
    const int64_t took = cuiNow() - begin;
    if (cudaMemcpyAsync(&timer, &device.context->clockOffset, sizeof timer, cudaMemcpyDeviceToHost,
                        device.stream) != cudaSuccess ||
        !finishOwnStream(device))
      return false;
    if (i != 0 && took >= quickest) continue;
    quickest = took;
    offset = begin + took / 2 - timer;
  }
  return true;
}

/// The time reference of the device's events.
inline bool makeReference(Device& device) {
  cudaEvent_t next = nullptr;
  if (cudaEventCreateWithFlags(&device.reference, cudaEventDefault) != cudaSuccess ||
      cudaEventCreateWithFlags(&next, cudaEventDefault) != cudaSuccess)
    return false;
  int64_t quickest = 0;
  for (int i = 0; i < clockReadings; ++i) {
    const int64_t begin = cuiNow();
    if (cudaEventRecord(next, device.stream) != cudaSuccess || !finishOwnStream(device)) return false;
    const int64_t took = cuiNow() - begin;
    if (i != 0 && took >= quickest) continue;
    quickest = took;
    device.referenceNs = begin + took / 2;
    const cudaEvent_t quicker = next;
    next = device.reference;
    device.reference = quicker;
  }
  return cudaEventDestroy(next) == cudaSuccess;
}

}  // namespace backend
}  // namespace cui
CUI_HOST_SIDE_END
