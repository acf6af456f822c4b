// Device side of profile mode: after how many blocks, and turns of a loop, a row's accesses cost the same
// again, and what those of some warps cost together, in closed form (profile_row.h).
#pragma once

#include "cuinstrument/backend/cuda/profile_together.h"
#include "cuinstrument/backend/cuda/row_points.h"

namespace cui {
namespace backend {

/// How far a place moves from block to block; false if that is not the same all over the row, or where the
/// blocks' costs follow no rule. `period`: blocks after which they are those of the first again.
static __device__ __forceinline__ bool findStep(const RowState& state, const LaneAccess& own, long long& step,
                                                unsigned int& period) {
  constexpr unsigned int mask = 0xffffffffu;
  const unsigned long long first = __shfl_sync(mask, own.address, 0), end = __shfl_sync(mask, own.address, 4);
  step = static_cast<long long>(__shfl_sync(mask, own.address, 1) - first);
  const unsigned int behind = state.blocks - 1;
  const unsigned long long all = static_cast<unsigned long long>(step) * behind;
  const bool even =
      __shfl_sync(mask, own.address, 2) == first + all && __shfl_sync(mask, own.address, 3) == end + all;
  const format::Space space = spaceOf(own.key);
  const unsigned int within = static_cast<unsigned int>(step) & 31u;
  period = space == format::Space::constant || within == 0 ? 1 : 32u >> lowestLane(within);
  return even && __all_sync(mask, __shfl_sync(mask, own.key, 0) == own.key) &&
         (space == format::Space::global || space == format::Space::constant ||
          (space == format::Space::shared && step == 0));
}

/// Times round a loop after which an access that advances so far costs the same again, at most.
static __device__ __forceinline__ unsigned int turnsOf(unsigned int key, long long step, unsigned int bytes) {
  const format::Space space = spaceOf(key);
  if (space == format::Space::constant) return 1;
  const bool shared = space == format::Space::shared;
  // Words are moved by any number of banks alike.
  const unsigned int line = !shared ? 32 : bytes <= 4 ? 4 : 16;
  const unsigned int within = static_cast<unsigned int>(step) & (line - 1);
  return within == 0 ? 1 : line >> lowestLane(within);
}
/// Of all accesses; each turn is one of its kind where there is no rule.
template <unsigned Count>
static __device__ __forceinline__ unsigned int allTurns(const RowState& state,
                                                        const LaneAccesses<Count>& all) {
  bool even = state.even;
  unsigned int turns = 1;
#pragma unroll
  for (unsigned int i = 0; i < Count; ++i) {
    if (all.of[i].bytes == 0) continue;
    even &= __shfl_sync(0xffffffffu, state.turnSteps[i], 0) == state.turnSteps[i];
    turns = max(turns, turnsOf(all.of[i].key, state.turnSteps[i], all.of[i].bytes));
  }
  return __all_sync(0xffffffffu, even) ? min(turns, state.times) : state.times;
}

/// What one access of some warps costs, all together; false if some of them has no closed form. Called by all
/// lanes of a warp, with the places that rowPoint() says.
static __device__ __forceinline__ bool costOfWarps(const LaneAccess& own, unsigned int warps,
                                                   ProfileChange& sum) {
  constexpr unsigned int mask = 0xffffffffu, middle = 1u << 31;
  const unsigned int lane = laneIndex(), low = static_cast<unsigned int>(own.address), of = lane & ~3u;
  const unsigned int width = rowWidth(), rowBits = lowestLane(width), point = lanePoint();
  const bool shared = spaceOf(own.key) == format::Space::shared;
  const bool constant = spaceOf(own.key) == format::Space::constant;
  WholeForm whole;
  whole.first = __shfl_sync(mask, own.address, of);
  const unsigned int first = static_cast<unsigned int>(whole.first);
  whole.stride = static_cast<int>(__shfl_sync(mask, low, of + 1) - first);
  whole.rowStride = static_cast<int>(__shfl_sync(mask, low, of + 2) - first);
  const unsigned long long start = __shfl_sync(mask, whole.first, 0);
  const bool alike = __shfl_sync(mask, own.key, 0) == own.key;
  const long long offset = static_cast<long long>(whole.stride) * static_cast<int>(point & (width - 1)) +
                           static_cast<long long>(whole.rowStride) * static_cast<int>(point >> rowBits);
  const bool follows = own.address == whole.first + static_cast<unsigned long long>(offset);
  const bool hasRows = width < 32 && whole.rowStride != whole.stride * static_cast<int>(width);
  whole.rowBits = hasRows ? rowBits : 0;
  ProfileChange change;
  bool closed = costOfStride(shortened(whole), own.bytes, shared, change);
  if (constant) {  // no sectors
    closed = true;
    change.excess = 0;
    change.idealDelta = -static_cast<int>(change.bytes);
    change.uselessBytes = change.bytes;
  }
  // Bounds as distances from one place, in halves of addresses.
  const unsigned long long least = change.low - start + middle, most = change.high - start + middle;
  if (!__all_sync(mask, alike & follows & closed & ((least | most) >> 32 == 0))) return false;
  const bool counts = (lane & 3u) == 0 && lane / 4 < warps;
  sum.bytes = warps * change.bytes;
  sum.idleLanes = 0;
  sum.excess = sumOf(mask, counts ? change.excess : 0);
  sum.idealDelta = static_cast<int>(sumOf(mask, counts ? static_cast<unsigned int>(change.idealDelta) : 0));
  sum.uselessBytes = sumOf(mask, counts ? change.uselessBytes : 0);
  sum.low = start - middle + static_cast<unsigned int>(~maximumOf(mask, ~static_cast<unsigned int>(least)));
  sum.high = start - middle + maximumOf(mask, static_cast<unsigned int>(most));
  return true;
}

}  // namespace backend
}  // namespace cui
