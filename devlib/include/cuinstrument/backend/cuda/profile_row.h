// Device side of profile mode: what all blocks of a row of the grid access at one place (CUI_BY_ROW), added
// by one warp. Its lanes compute the places of others: first how far they move from block to block; then, for
// each place in a sector where blocks can begin, four lanes for each of eight warps at a time, at a warp's
// first thread, at its second, at the first of its second row and at the last, which shows whether the others
// lie on the line between. What has no closed form is asked warp by warp, and counted as often as there are
// blocks like it.
#pragma once

#include "cuinstrument/backend/cuda/one_by_one.h"
#include "cuinstrument/backend/cuda/row_cost.h"

namespace cui {
namespace backend {

/// How often something is done, and how far its places get: from block to block, and from turn to turn.
struct Repetition {
  unsigned long long times;
  long long blocks, turns;
};

/// A word of an entry that one block's warps have changed, as all blocks and turns like it do.
static __device__ __forceinline__ unsigned long long repeated(unsigned long long before,
                                                              unsigned long long now, unsigned int word,
                                                              const Repetition& all, unsigned long long low,
                                                              unsigned long long high) {
  if (word == 0) return now;
  if (word < 6) return before + (now - before) * all.times;
  const long long up = (all.blocks > 0 ? all.blocks : 0) + (all.turns > 0 ? all.turns : 0);
  const long long down = all.blocks + all.turns - up;
  const unsigned long long bound =
      word == 6 ? high + static_cast<unsigned long long>(up) : ~(low + static_cast<unsigned long long>(down));
  return now > bound ? now : bound;
}

/// Adds one word of what warps' accesses at one site cost, as all blocks and turns like theirs do. To the
/// table at once: entries are others' mostly, and would be waited for.
static __device__ __forceinline__ void addToTable(const ProfileTable& table, unsigned int key,
                                                  unsigned int word, const ProfileChange& change,
                                                  unsigned int warps, const Repetition& all) {
  const unsigned int launch = launchKey(), site = key >> keyShift;
  ProfileSums* const sums = tableSums(table, launch, site, spaceOf(key) == format::Space::shared);
  addOldWord(sums, word, repeated(0, addedTo(0, word, change, warps), word, all, change.low, change.high));
  noteInTable(table, launch, site, 0, word == 0);
}

/// Of an access to constant memory.
static __device__ __forceinline__ void addConstantRequests(const DeviceUnit& unit, const LaneAccess& access,
                                                           unsigned long long requests) {
  if (spaceOf(access.key) == format::Space::constant && laneIndex() == 0)
    countConstant(unit, siteOfAccess(access.key), requests);
}

/// The calling lanes' place in the entry of an access, which is made theirs before.
static __device__ __forceinline__ unsigned long long* entryOf(const DeviceUnit& unit,
                                                              const LaneAccess& access) {
  return entryWord(constantsOf(unit), siteOfAccess(access.key));
}

/// One access of one warp, by itself, for all blocks like this one.
static __device__ __forceinline__ void addSingle(const DeviceUnit& unit, const LaneAccess& own,
                                                 const Repetition& all) {
  constexpr unsigned int mask = 0xffffffffu;
  const LaneAccess one[1] = {own};
  claimEntries(contextOf(unit), one);
  unsigned long long* const place = entryOf(unit, own);
  const unsigned long long before = loadOwn(place);
  unsigned long long low = own.address, high = own.address + own.bytes - 1;
#pragma unroll 1
  for (unsigned int distance = 16; distance != 0; distance >>= 1) {
    const unsigned long long otherLow = __shfl_xor_sync(mask, low, static_cast<int>(distance));
    const unsigned long long otherHigh = __shfl_xor_sync(mask, high, static_cast<int>(distance));
    low = otherLow < low ? otherLow : low;
    high = otherHigh > high ? otherHigh : high;
  }
  __syncwarp(mask);
  profileWarp(unit, mask, own.key & ~modeBits, own.address, own.bytes);
  __syncwarp(mask);
  const unsigned long long now = loadOwn(place);
  __syncwarp(mask);
  storeOwn(place, repeated(before, now, laneIndex() & 7u, all, low, high));
  __syncwarp(mask);
  addConstantRequests(unit, own, all.times - 1);
}

/// The state of what comes next; false if nothing does.
static __device__ __forceinline__ bool advance(RowState* state, unsigned int warps, bool closed) {
  if (state->single == 0 ? !closed : state->single < warps) {
    ++state->single;
    return true;
  }
  state->single = 0;
  state->warp += warpsAtOnce;
  if (state->warp < warpsOfBlock()) return true;
  state->warp = 0;
  if (++state->block < state->period) return true;
  state->block = state->period = 0;  // blocks are looked at anew
  state->turn += state->nextTurn;
  return state->turn < state->turns;
}

/// With the places that rowPoint() has said; false if nothing is left to be done. What has 0 bytes is not
/// added.
template <unsigned Count>
static __device__ __forceinline__ bool accountForRow(const DeviceUnit& unit, RowState* state,
                                                     const LaneAccesses<Count>& all) {
  constexpr unsigned int mask = 0xffffffffu;
  const unsigned int lane = laneIndex();
  if (state->period == 0) {
    if (state->turns == 0) state->turns = allTurns(*state, all);
    if (state->turn >= state->turns) return false;
    unsigned int period = 1;
    bool even = true;
#pragma unroll
    for (unsigned int i = 0; i < Count; ++i) {
      unsigned int one = 1;
      if (all.of[i].bytes != 0) even = findStep(*state, all.of[i], state->steps[i], one) && even;
      period = max(period, one);
    }
    // Where there is no rule, each block is one of its kind.
    state->period = even && period < state->blocks ? period : state->blocks;
    return true;
  }

  const ProfileTable table = contextOf(unit)->profile;  // first: it is waited for
  const unsigned int warps = min(warpsOfBlock() - state->warp, warpsAtOnce);
  const unsigned int times = (state->blocks - 1 - state->block) / state->period + 1;
  const unsigned int turns = (state->times - 1 - state->turn) / state->turns + 1;
  const long long between = static_cast<long long>(state->period) * (times - 1);
  const long long turnsBetween = static_cast<long long>(state->turns) * (turns - 1);
  const unsigned long long together = static_cast<unsigned long long>(times) * turns;
  if (state->single != 0) {
#pragma unroll 1
    for (unsigned int i = 0; i < Count; ++i) {
      const LaneAccess own = accessOf(all.of, i);
      if (own.bytes != 0)
        addSingle(unit, own, {together, between * state->steps[i], turnsBetween * state->turnSteps[i]});
    }
    return advance(state, warps, false);
  }

  // Lanes of access i keep what that costs, for a word of its entry each.
  const unsigned int which = lane >> 3 < Count ? lane >> 3 : 0;
  const LaneAccess mine = accessOf(all.of, which);
  ProfileChange change;
  bool closed = true;
#pragma unroll
  for (unsigned int i = 0; i < Count; ++i) {
    ProfileChange sum = {};
    if (all.of[i].bytes != 0) closed = closed && costOfWarps(all.of[i], warps, sum);
    if (i == 0 || which == i) change = sum;
  }
  if (!closed) return advance(state, warps, false);

  if (lane < 8 * Count && mine.bytes != 0)
    addToTable(table, mine.key & ~modeBits, lane & 7u, change, warps,
               {together, between * state->steps[which], turnsBetween * state->turnSteps[which]});
  __syncwarp(mask);
#pragma unroll 1
  for (unsigned int i = 0; i < Count; ++i)
    if (accessOf(all.of, i).bytes != 0) addConstantRequests(unit, accessOf(all.of, i), warps * together);
  return advance(state, warps, true);
}

/// An access of the calling lane, at the place that it was asked for.
static __device__ __forceinline__ LaneAccess rowAccess(const DeviceUnit& unit, RowState*, unsigned int,
                                                       const Accessed& place) {
  return laneAccess(unit, place);
}
/// The same of a loop's, as it is in the state's turn.
static __device__ __forceinline__ LaneAccess rowAccess(const DeviceUnit& unit, RowState* state,
                                                       unsigned int which, const LoopPlace& place) {
  const char* const first = static_cast<const char*>(const_cast<const void*>(place.cuiFirst));
  const long long all = static_cast<const char*>(const_cast<const void*>(place.cuiLast)) - first;
  const long long step =
      state->times == 1 ? 0 : static_cast<const char*>(const_cast<const void*>(place.cuiSecond)) - first;
  state->even &= all == step * (state->times - 1);
  state->turnSteps[which] = step;
  return laneAccess(unit, {place.site, place.bytes, first + step * state->turn});
}
/// In local memory, and not inlined for each kind of place: a row's work is done by one warp, which nobody
/// waits for.
template <unsigned Count>
__device__ __noinline__ bool profileRow(const DeviceUnit& unit, RowState* state, const LaneAccess* of) {
  LaneAccesses<Count> all;
#pragma unroll
  for (unsigned int i = 0; i < Count; ++i) all.of[i] = of[i];
  return accountForRow(unit, state, all);
}
template <class Place>
static __device__ __forceinline__ RowPoint nextPoint(const DeviceUnit& unit, RowState* state,
                                                     const Place* places, unsigned int count) {
  LaneAccess of[mostOfRow];
#pragma unroll 1
  for (unsigned int i = 0; i < count; ++i) of[i] = rowAccess(unit, state, i, places[i]);
  // One after the other: a jump by a table is not for code that is joined (cli/compile/joined_code.h).
  bool more = false;
  if (count == 1) more = profileRow<1>(unit, state, of);
  if (askedAnew(count) == 2) more = profileRow<2>(unit, state, of);
  if (askedAnew(count) == 3) more = profileRow<3>(unit, state, of);
  return more ? rowPoint(state) : RowPoint{noBlock, 0};
}
/// As long as the row's blocks are not known the answers are about them.
template <class Place>
static __device__ __forceinline__ RowPoint step(const DeviceUnit& unit, RowState* state, const Place* places,
                                                unsigned int count) {
  if (!isSearching(state)) return nextPoint(unit, state, places, count);
  search(state, count != 0);
  return rowPoint(state);
}
template <int>
__device__ __noinline__ RowPoint stepOfRow(const DeviceUnit& unit, OwnMemory state, OwnMemory places,
                                           unsigned int count) {
  return step(unit, inOwnMemory<RowState>(state), inOwnMemory<const Accessed>(places), count);
}
template <int>
__device__ __noinline__ RowPoint stepOfLoopRow(const DeviceUnit& unit, OwnMemory state, OwnMemory places,
                                               unsigned int count) {
  return step(unit, inOwnMemory<RowState>(state), inOwnMemory<const LoopPlace>(places), count);
}

}  // namespace backend
}  // namespace cui
