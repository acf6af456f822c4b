// Device side of profile mode: all times round a loop in one step. What an access costs depends on where in
// a line of 128 bytes it begins, so there are at most 32 different costs for addresses that advance by whole
// words, and each lane computes one of them.
#pragma once

#include "cuinstrument/backend/cuda/profile_together.h"

namespace cui {
namespace backend {

/// One access of a loop, of a whole warp.
struct LoopAccess {
  WholeForm form;    ///< the first time round
  int step;          ///< bytes from one time round to the next
  unsigned int key;  ///< site << keyShift | space
  unsigned int bytes;
};

/// Sum over the `lanes` lanes (a power of two) that the calling one is among.
static __device__ __forceinline__ unsigned long long wideSumOf(unsigned long long value, unsigned int lanes) {
#pragma unroll 1
  for (unsigned int distance = lanes / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, static_cast<int>(distance));
  return value;
}

/// What times round cost.
struct LoopCost {
  unsigned long long excess, idealDelta, uselessBytes;
  unsigned long long low, high;  ///< of all times round
  bool isShared;                 ///< the sums are over this lane's part
};
/// Lane `index` of `lanes` lanes computes its share of it. False if there is no closed form. `threads`: as in
/// costOfStride().
static __device__ __forceinline__ bool costOfTimes(const LoopAccess& access, unsigned int times,
                                                   unsigned int index, unsigned int lanes, LoopCost& cost,
                                                   unsigned int threads = 32) {
  const bool shared = spaceOf(access.key) == format::Space::shared;
  StrideForm form = shortened(access.form);
  if (threads < 32) form.lanes = threads;
  bool good = shared | (spaceOf(access.key) == format::Space::global);
  // Times round that are `period` apart begin at the same place of a line. In shared memory all cost the
  // same, whatever bank they begin at.
  const unsigned int step = static_cast<unsigned int>(access.step),
                     aligned = access.bytes > 4 ? access.bytes : 4;
  const unsigned int zeros = shared ? 7 : lowestLane(step | 128u);                         // of the step
  const unsigned int periodBits = 7 - (zeros < 2 ? 2 : zeros), period = 1u << periodBits;  // no division
  good &= shared ? (step & (aligned - 1)) == 0 : zeros >= 2;
  const unsigned long long start = form.address;
  cost.excess = cost.idealDelta = cost.uselessBytes = 0;
  cost.isShared = period > 1;
  unsigned int place = period > 1 ? index : 0;
#pragma unroll 1
  do {
    const unsigned long long ahead =
        static_cast<unsigned long long>(static_cast<long long>(access.step) * static_cast<int>(place));
    form.address = start + ahead;
    ProfileChange change;
    good &= costOfStride(form, access.bytes, shared, change, threads);
    const unsigned int weight =
        place < period && place < times ? (times - place + period - 1) >> periodBits : 0;
    cost.excess += static_cast<unsigned long long>(change.excess) * weight;
    cost.idealDelta += static_cast<unsigned long long>(static_cast<long long>(change.idealDelta) * weight);
    cost.uselessBytes += static_cast<unsigned long long>(change.uselessBytes) * weight;
    // Of the first time round, the same for every place; and as far as the last one is away.
    const long long all = static_cast<long long>(access.step) * static_cast<long long>(times - 1);
    cost.low = change.low - ahead + static_cast<unsigned long long>(all < 0 ? all : 0);
    cost.high = change.high - ahead + static_cast<unsigned long long>(all > 0 ? all : 0);
    place += lanes;
  } while (place < period && place < times);
  return good;
}

static __device__ __forceinline__ unsigned long long onlyIf(bool wanted, unsigned long long value) {
  return (0ull - static_cast<unsigned long long>(wanted)) & value;
}
/// What a lane's word of an entry becomes. No choice among values: see addedTo().
static __device__ __forceinline__ unsigned long long addedTimes(unsigned long long own, unsigned int word,
                                                                unsigned int bytes, unsigned int times,
                                                                const LoopCost& cost) {
  const unsigned long long added = onlyIf(word == 1, times) |
                                   onlyIf(word == 2, static_cast<unsigned long long>(times) * (32 * bytes)) |
                                   onlyIf(word == 3, cost.excess) | onlyIf(word == 4, cost.idealDelta) |
                                   onlyIf(word == 5, cost.uselessBytes);
  const unsigned long long bound = word == 6 ? cost.high : ~cost.low;
  return word < 6 ? own + added : own > bound ? own : bound;
}
static __device__ __forceinline__ void gatherCost(LoopCost& cost, unsigned int lanes) {
  cost.excess = wideSumOf(cost.excess, lanes);
  cost.idealDelta = wideSumOf(cost.idealDelta, lanes);
  cost.uselessBytes = wideSumOf(cost.uselessBytes, lanes);
}

/// Of the eight lanes that an access has, of which the calling one has this word of its entry. By all lanes
/// of a warp.
static __device__ __forceinline__ void gatherShares(LoopCost& cost, unsigned int word) {
  if (!__any_sync(0xffffffffu, cost.isShared)) return;
  // A sum that is the same in all eight lanes counts once.
  if (!cost.isShared && word != 0) cost.excess = cost.idealDelta = cost.uselessBytes = 0;
  gatherCost(cost, 8);
}

/// Adds all times round of one access; false, and nothing is added, if they have no closed form.
CUI_OF_ANY_MODE
__device__ __noinline__ bool profileTimes(const DeviceContext* context, LoopAccess access,
                                          unsigned int times) {
  LoopCost cost;
  if (!__all_sync(0xffffffffu, costOfTimes(access, times, laneIndex(), 32, cost))) return false;
  const bool shared = spaceOf(access.key) == format::Space::shared;
  const unsigned int site = access.key >> keyShift, word = laneIndex() & 7u;
  if (cost.isShared) gatherCost(cost, 32);  // all lanes agree: it is one access
  unsigned long long* const place = entryWord(context->constants, site);
  const unsigned long long own = loadOwn(place), key = profileKey(launchKey(), site, shared);
  const bool isOther = __any_sync(0xffffffffu, word == 0 && own != key);
  storeOwn(place, addedTimes(isOther ? emptyWord(key) : own, word, access.bytes, times, cost));
  if (isOther) {
    notePlane(context, site);
    moveEntry(context, own);
  }
  return true;
}

/// What lane `from` has.
static __device__ __forceinline__ LoopAccess accessOfLane(const LoopAccess& own, unsigned int from) {
  constexpr unsigned int mask = 0xffffffffu;
  const int lane = static_cast<int>(from);
  LoopAccess access;
  access.form.first = __shfl_sync(mask, own.form.first, lane);
  access.form.stride = __shfl_sync(mask, own.form.stride, lane);
  access.form.rowStride = __shfl_sync(mask, own.form.rowStride, lane);
  access.form.rowBits = __shfl_sync(mask, own.form.rowBits, lane);
  access.step = __shfl_sync(mask, own.step, lane);
  access.key = __shfl_sync(mask, own.key, lane);
  access.bytes = __shfl_sync(mask, own.bytes, lane);
  return access;
}
/// Where the calling lane's place is the first time round.
static __device__ __forceinline__ unsigned long long addressIn(const WholeForm& form) {
  const unsigned int lane = laneIndex(),
                     column = form.rowBits != 0 ? lane & ((1u << form.rowBits) - 1) : lane,
                     row = form.rowBits != 0 ? lane >> form.rowBits : 0;
  return form.first +
         static_cast<unsigned long long>(static_cast<long long>(form.stride) * static_cast<int>(column) +
                                         static_cast<long long>(form.rowStride) * static_cast<int>(row));
}
/// Adds a loop's access in the way that is always possible, and slow if its times have no closed form.
CUI_OF_ANY_MODE
__device__ __noinline__ void profileAnyTimes(const DeviceUnit& unit, LoopAccess access, unsigned int times) {
  if (profileTimes(contextOf(unit), access, times)) return;
  const unsigned long long address = addressIn(access.form);
#pragma unroll 1
  for (unsigned int time = 0; time < times; ++time)
    profileWarp(unit, 0xffffffffu, access.key,
                address + static_cast<unsigned long long>(static_cast<long long>(access.step) * time),
                access.bytes);
}

/// Adds a loop's accesses; lane i has the i-th. Up to four in one step, as profileShortLoop().
CUI_OF_ANY_MODE
__device__ __noinline__ void profileLoop(const DeviceUnit& unit, LoopAccess own, unsigned int count,
                                         unsigned int times) {
  constexpr unsigned int mask = 0xffffffffu, each = 8;
  const unsigned int lane = laneIndex(), word = lane & (each - 1);
#pragma unroll 1
  for (unsigned int begin = 0; begin < count; begin += 32 / each) {
    // Behind the last, lanes do what those of the last do.
    const unsigned int which = min(begin + lane / each, count - 1);
    const LoopAccess mine = accessOfLane(own, which);
    const unsigned int site = mine.key >> keyShift;
    unsigned long long* const place = entryWord(constantsOf(unit), site);
    const unsigned long long entry = loadOwn(place);
    const bool ready =
        word != 0 || entry == profileKey(launchKey(), site, spaceOf(mine.key) == format::Space::shared);
    LoopCost cost;
    const bool good = costOfTimes(mine, times, word, each, cost);
    if (!__all_sync(mask, good & ready)) {
#pragma unroll 1
      for (unsigned int i = begin; i < min(begin + 32 / each, count); ++i)
        profileAnyTimes(unit, accessOfLane(own, i), times);
      continue;
    }
    gatherShares(cost, word);
    // An entry of several accesses, which are of one site then, gets one after the other.
    bool apart = true;
#pragma unroll
    for (unsigned int distance = each; distance < 32; distance += each)
      apart &= (__shfl_xor_sync(mask, site, static_cast<int>(distance)) != site) |
               (__shfl_xor_sync(mask, which, static_cast<int>(distance)) == which);
    if (__all_sync(mask, apart)) {
      storeOwn(place, addedTimes(entry, word, mine.bytes, times, cost));
    } else {
#pragma unroll 1
      for (unsigned int i = begin; i < min(begin + 32 / each, count); ++i) {
        if (begin + lane / each == i)
          storeOwn(place, addedTimes(loadOwn(place), word, mine.bytes, times, cost));
        __syncwarp(mask);
      }
    }
    __syncwarp(mask);
  }
}

/// A loop's accesses as the calling lane knows them.
template <unsigned Count>
struct LoopAccesses {
  LaneAccess of[Count];  ///< the first time round
  int steps[Count];      ///< bytes from one time round to the next
  unsigned int times;
};

/// The one with number `which`, or else the first, as accessOf(); without its form.
template <unsigned Count>
static __device__ __forceinline__ LoopAccess loopAccessOf(const LoopAccesses<Count>& loop,
                                                          unsigned int which) {
  const LaneAccess plain = accessOf(loop.of, which);
  LoopAccess access = {};
  access.key = plain.key & ~modeBits;
  access.bytes = plain.bytes;
  access.step = loop.steps[0];
#pragma unroll
  for (unsigned int i = 1; i < Count; ++i)
    if (which == i) access.step = loop.steps[i];
  return access;
}
/// The lanes go round equally often, and move equally far.
template <unsigned Count>
static __device__ __forceinline__ bool agree(const LoopAccesses<Count>& loop) {
  bool good = __shfl_sync(0xffffffffu, loop.times, 0) == loop.times;
#pragma unroll
  for (unsigned int i = 0; i < Count; ++i)
    good &= __shfl_sync(0xffffffffu, loop.steps[i], 0) == loop.steps[i];
  return good;
}

template <unsigned Count>
__device__ __noinline__ bool profileLoopAnew(const DeviceUnit& unit, LoopAccesses<Count> loop);

/// One after the other: accesses of one site, or of sites that share an entry. False if nothing was done.
template <unsigned Count>
__device__ __noinline__ bool profileLoopOneByOne(const DeviceUnit& unit, LoopAccesses<Count> loop) {
  LoopAccess own = loopAccessOf(loop, laneIndex());
  const bool good = findForm(loop.of, laneIndex(), own.form) & agree(loop);
  if (!__all_sync(0xffffffffu, good)) return false;
  profileLoop(unit, own, Count, loop.times);
  return true;
}

/// Up to four accesses in one step, with eight lanes for each of them, which have what belongs to each word
/// of its entry, as profileWhole(). False if nothing was done. `Last`: the entries have been seen to.
template <unsigned Count, bool Last>
static __device__ __forceinline__ bool profileShortLoop(const DeviceUnit& unit,
                                                        const LoopAccesses<Count>& loop) {
  constexpr unsigned int mask = 0xffffffffu;
  const unsigned int lane = laneIndex(), word = lane & 7u;
  LoopAccess mine = loopAccessOf(loop, lane >> 3);
  const unsigned int site = mine.key >> keyShift;
  unsigned long long* const place = entryWord(constantsOf(unit), site);  // first: it takes longest
  const unsigned long long own = loadOwn(place);
  const bool good = findForm(loop.of, lane >> 3, mine.form) & agree(loop) & haveOwnEntries(loop.of);
  if (!__all_sync(mask, good))
    return Count > 1 && __all_sync(mask, !haveOwnEntries(loop.of)) && profileLoopOneByOne(unit, loop);
  // Before the cost, which takes registers: the parameters, which are many, are not needed any more then.
  const bool ready =
      word != 0 || own == profileKey(launchKey(), site, spaceOf(mine.key) == format::Space::shared);
  if (!__all_sync(mask, ready)) return Last ? false : profileLoopAnew(unit, loop);
  LoopCost cost;
  if (!__all_sync(mask, costOfTimes(mine, loop.times, word, 8, cost))) return false;
  gatherShares(cost, word);
  storeOwn(place, addedTimes(own, word, mine.bytes, loop.times, cost));
  return true;
}

/// Where an entry is another's. By value, which is in local memory: recordSlowly() says why.
template <unsigned Count>
__device__ __noinline__ bool profileLoopAnew(const DeviceUnit& unit, LoopAccesses<Count> loop) {
  claimEntries(contextOf(unit), loop.of);
  return profileShortLoop<Count, true>(unit, loop);
}

}  // namespace backend
}  // namespace cui
