// Host side: the host's clock beside those of a device. All calls here are made with the runtime's lock held
// and inside QuietCalls.
#pragma once

#include "cuinstrument/backend/cuda/collect.h"
#include "cuinstrument/backend/cuda/host_runtime.h"
#include "cuinstrument/host/abi.h"

CUI_HOST_SIDE_BEGIN
namespace cui {
namespace backend {

/// What another clock must have added to it to be the host's, from readings of it between two of the host's.
/// Each says how little and how much that can be; all together say most. Where other processes have the
/// device in turns of milliseconds, there are more readings for a while: then each waits for its turn, and is
/// seen at once when it has had it, so that it is the upper bound that is right.
class ClockReadings {
 public:
  bool goOn() const { return count_ < fewest || (most_ - least_ > goodNs && cuiNow() - beginNs_ < limitNs); }
  void add(int64_t begin, int64_t otherNs, int64_t end) {
    if (count_ == 0 || begin - otherNs > least_) least_ = begin - otherNs;
    if (count_ == 0 || end - otherNs < most_) most_ = end - otherNs;
    ++count_;
  }
  int64_t offset() const { return most_ - (most_ - least_ < goodNs ? most_ - least_ : goodNs) / 2; }

 private:
  static constexpr int fewest = 8;
  static constexpr int64_t goodNs = 100000, limitNs = 50000000;
  const int64_t beginNs_ = cuiNow();
  int64_t least_ = 0, most_ = 0;
  int count_ = 0;
};

/// What %globaltimer must have added to it to be the host's clock.
inline bool compareTimers(Device& device, long long& offset) {
  long long& timer = device.contextCopy->clockOffset;
  ClockReadings readings;
  while (readings.goOn()) {
    const int64_t begin = cuiNow();
    runtime().units->calibrate(device.context, device.stream);
    if (!finishOwnStream(device)) return false;
    const int64_t end = cuiNow();
    if (cudaMemcpyAsync(&timer, &device.context->clockOffset, sizeof timer, cudaMemcpyDeviceToHost,
                        device.stream) != cudaSuccess ||
        !finishOwnStream(device))
      return false;
    readings.add(begin, timer, end);
  }
  offset = readings.offset();
  return true;
}

/// The time reference of the device's events: the time since then is the other clock.
inline bool makeReference(Device& device) {
  cudaEvent_t next = nullptr;
  if (cudaEventCreateWithFlags(&device.reference, cudaEventDefault) != cudaSuccess ||
      cudaEventCreateWithFlags(&next, cudaEventDefault) != cudaSuccess ||
      cudaEventRecord(device.reference, device.stream) != cudaSuccess || !finishOwnStream(device))
    return false;
  ClockReadings readings;
  while (readings.goOn()) {
    const int64_t begin = cuiNow();
    if (cudaEventRecord(next, device.stream) != cudaSuccess || !finishOwnStream(device)) return false;
    const int64_t end = cuiNow();
    float sinceMs = 0;
    if (cudaEventElapsedTime(&sinceMs, device.reference, next) != cudaSuccess) return false;
    readings.add(begin, static_cast<int64_t>(sinceMs * 1e6), end);
  }
  device.referenceNs = readings.offset();
  return cudaEventDestroy(next) == cudaSuccess;
}

}  // namespace backend
}  // namespace cui
CUI_HOST_SIDE_END
