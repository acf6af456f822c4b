// Device side: what a loop's accesses are passed to loop.h as.
#pragma once

#include "cuinstrument/backend/cuda/lanes.h"
#include "cuinstrument/backend/cuda/site_calls.h"

namespace cui {
namespace backend {

/// The list of a loop's places as the recorder goes through it, in local memory. A copy: what is kept in
/// registers elsewhere need not be in memory for those who do not come here.
template <unsigned Count>
struct PlaceList {
  LoopPlace of[Count];
};
template <unsigned Count>
static __device__ __forceinline__ PlaceList<Count> listOf(const LoopPlace (&places)[Count]) {
  PlaceList<Count> list;
#pragma unroll
  for (unsigned int i = 0; i < Count; ++i) list.of[i] = places[i];
  return list;
}

// Each such loop takes cicc and ptxas 25 ms each (19 of them in a kernel of Rodinia's myocyte), as much as
// twenty calls: where there are very many sites the recorder goes through the list instead.
#if defined(CUI_RECORDER_LINKED) && !CUI_IS_COMPACT
/// So many accesses are looked at here; of more there would be too much code.
constexpr unsigned int mostGathered = 8;

/// Records a loop of all lanes of a warp without a list of its places: what each lane would have to look up
/// in memory is asked of others here. False if nothing was done. `Sure`: places surely advance evenly. Called
/// by all lanes of a warp.
template <bool Sure, unsigned Count>
static __device__ __forceinline__ bool gatherLoop(const DeviceUnit& unit, const LoopPlace (&places)[Count],
                                                  unsigned int times) {
  constexpr unsigned int mask = 0xffffffffu;
  const unsigned int lane = laneIndex(), width = rowWidth(), rowBits = lowestLane(width);
  const int column = static_cast<int>(lane & (width - 1)), row = static_cast<int>(lane >> rowBits);
  bool good = __shfl_sync(mask, times, 0) == times;
  unsigned long long ownFirst = 0;
  unsigned int ownSecond = 0, ownRow = 0, ownKey = 0, ownBytes = 0;
  int ownStep = 0;
#pragma unroll
  for (unsigned int i = 0; i < Count; ++i) {
    const LoopPlace& place = places[i];
    const LaneAccess access = laneAccess(unit, Accessed{place.site, place.bytes, place.cuiFirst});
    // As findForm(): generic pointers can lead into several spaces.
    const unsigned long long placed = access.address ^ static_cast<unsigned long long>(spaceOf(access.key))
                                                           << 60;
    const unsigned int low = static_cast<unsigned int>(placed);
    const unsigned long long first = __shfl_sync(mask, placed, 0);
    const unsigned int second = __shfl_sync(mask, low, 1);
    const unsigned int nextRow = __shfl_sync(mask, low, static_cast<int>(width & 31u));
    const int stride = static_cast<int>(second - static_cast<unsigned int>(first));
    const int rowStride = static_cast<int>(nextRow - static_cast<unsigned int>(first));
    const long long offset =
        static_cast<long long>(stride) * column + static_cast<long long>(rowStride) * row;
    const int step = static_cast<int>(stepOf(place));
    const bool even = Sure ? step == stepOf(place) : advancesEvenly(place, times);
    good &= even & (placed == first + static_cast<unsigned long long>(offset)) &
            (__shfl_sync(mask, step, 0) == step) & (place.bytes <= format::maxRecordBytes);
    if (lane == i) {
      ownFirst = first;
      ownSecond = second;
      ownRow = nextRow;
      ownKey = access.key;
      ownBytes = place.bytes;
      ownStep = step;
    }
  }
  return __all_sync(mask, good) &&
         recordGatheredLoop(unit, ownKey, ownFirst, ownSecond, ownRow, ownStep, ownBytes, Count, times);
}
#else
constexpr unsigned int mostGathered = 0;
template <bool Sure, unsigned Count>
static __device__ __forceinline__ bool gatherLoop(const DeviceUnit&, const LoopPlace (&)[Count],
                                                  unsigned int) {
  return false;
}
#endif

/// Accesses are few enough for the short way, and this code may take as many registers.
template <unsigned Count, bool Short = hasJointWay && Count <= 3>
struct LoopWay {
  static __device__ __forceinline__ bool record(const DeviceUnit& unit, const LoopPlace (&places)[Count],
                                                unsigned int times) {
    if (Count > mostGathered) return recordLongLoop(unit, places, Count, times);
    if (__activemask() == 0xffffffffu) {
      if (gatherLoop<false>(unit, places, times)) return true;
      // What has no rule has none there, either.
      if (__all_sync(0xffffffffu, __shfl_sync(0xffffffffu, times, 0) == times)) return false;
    }
    return recordLongLoop(unit, listOf(places).of, Count, times);
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
    if (Count > mostGathered) return recordFixedLoop(unit, places, Count, times);
    bool all = true;  // which the compiler knows
#pragma unroll
    for (unsigned int i = 0; i < Count; ++i) all &= places[i].bytes != 0;
    if (all && __activemask() == 0xffffffffu && gatherLoop<true>(unit, places, times)) return;
    recordFixedLoop(unit, listOf(places).of, Count, times);
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
