// Device side of profile mode: the accesses of one expression in one step. Eight lanes for each of them, one
// for each word of its entry, compute what it costs; whatever is not simple is left to be done one by one.
#pragma once

#include "cuinstrument/backend/cuda/profile.h"
#include "cuinstrument/backend/cuda/whole_form.h"

namespace cui {
namespace backend {

/// Whether the lanes' accesses lie side by side, each a whole warp's: what most accesses are, told in few
/// steps. Where that is so, `first` is where accessOf(accesses, which) begins. Called by all lanes of a warp.
template <unsigned Count>
static __device__ __forceinline__ bool areDense(const LaneAccess (&accesses)[Count], unsigned int which,
                                                unsigned long long& first) {
  constexpr unsigned int mask = 0xffffffffu;
  const unsigned int lane = laneIndex();
  // Low halves less what is the lane's share; high halves, of which addresses use 17 bits, with the space.
  unsigned int low[Count], high[Count], firstLow[Count], firstHigh[Count];
#pragma unroll
  for (unsigned int i = 0; i < Count; ++i) {
    low[i] = static_cast<unsigned int>(accesses[i].address) - lane * accesses[i].bytes;
    high[i] = static_cast<unsigned int>(accesses[i].address >> 32) << keyShift |
              static_cast<unsigned int>(spaceOf(accesses[i].key));
  }
  bool dense = __shfl_sync(mask, accesses[0].key, 0) == accesses[0].key;
#pragma unroll
  for (unsigned int i = 0; i < Count; ++i) {
    firstLow[i] = __shfl_sync(mask, low[i], 0);
    firstHigh[i] = __shfl_sync(mask, high[i], 0);
  }
#pragma unroll
  for (unsigned int i = 0; i < Count; ++i) dense &= (low[i] == firstLow[i]) & (high[i] == firstHigh[i]);
  unsigned int mineLow = firstLow[0], mineHigh = firstHigh[0];
#pragma unroll
  for (unsigned int i = 1; i < Count; ++i)
    if (which == i) mineLow = firstLow[i], mineHigh = firstHigh[i];
  first = static_cast<unsigned long long>(mineHigh >> keyShift) << 32 | mineLow;
  return dense;
}

/// Whether the first access can follow a rule: what finds that out for all of them takes longer than to do
/// without.
static __device__ __forceinline__ bool mayFollow(const LaneAccess& access) {
  constexpr unsigned int mask = 0xffffffffu;
  const unsigned int low = static_cast<unsigned int>(access.address), first = __shfl_sync(mask, low, 0);
  const unsigned int stride = __shfl_sync(mask, low, 1) - first;
  return (blockDim.x < 32) | (low == first + stride * laneIndex());
}

/// Each access has an entry of its own: sites that share one go one by one.
template <unsigned Count>
static __device__ __forceinline__ bool haveOwnEntries(const LaneAccess (&accesses)[Count]) {
  bool apart = true;
#pragma unroll
  for (unsigned int i = 1; i < Count; ++i)
#pragma unroll
    for (unsigned int k = 0; k < i; ++k)
      apart &= ((accesses[i].key ^ accesses[k].key) >> keyShift & (profilePlanes * profileEntries - 1)) != 0;
  return apart;
}

/// Makes the warp slot's entries those of the accesses, where they are others': all at once, with eight lanes
/// for each of them. The accesses have entries of their own.
template <unsigned Count>
static __device__ __forceinline__ void claimEntries(const DeviceContext* context,
                                                    const LaneAccess (&accesses)[Count]) {
  const unsigned int lane = laneIndex();
  const unsigned int key = accessOf(accesses, lane >> 3).key & ~modeBits, site = key >> keyShift;
  const ProfileTable table = context->profile;  // first: it takes longest
  unsigned long long* const place = entryWord(context->constants, site);
  const unsigned long long own = loadOwn(place);
  const unsigned long long old = __shfl_sync(0xffffffffu, own, static_cast<int>(lane & ~7u));
  const unsigned long long wanted = profileKey(launchKey(), site, spaceOf(key) == format::Space::shared);
  const bool claims = lane < 8 * Count && old != wanted;
  notePlane(context, site);
  if (claims) storeOwn(place, emptyWord(wanted));
  moveWords(table, own, claims);
  __syncwarp(0xffffffffu);
}

template <unsigned Count>
__device__ __noinline__ void profileWholeAnew(const DeviceUnit& unit, LaneAccesses<Count> all);
/// What nothing calls is not even named: code for debuggers keeps it, and ptxas would warn of recursion.
template <bool Last>
struct ProfileAnew {
  template <unsigned Count>
  static __device__ __forceinline__ void profile(const DeviceUnit& unit, const LaneAccesses<Count>& all) {
    profileWholeAnew(unit, all);
  }
};
template <>
struct ProfileAnew<true> {
  template <unsigned Count>
  static __device__ __forceinline__ void profile(const DeviceUnit&, const LaneAccesses<Count>&) {}
};

/// Adds accesses of all lanes of a warp; false if nothing was done. `Last`: the entries have been seen to.
template <unsigned Count, bool Last>
static __device__ __forceinline__ bool profileWhole(const DeviceUnit& unit, const LaneAccesses<Count>& all) {
  const LaneAccess(&accesses)[Count] = all.of;
  constexpr unsigned int mask = 0xffffffffu;
  const unsigned int lane = laneIndex();
  const LaneAccess mine = accessOf(accesses, lane >> 3);
  const unsigned int key = mine.key & ~modeBits, site = key >> keyShift;
  const EntryWord entry = wordOf(unit, mine);  // first: it takes longest
  const unsigned long long own = entry.own;
  const bool shared = spaceOf(key) == format::Space::shared;
#if defined(CUI_RECORDER_MODULE)
  if (isRuleless(entry, mine)) return false;
#endif
  bool good = (shared | (spaceOf(key) == format::Space::global)) & ((mine.key & warpSampleBit) == 0);
  const bool ready = (lane & 7u) != 0 || own == profileKey(launchKey(), site, shared);
  good &= haveOwnEntries(accesses);
  unsigned long long first;
  bool simple = areDense(accesses, lane >> 3, first) & good;
  simple &=
      !shared | ((mine.bytes <= 4) & (mine.bytes != 3) & ((static_cast<unsigned int>(first) & 3u) == 0));
  if (__all_sync(mask, simple & ready)) {
    storeOwn(entry.place, addedDense(own, lane & 7u, first, mine.bytes, shared));
    return true;
  }
  if (!__all_sync(mask, good & (mayFollow(accesses[0]) | Last))) return false;
  WholeForm whole;
  good &= findForm(accesses, lane >> 3, whole);
  ProfileChange change;
  good &= costOfStride(shortened(whole), mine.bytes, shared, change);
  if (!__all_sync(mask, good & ready)) {
    if (Last || !__all_sync(mask, good)) return false;
    ProfileAnew<Last>::profile(unit, all);  // the last step: recordSlowly() says why
    return true;
  }
  storeOwn(entry.place, addedTo(own, lane & 7u, change));
  return true;
}

}  // namespace backend
}  // namespace cui
