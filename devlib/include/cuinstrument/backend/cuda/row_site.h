// Device side, at sites that all threads of a row of the grid come to alike (CUI_BY_ROW): in profile mode one
// warp of the row adds up what all of them access there (profile_row.h), and the others go on.
#pragma once

#include "cuinstrument/backend/cuda/alike_site.h"
#include "cuinstrument/backend/cuda/site_calls.h"
#include "cuinstrument/device/grid_index.h"

namespace cui {
namespace backend {

/// Blocks whose warps are rows, or have several whole ones, without idle lanes; others' warps are asked one
/// by one.
static __device__ __forceinline__ bool hasWholeWarps() {
  const unsigned int width = blockDim.x;
  if ((width & 31u) == 0) return true;
  return width < 32 && (width & (width - 1)) == 0 && (width * blockDim.y * blockDim.z & 31u) == 0;
}

/// In a shorter row the others do not have to do more than the warp that accounts for them, and do it at
/// once.
constexpr unsigned int fewestBlocksOfRow = 8;

/// Whether rows are accounted for as a whole; the same for all threads of a grid, whose recording is on.
static __device__ __forceinline__ bool countsRows(const DeviceUnit& unit) {
  return profilesAllBlocks(unit, modeOf(unit)) && gridDim.x >= fewestBlocksOfRow && hasWholeWarps();
}

static __device__ __forceinline__ bool isFirstWarp() {
  return linearThread() < 32;
}

/// Whether `guard` holds for all threads of a block of the row, as it does if it holds for the corners: 2,
/// those of a diagonal, if each comparison asks for one coordinate only, else 8; 0: there is no guard.
template <unsigned Corners, class Guard>
static __device__ __forceinline__ bool holdsForBlock(const Guard& guard, unsigned int block) {
  if (Corners == 0) return true;
  const GridIndex of = {block, blockIdx.y, blockIdx.z};
  const GridIndex first = {0, 0, 0}, last = {blockDim.x - 1, blockDim.y - 1, blockDim.z - 1};
  if (Corners == 2) return guard(first, of) & guard(last, of);
  bool holds = true;
#pragma unroll 1
  for (unsigned int i = 0; i < 8; ++i)
    holds &= guard(GridIndex{i & 1u ? last.x : 0, i & 2u ? last.y : 0, i & 4u ? last.z : 0}, of);
  return holds;
}

/// How many blocks the guard holds for from this one on, for which it does: they are neighbours. Called by
/// all lanes of the block's first warp, which look at 32 blocks at a time.
template <unsigned Corners, class Guard>
static __device__ __forceinline__ unsigned int blocksFromHere(const Guard& guard) {
  unsigned int beyond = gridDim.x - blockIdx.x;    // this many might hold
  unsigned int known = Corners == 0 ? beyond : 1;  // so many do
#pragma unroll 1
  while (known < beyond) {
    const unsigned int step = (beyond - known + 31) / 32;
    const unsigned int asked = min(known + (linearThread() + 1) * step, beyond);
    const unsigned int holds =
        __ballot_sync(0xffffffffu, holdsForBlock<Corners>(guard, blockIdx.x + asked - 1));
    const unsigned int count = static_cast<unsigned int>(__popc(holds));
    const unsigned int begin = known;
    known = min(begin + count * step, beyond);
    beyond = count == 32 ? known : min(begin + (count + 1) * step, beyond) - 1;
  }
  return known;
}

static __device__ __forceinline__ RowState beginRow(unsigned int blocks) {
  RowState state = {};
  state.blocks = blocks;
  state.times = state.turns = state.nextTurn = 1;
  return state;
}
/// Of a loop that goes round so often: the block's warps share its turns.
static __device__ __forceinline__ RowState beginLoopRow(unsigned int blocks, unsigned int times) {
  RowState state = {};
  state.blocks = blocks;
  state.times = times;
  state.turn = linearThread() / 32;
  state.nextTurn = blockDim.x * blockDim.y * blockDim.z / 32;
  state.even = true;
  return state;
}
static __device__ __forceinline__ GridIndex threadOf(const RowPoint& point) {
  return {point.thread & 1023u, point.thread >> 10 & 1023u, point.thread >> 20};
}
/// `first`: the row's first block that is accounted for.
static __device__ __forceinline__ GridIndex blockOf(const RowPoint& point, unsigned int first) {
  return {first + point.block, blockIdx.y, blockIdx.z};
}
static __device__ __forceinline__ bool isOfRowsBlock(unsigned int number) {
  return spread(number, gridDim.x) == blockIdx.x;
}

/// What is the thread's own is not memory.
static __device__ __forceinline__ LaneAccess rowAccess(const DeviceUnit& unit, const Accessed& accessed) {
  LaneAccess access = laneAccess(unit, accessed);
  if (isPrivate(unit.constants, accessed.address)) access.bytes = 0;
  return access;
}
static __device__ __forceinline__ bool stepOfRow(const DeviceUnit& unit, RowState* state, const Accessed& a) {
  const LaneAccess one = rowAccess(unit, a);
  return rowOne(unit, state, one.key, one.address, one.bytes);
}
static __device__ __forceinline__ bool stepOfRow(const DeviceUnit& unit, RowState* state, const Accessed& a,
                                                 const Accessed& b) {
  const LaneAccess one = rowAccess(unit, a), two = rowAccess(unit, b);
  return rowTwo(unit, state, one.key, one.address, two.key, two.address, bytesOfAll(one, two));
}
static __device__ __forceinline__ bool stepOfRow(const DeviceUnit& unit, RowState* state, const Accessed& a,
                                                 const Accessed& b, const Accessed& c) {
  const LaneAccess one = rowAccess(unit, a), two = rowAccess(unit, b), three = rowAccess(unit, c);
  return rowThree(unit, state, one.key, one.address, two.key, two.address, three.key, three.address,
                  bytesOfAll(one, two, three));
}

/// The same of a loop's accesses, each as it is in the state's turn.
static __device__ __forceinline__ Accessed turnOf(RowState* state, const LoopPlace& place,
                                                  unsigned int which) {
  const char* const first = static_cast<const char*>(const_cast<const void*>(place.cuiFirst));
  const long long all = static_cast<const char*>(const_cast<const void*>(place.cuiLast)) - first;
  const long long step =
      state->times == 1 ? 0 : static_cast<const char*>(const_cast<const void*>(place.cuiSecond)) - first;
  state->even &= all == step * (state->times - 1);
  state->turnSteps[which] = step;
  return {place.site, place.bytes, first + step * state->turn};
}
static __device__ __forceinline__ bool stepOfLoopRow(const DeviceUnit& unit, RowState* state,
                                                     const LoopPlace (&places)[1]) {
  return stepOfRow(unit, state, turnOf(state, places[0], 0));
}
static __device__ __forceinline__ bool stepOfLoopRow(const DeviceUnit& unit, RowState* state,
                                                     const LoopPlace (&places)[2]) {
  return stepOfRow(unit, state, turnOf(state, places[0], 0), turnOf(state, places[1], 1));
}
static __device__ __forceinline__ bool stepOfLoopRow(const DeviceUnit& unit, RowState* state,
                                                     const LoopPlace (&places)[3]) {
  return stepOfRow(unit, state, turnOf(state, places[0], 0), turnOf(state, places[1], 1),
                   turnOf(state, places[2], 2));
}

}  // namespace backend
}  // namespace cui
