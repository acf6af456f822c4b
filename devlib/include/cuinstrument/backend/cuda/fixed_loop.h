// Device side: loops that go round a few times and whose places surely advance evenly (CUI_FIXED_LOOP). They
// are recorded wholly in front, as loop.h does it or, where that finds no rule, access by access: nothing of
// the loop itself calls the recorder.
#pragma once

#include "cuinstrument/backend/cuda/loop.h"
#include "cuinstrument/backend/cuda/site_calls.h"

namespace cui {
namespace backend {

/// A loop's accesses, whose places surely advance evenly. What is not to be recorded has 0 bytes.
template <unsigned Count>
struct FixedLoop {
  LaneAccess of[Count];  ///< the first time round
  long long steps[Count];
  unsigned int times;
};

/// Access by access, as the loop itself would: where its lanes do not all go round equally often, follow no
/// rule, or are not the whole warp.
template <unsigned Count>
__device__ __noinline__ void recordTimes(const DeviceUnit& unit, FixedLoop<Count> loop) {
#pragma unroll 1
  for (unsigned int time = 0; time < loop.times; ++time)
    for (unsigned int i = 0; i < Count; ++i)
      if (loop.of[i].bytes != 0)
        callOne(unit, {loop.of[i].address + static_cast<unsigned long long>(loop.steps[i]) * time,
                       loop.of[i].key, loop.of[i].bytes});
}

/// A step that is no int, or something that is not recorded, is not for the short way.
template <unsigned Count>
static __device__ __forceinline__ void recordFixed(const DeviceUnit& unit, const FixedLoop<Count>& loop) {
  int steps[Count];
  bool isShort = true;
#pragma unroll
  for (unsigned int i = 0; i < Count; ++i) {
    steps[i] = static_cast<int>(loop.steps[i]);
    isShort &= (steps[i] == loop.steps[i]) & (loop.of[i].bytes != 0);
  }
  if (!isShort || !callLoop(unit, loop.of, steps, loop.times)) recordTimes(unit, loop);
}

template <int>
__device__ __noinline__ void recordFixedOne(const DeviceUnit& unit, unsigned int key, unsigned long long a,
                                            long long step, unsigned int bytes, unsigned int times) {
  recordFixed(unit, FixedLoop<1>{{{a, key, bytes}}, {step}, times});
}
template <int>
__device__ __noinline__ void recordFixedTwo(const DeviceUnit& unit, unsigned int keyA, unsigned long long a,
                                            long long stepA, unsigned int keyB, unsigned long long b,
                                            long long stepB, unsigned int bytes, unsigned int times) {
  const LaneAccesses<2> all = twoAccesses(keyA, a, keyB, b, bytes);
  recordFixed(unit, FixedLoop<2>{{all.of[0], all.of[1]}, {stepA, stepB}, times});
}
template <int>
__device__ __noinline__ void recordFixedThree(const DeviceUnit& unit, unsigned int keyA, unsigned long long a,
                                              long long stepA, unsigned int keyB, unsigned long long b,
                                              long long stepB, unsigned int keyC, unsigned long long c,
                                              long long stepC, unsigned int bytes, unsigned int times) {
  const LaneAccesses<3> all = threeAccesses(keyA, a, keyB, b, keyC, c, bytes);
  recordFixed(unit, FixedLoop<3>{{all.of[0], all.of[1], all.of[2]}, {stepA, stepB, stepC}, times});
}

/// Any number of accesses, as recordLongLoop().
template <int>
__device__ __noinline__ void recordFixedLoop(const DeviceUnit& unit, const LoopPlace* places,
                                             unsigned int count, unsigned int times) {
  bool all = true;
#pragma unroll 1
  for (unsigned int i = 0; i < count; ++i) all &= places[i].bytes != 0;
  if (all && recordLongLoop(unit, places, count, times)) return;
#pragma unroll 1
  for (unsigned int time = 0; time < times; ++time)
#pragma unroll 1
    for (unsigned int i = 0; i < count; ++i) {
      if (places[i].bytes == 0) continue;
      const char* const first = static_cast<const char*>(const_cast<const void*>(places[i].cuiFirst));
      const LaneAccess own =
          laneAccess(unit, Accessed{places[i].site, places[i].bytes, first + stepOf(places[i]) * time});
      callOne(unit, own);
    }
}

}  // namespace backend
}  // namespace cui
