// Device side: several accesses of one expression that are not recorded together (together.h).
#pragma once

#include "cuinstrument/backend/cuda/profile_together.h"
#include "cuinstrument/backend/cuda/recorder.h"
#include "cuinstrument/backend/cuda/whole_form.h"

namespace cui {
namespace backend {

static __device__ __forceinline__ LaneAccesses<2> twoAccesses(unsigned int keyA, unsigned long long a,
                                                              unsigned int keyB, unsigned long long b,
                                                              unsigned int bytes) {
  return {{{a, keyA, bytes & 0xffffu}, {b, keyB, bytes >> 16}}};
}
static __device__ __forceinline__ LaneAccesses<3> threeAccesses(unsigned int keyA, unsigned long long a,
                                                                unsigned int keyB, unsigned long long b,
                                                                unsigned int keyC, unsigned long long c,
                                                                unsigned int bytes) {
  return {{{a, keyA, bytes & 0x3ffu}, {b, keyB, bytes >> 10 & 0x3ffu}, {c, keyC, bytes >> 20}}};
}

#if defined(CUI_RECORDER_MODULE)
// No call but as the last step, as long as all is ready: recordSlowly() says why. By value a structure is in
// local memory, where it does no harm in what is slow.

/// From the access with number `next` on, which count or chunk are not ready for.
template <unsigned Count>
__device__ __noinline__ void recordRest(const DeviceUnit& unit, LaneAccesses<Count> all, unsigned int mask,
                                        unsigned int next) {
#pragma unroll 1
  for (; next < Count; ++next)
    recordSlowly(unit, mask, all.of[next].key, all.of[next].address, all.of[next].bytes);
}
template <unsigned Count>
static __device__ __forceinline__ void recordReady(const DeviceUnit& unit, const LaneAccesses<Count>& all) {
  const unsigned int mask = __activemask();
#pragma unroll 1
  for (unsigned int i = 0; i < Count; ++i) {
    const LaneAccess own = accessOf(all.of, i);
    if (!recordShort<false, false>(unit, mask, own.key, own.address, own.bytes))
      return recordRest(unit, all, mask, i);
  }
}
CUI_OF_MODES
__device__ CUI_STEP void eachOfTwo(const DeviceUnit& unit, unsigned int keyA, unsigned long long a,
                                   unsigned int keyB, unsigned long long b, unsigned int bytes) {
  recordReady(unit, twoAccesses(keyA, a, keyB, b, bytes));
}
CUI_OF_MODES
__device__ CUI_STEP void eachOfThree(const DeviceUnit& unit, unsigned int keyA, unsigned long long a,
                                     unsigned int keyB, unsigned long long b, unsigned int keyC,
                                     unsigned long long c, unsigned int bytes) {
  recordReady(unit, threeAccesses(keyA, a, keyB, b, keyC, c, bytes));
}
static __device__ __forceinline__ void recordEach(const DeviceUnit& unit, const LaneAccesses<2>& all) {
  eachOfTwo(unit, all.of[0].key, all.of[0].address, all.of[1].key, all.of[1].address,
            all.of[0].bytes | all.of[1].bytes << 16);
}
static __device__ __forceinline__ void recordEach(const DeviceUnit& unit, const LaneAccesses<3>& all) {
  eachOfThree(unit, all.of[0].key, all.of[0].address, all.of[1].key, all.of[1].address, all.of[2].key,
              all.of[2].address, all.of[0].bytes | all.of[1].bytes << 10 | all.of[2].bytes << 20);
}
/// From the access with number `next` on, in any other way.
template <unsigned Count>
__device__ __noinline__ void profileRest(const DeviceUnit& unit, LaneAccesses<Count> all, unsigned int next) {
#pragma unroll 1
  for (; next < Count; ++next) warpInMode(unit, all.of[next].key, all.of[next].address, all.of[next].bytes);
}
/// One after the other. `Whole`: of all lanes.
template <bool Whole, unsigned Count>
static __device__ __forceinline__ void addEachAligned(const DeviceUnit& unit, unsigned int lanes,
                                                      const LaneAccesses<Count>& all) {
  const LaneTeam team = teamOf(Whole ? 0xffffffffu : lanes);
#pragma unroll 1
  for (unsigned int next = 0; next < Count; ++next) {
    const LaneAccess own = accessOf(all.of, next);
    if (Whole ? !addAligned(own, wholeAccess(unit, own)) : !addAligned(unit, team, own))
      return profileRest(unit, all, next);
  }
}
/// Adds accesses of one expression, of a whole warp, of each of which eight lanes have the words of the
/// entry: `own` is the calling lane's, at `place`. `good`: as far as is known. False if nothing was done.
template <unsigned Count>
static __device__ __forceinline__ bool addAllAligned(const LaneAccess (&accesses)[Count],
                                                     unsigned long long* place, unsigned long long own,
                                                     bool good) {
  constexpr unsigned int mask = 0xffffffffu;
  const LaneTeam team = teamOf(mask);
  bool fits = good & (__shfl_sync(mask, accesses[0].key, 0) == accesses[0].key);
  unsigned long long window[Count];
#pragma unroll
  for (unsigned int i = 0; i < Count; ++i) {
    window[i] = windowAround(__shfl_sync(mask, accesses[i].address, 0));
    fits &= isAligned(accesses[i]) & isIn(window[i], accesses[i].address);
  }
  if (!__all_sync(mask, fits)) return false;
  TeamQuestions asked[Count];
  TeamSpan span[Count];
#pragma unroll
  for (unsigned int i = 0; i < Count; ++i) {
    asked[i] = askTeam(team, accesses[i]);
    span[i] = spanOf(team, static_cast<unsigned int>(accesses[i].address - window[i]), accesses[i].bytes);
  }
  ProfileChange mine = {};
#pragma unroll
  for (unsigned int i = 0; i < Count; ++i) {
    ProfileChange change = costOfTeam(team, asked[i], accesses[i].bytes);
    change.low = window[i] + span[i].nearest;
    change.high = window[i] + span[i].farthest;
    if (i == 0 || laneIndex() >> 3 == i) mine = change;
  }
  storeOwn(place, addedTo(own, laneIndex() & 7u, mine));
  return true;
}

/// Those of a whole warp without a rule. By itself: the short way would keep what this needs, in local
/// memory.
template <unsigned Count>
__device__ __noinline__ void profileApart(const DeviceUnit& unit, LaneAccesses<Count> all) {
  const unsigned int lane = laneIndex();
  const LaneAccess mine = accessOf(all.of, lane >> 3);
  const unsigned int site = (mine.key & ~modeBits) >> keyShift;
  const bool shared = spaceOf(mine.key) == format::Space::shared;
  const RecorderConstants constants = constantsOf(unit);
  unsigned long long* const place = readable(constants, mine.key, entryWord(constants, site));
  const unsigned long long own = loadOwn(place);  // first: it takes longest
  const bool good = haveOwnEntries(all.of) & ((mine.key & warpSampleBit) == 0) &
                    ((lane & 7u) != 0 || own == profileKey(launchKey(), site, shared));
  if (!addAllAligned(all.of, place, own, good)) addEachAligned<true>(unit, 0xffffffffu, all);
}
template <unsigned Count>
static __device__ __forceinline__ void profileEach(const DeviceUnit& unit, unsigned int mask,
                                                   const LaneAccesses<Count>& all) {
  if (!compilesProfile) return profileRest(unit, all, 0);
  if (mask == 0xffffffffu) return profileApart(unit, all);
  addEachAligned<false>(unit, mask, all);
}
#else
template <unsigned Count>
static __device__ __forceinline__ void recordEach(const DeviceUnit& unit, const LaneAccesses<Count>& all) {
#pragma unroll
  for (unsigned int i = 0; i < Count; ++i)
    recordWarp(unit, all.of[i].key, all.of[i].address, all.of[i].bytes);
}
template <unsigned Count>
static __device__ __forceinline__ void profileEach(const DeviceUnit& unit, unsigned int,
                                                   const LaneAccesses<Count>& all) {
  recordEach(unit, all);
}
#endif

}  // namespace backend
}  // namespace cui
