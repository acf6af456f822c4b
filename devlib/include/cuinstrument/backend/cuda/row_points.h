// Device side of profile mode: whose places a warp's lanes are to compute, that accounts for a row of blocks
// (profile_row.h): first, where there is a guard, at the corners of blocks, of how many of which it holds;
// then those of the first block, the next and the last; then of each block that is not like another one.
#pragma once

#include "cuinstrument/backend/cuda/identity.h"

namespace cui {
namespace backend {

constexpr unsigned int warpsAtOnce = 8;

static __device__ __forceinline__ unsigned int warpsOfBlock() {
  return blockDim.x * blockDim.y * blockDim.z / 32;
}
/// Of a warp's lanes the one that the calling lane computes the place of.
static __device__ __forceinline__ unsigned int lanePoint() {
  const unsigned int which = laneIndex() & 3u;
  return which < 2 ? which : which == 2 ? rowWidth() & 31u : 31u;
}

/// While it is not known of how many blocks from the first one on the guard holds, `blocks` are those of
/// which it is known. They are neighbours: lanes look at several at a time, with one corner of one of them
/// each.
static __device__ __forceinline__ bool isSearching(const RowState* state) {
  return state->blocks < state->beyond;
}
/// Whether the guard holds for the last one of so many is asked by the lanes of that number.
static __device__ __forceinline__ unsigned int askedBlocks(const RowState* state, unsigned int number) {
  const unsigned int atOnce = 32 / state->corners;
  const unsigned int step = (state->beyond - state->blocks + atOnce - 1) / atOnce;
  return min(state->blocks + (number + 1) * step, state->beyond);
}
/// A block's thread as RowPoint says it; bits: at the end in x, y and z.
static __device__ __forceinline__ unsigned int cornerOfBlock(unsigned int bits) {
  return (bits & 1u ? blockDim.x - 1 : 0) | (bits & 2u ? blockDim.y - 1 : 0) << 10 |
         (bits & 4u ? blockDim.z - 1 : 0) << 20;
}
/// By the lanes' answers.
static __device__ __forceinline__ void search(RowState* state, bool holds) {
  const unsigned int lane = laneIndex(), corners = state->corners;
  const unsigned int answers = __ballot_sync(0xffffffffu, holds) >> (lane & ~(corners - 1));
  const unsigned int ofBlock = (1u << corners) - 1;
  const bool first = (lane & (corners - 1)) == 0 && (answers & ofBlock) == ofBlock;
  const unsigned int count = static_cast<unsigned int>(__popc(__ballot_sync(0xffffffffu, first)));
  const unsigned int next = askedBlocks(state, count);
  if (count != 0) state->blocks = askedBlocks(state, count - 1);
  state->beyond = count == 32 / corners ? state->blocks : next - 1;
}

/// Whose places the calling lane computes now.
static __device__ __forceinline__ RowPoint rowPoint(const RowState* state) {
  const unsigned int lane = laneIndex(), last = warpsOfBlock() - 1;
  unsigned int block = state->block, thread = 0;
  if (isSearching(state)) {
    const unsigned int corner = lane & (state->corners - 1);
    return {state->first + askedBlocks(state, lane / state->corners) - 1,
            cornerOfBlock(state->corners == 2 ? 7 * corner : corner)};
  }
  if (state->period == 0) {  // the first block, the next one, and the last; of two of these also the end
    block = lane == 1 && state->blocks > 1 ? 1 : lane == 2 || lane == 3 ? state->blocks - 1 : 0;
    if (lane == 3 || lane == 4) thread = 32 * last + 31;
  } else if (state->single == 0) {
    thread = 32 * min(state->warp + lane / 4, last) + lanePoint();
  } else {
    thread = 32 * (state->warp + state->single - 1) + lane;
  }
  RowPoint point = {state->first + block, thread};
  if (blockDim.y * blockDim.z != 1) {
    const unsigned int row = thread / blockDim.x;
    point.thread = thread % blockDim.x | row % blockDim.y << 10 | row / blockDim.y << 20;
  }
  return point;
}

template <int>
__device__ __noinline__ RowPoint beginRow(OwnMemory own, unsigned int first, unsigned int blocks,
                                          unsigned int corners, unsigned int times, unsigned int begun) {
  RowState* const state = inOwnMemory<RowState>(own);
  // Field by field: what is set later, it need not be set to here.
  state->first = first;
  state->corners = corners;
  state->beyond = blocks;
  state->blocks = corners == 0 ? blocks : 1;
  state->period = state->block = state->warp = state->single = 0;
  state->times = times == 0 ? 1 : times;
  state->turns = times == 0 ? 1 : 0;
  // Where places are the same at all times, one warp has all to do: another one for the loop's next accesses.
  state->turn = times == 0 ? 0 : (linearThread() / 32 + begun) % warpsOfBlock();
  state->nextTurn = times == 0 ? 1 : warpsOfBlock();
  state->even = true;
  for (unsigned int i = 0; i < mostOfRow; ++i) state->turnSteps[i] = 0;
  return rowPoint(state);
}

}  // namespace backend
}  // namespace cui
