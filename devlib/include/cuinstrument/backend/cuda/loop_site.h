// Device side: what a loop's accesses are passed to loop.h as.
#pragma once

#include "cuinstrument/backend/cuda/site_calls.h"

namespace cui {
namespace backend {

/// Accesses are few enough for the short way, and this code may take as many registers.
template <unsigned Count, bool Short = hasJointWay && Count <= 3>
struct LoopWay {
  static __device__ __forceinline__ bool record(const DeviceUnit& unit, const LoopPlace (&places)[Count],
                                                unsigned int times) {
    return recordLongLoop(unit, places, Count, times);
  }
};
template <unsigned Count>
struct LoopWay<Count, true> {
  static __device__ __forceinline__ bool record(const DeviceUnit& unit, const LoopPlace (&places)[Count],
                                                unsigned int times) {
    LaneAccess accesses[Count];
    int steps[Count];
    bool even = true;
#pragma unroll
    for (unsigned int i = 0; i < Count; ++i) {
      const LoopPlace& place = places[i];
      accesses[i] = laneAccess(unit, Accessed{place.site, place.bytes, place.cuiFirst});
      steps[i] = static_cast<int>(stepOf(place));
      even &= advancesEvenly(place, times) & (place.bytes <= maxTogetherBytes);
    }
    return even && callLoop(unit, accesses, steps, times);
  }
};

/// Records `times` times round a loop with these accesses, in this order. False if nothing was done.
template <std::size_t Count>
static __device__ __forceinline__ bool recordLoop(const DeviceUnit& unit, const LoopPlace (&places)[Count],
                                                  unsigned int times) {
#pragma unroll
  for (std::size_t i = 0; i < Count; ++i)
    if (isPrivate(unit.constants, places[i].cuiFirst)) return false;
  return LoopWay<static_cast<unsigned>(Count)>::record(unit, places, times);
}

static __device__ __forceinline__ void callFixedLoop(const DeviceUnit& unit, const LaneAccess (&of)[1],
                                                     const long long (&steps)[1], unsigned int times) {
  recordFixedOne(unit, of[0].key, of[0].address, steps[0], of[0].bytes, times);
}
static __device__ __forceinline__ void callFixedLoop(const DeviceUnit& unit, const LaneAccess (&of)[2],
                                                     const long long (&steps)[2], unsigned int times) {
  recordFixedTwo(unit, of[0].key, of[0].address, steps[0], of[1].key, of[1].address, steps[1],
                 bytesOfAll(of[0], of[1]), times);
}
static __device__ __forceinline__ void callFixedLoop(const DeviceUnit& unit, const LaneAccess (&of)[3],
                                                     const long long (&steps)[3], unsigned int times) {
  recordFixedThree(unit, of[0].key, of[0].address, steps[0], of[1].key, of[1].address, steps[1], of[2].key,
                   of[2].address, steps[2], bytesOfAll(of[0], of[1], of[2]), times);
}

/// As LoopWay.
template <unsigned Count, bool Short = hasJointWay && Count <= 3>
struct FixedLoopWay {
  static __device__ __forceinline__ void record(const DeviceUnit& unit, const LoopPlace (&places)[Count],
                                                unsigned int times, bool) {
    recordFixedLoop(unit, places, Count, times);
  }
};
template <unsigned Count>
struct FixedLoopWay<Count, true> {
  static __device__ __forceinline__ void record(const DeviceUnit& unit, const LoopPlace (&places)[Count],
                                                unsigned int times, bool fits) {
    if (!fits) return recordFixedLoop(unit, places, Count, times);
    LaneAccess accesses[Count];
    long long steps[Count];
#pragma unroll
    for (unsigned int i = 0; i < Count; ++i) {
      accesses[i] = laneAccess(unit, Accessed{places[i].site, places[i].bytes, places[i].cuiFirst});
      steps[i] = stepOf(places[i]);
    }
    callFixedLoop(unit, accesses, steps, times);
  }
};

/// Likewise, of a loop whose places surely advance evenly: nothing is left to do.
template <std::size_t Count>
static __device__ __forceinline__ void recordFixedLoop(const DeviceUnit& unit, LoopPlace (&places)[Count],
                                                       unsigned int times) {
  bool fits = true;  // which the compiler knows
  bool any = false;
#pragma unroll
  for (std::size_t i = 0; i < Count; ++i) {
    fits &= places[i].bytes <= maxTogetherBytes;
    const bool own = isPrivate(unit.constants, places[i].cuiFirst);
    any |= !own;
    // Its address goes nowhere: what is accessed can stay in registers.
    if (own) places[i].cuiFirst = places[i].cuiSecond = nullptr;
    if (own) places[i].bytes = 0;
  }
  if (!any) return;
  FixedLoopWay<static_cast<unsigned>(Count)>::record(unit, places, times, fits);
}

}  // namespace backend
}  // namespace cui
