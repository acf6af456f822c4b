// Device side, in the module: loops that some lanes of a warp go round more often than others, as at the end
// of an array whose length is no multiple of what its grid does at a time. What all of them do is one record,
// as in loop.h, and what some do beyond is one of theirs (part_loop.h): access by access that warp would take
// longer than the whole grid.
#pragma once

#include "cuinstrument/backend/cuda/part_loop.h"
#include "cuinstrument/backend/cuda/site_calls.h"

namespace cui {
namespace backend {

#if defined(CUI_RECORDER_MODULE)
constexpr bool recordsUneven = true;

/// From its time `from` on.
static __device__ __forceinline__ EvenAccess later(const EvenAccess& access, unsigned int from) {
  return {access.address + static_cast<unsigned long long>(static_cast<long long>(access.step) * from),
          access.step, access.key, access.bytes};
}
static __device__ __forceinline__ LoopPlace later(LoopPlace place, unsigned int from) {
  const long long distance = stepOf(place) * static_cast<long long>(from);
  place.cuiFirst = static_cast<const volatile char*>(place.cuiFirst) + distance;
  place.cuiSecond = static_cast<const volatile char*>(place.cuiSecond) + distance;
  return place;
}

/// Records the times round that a lane has beyond the `common` ones. By all lanes of a warp, whose places,
/// which advance evenly, it makes those of the first time beyond.
template <class Place>
__device__ __noinline__ void recordBeyond(const DeviceUnit& unit, Place* places, unsigned int count,
                                          unsigned int times, unsigned int common) {
  const unsigned int more = __ballot_sync(0xffffffffu, times > common);
  if (times > common) {
#pragma unroll 1
    for (unsigned int i = 0; i < count; ++i) places[i] = later(places[i], common);
    if (!recordPartOfLoop(unit, more, places, count, times - common)) {
      bool even = true;
#pragma unroll 1
      for (unsigned int time = 0; time < times - common; ++time)
#pragma unroll 1
        for (unsigned int i = 0; i < count; ++i) {
          const EvenAccess own = later(evenAccess(unit, places[i], times - common, even), time);
          callOne(unit, {own.address, own.key | (unit.firstKey & modeBits), own.bytes});
        }
    }
  }
  __syncwarp(0xffffffffu);
}
#else
// As part_loop.h.
constexpr bool recordsUneven = false;
template <class Place>
static __device__ __forceinline__ void recordBeyond(const DeviceUnit&, Place*, unsigned int, unsigned int,
                                                    unsigned int) {}
#endif

}  // namespace backend
}  // namespace cui
