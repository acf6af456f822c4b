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
/// device does. Where even that took long, because other processes have the device in turns of milliseconds,
/// there are more for a while: half of what it took is how wrong it can be.
class ClockReadings {
 public:
  bool goOn() const { return count_ < fewest || (quickestNs_ > quickNs && cuiNow() - beginNs_ < limitNs); }
  /// Whether the one that took so long counts, so far.
  bool isQuickest(int64_t tookNs) {
    const bool first = count_++ == 0;
    if (!first && tookNs >= quickestNs_) return false;
    quickestNs_ = tookNs;
    return true;
  }

 private:
  static constexpr int fewest = 8;
  static constexpr int64_t quickNs = 100000, limitNs = 50000000;
  const int64_t beginNs_ = cuiNow();
  int64_t quickestNs_ = 0;
  int count_ = 0;
};

/// What %globaltimer must have added to it to be the host's clock.
inline bool compareTimers(Device& device, long long& offset) {
  long long& timer = device.contextCopy->clockOffset;
  for (ClockReadings readings; readings.goOn();) {
    const int64_t begin = cuiNow();
    runtime().units->calibrate(device.context, device.stream);
    if (!finishOwnStream(device)) return false;
    const int64_t took = cuiNow() - begin;
    if (cudaMemcpyAsync(&timer, &device.context->clockOffset, sizeof timer, cudaMemcpyDeviceToHost,
                        device.stream) != cudaSuccess ||
        !finishOwnStream(device))
      return false;
    if (!readings.isQuickest(took)) continue;
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
  for (ClockReadings readings; readings.goOn();) {
    const int64_t begin = cuiNow();
    if (cudaEventRecord(next, device.stream) != cudaSuccess || !finishOwnStream(device)) return false;
    const int64_t took = cuiNow() - begin;
    if (!readings.isQuickest(took)) continue;
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
