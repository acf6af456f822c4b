// Host side: the host's clock beside those of a device. All calls here are made with the runtime's lock held
// and inside QuietCalls.
#pragma once

#include <initializer_list>

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

/// Nanoseconds from the reference to another event, as a float of milliseconds has them.
inline cudaError_t sinceReference(const Device& device, cudaEvent_t event, int64_t& ns) {
  float ms = 0;
  const cudaError_t state = cudaEventElapsedTime(&ms, device.reference, event);
  ns = static_cast<int64_t>(ms * 1e6);
  return state;
}

/// A reference this old makes that too coarse: after a second, 60 ns.
constexpr int64_t maxReferenceAgeNs = 1000000000;
/// After this the events' clock, which goes on from reference to reference, can be 2 us away from
/// %globaltimer, and is to be set by it. Where that is not possible, twice as long will do.
constexpr int64_t maxTimersAgeNs = 30000000000;

/// What %globaltimer must have added to it to be the time since the reference: the largest difference that is
/// seen between an event and a kernel behind it. So a kernel begins no earlier than an event in front of it
/// would say, and most readings may be disturbed by others who use the device.
inline bool compareWithEvents(Device& device, cudaEvent_t event, int64_t& offset) {
  constexpr int readings = 8;
  const long long& timer = device.contextCopy->clockOffset;
  // Some 40 us, in which event and kernel come to stand one behind the other, as a program's do.
  constexpr std::size_t ahead = 1u << 20;
  static_assert(ahead <= sizeof(CounterTable), "copied to where it is read to, too");
  for (int i = 0; i < readings; ++i) {
    if (cudaMemcpyAsync(device.countersCopy, device.counters, ahead, cudaMemcpyDeviceToHost, device.stream) !=
            cudaSuccess ||
        cudaEventRecord(event, device.stream) != cudaSuccess)
      return false;
    runtime().units->calibrate(device.scratch, device.stream);
    int64_t ns = 0;
    if (cudaMemcpyAsync(&device.contextCopy->clockOffset, &device.scratch->clockOffset, sizeof timer,
                        cudaMemcpyDeviceToHost, device.stream) != cudaSuccess ||
        !finishOwnStream(device) || sinceReference(device, event, ns) != cudaSuccess)
      return false;
    const int64_t difference = ns - static_cast<int64_t>(timer);
    if (i == 0 || difference > offset) offset = difference;
  }
  device.timersComparedNs = cuiNow();
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
    int64_t ns = 0;
    if (sinceReference(device, next, ns) != cudaSuccess) return false;
    readings.add(begin, ns, end);
  }
  device.referenceNs = readings.offset();
  int64_t offset = 0;
  if (!compareWithEvents(device, next, offset)) return false;
  device.timerOffsetNs = device.referenceNs + offset;
  cuiDeviceTimer(device.ring.device, device.timerOffsetNs);
  return cudaEventDestroy(next) == cudaSuccess;
}

/// While the device is idle: another reference, whose time is by %globaltimer, or still the old one.
inline void renewReference(Device& device) {
  const cudaEvent_t before = device.reference;
  cudaEvent_t now = nullptr, next = nullptr;
  int64_t offset = 0;
  bool renewed = false;
  if (cudaEventCreateWithFlags(&now, cudaEventDefault) == cudaSuccess &&
      cudaEventCreateWithFlags(&next, cudaEventDefault) == cudaSuccess &&
      cudaEventRecord(now, device.stream) == cudaSuccess) {
    device.reference = now;
    renewed = compareWithEvents(device, next, offset);
  }
  device.reference = renewed ? now : before;
  if (renewed) device.referenceNs = device.timerOffsetNs - offset;
  for (const cudaEvent_t unused : {renewed ? before : now, next})
    if (unused != nullptr) cudaEventDestroy(unused);
}

}  // namespace backend
}  // namespace cui
CUI_HOST_SIDE_END
