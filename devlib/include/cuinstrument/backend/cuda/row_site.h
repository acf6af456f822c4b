// Device side, at sites that all threads of a row of the grid come to alike (CUI_BY_ROW): in profile mode one
// warp of the row adds up what all of them access there (profile_row.h), and the others go on.
#pragma once

#include "cuinstrument/backend/cuda/alike_site.h"
#include "cuinstrument/backend/cuda/site_calls.h"
#include "cuinstrument/device/grid_index.h"

namespace cui {
namespace backend {

/// Whether rows are accounted for as a whole, where all blocks are recorded; the same for all threads of a
/// grid.
static __device__ __forceinline__ bool countsRows(const DeviceUnit& unit) {
  if (!profilesAllBlocks(unit, modeOf(unit))) return false;
  return (gridDim.x >= fewestBlocksOfRow) & hasWholeWarps(blockDim.x, blockDim.x * blockDim.y * blockDim.z);
}

/// Most warps know by one coordinate that they are not.
static __device__ __forceinline__ bool isFirstWarp() {
  return threadIdx.x < 32 && linearThread() < 32;
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

static __device__ __forceinline__ GridIndex threadOf(const RowPoint& point) {
  return {point.thread & 1023u, point.thread >> 10 & 1023u, point.thread >> 20};
}
static __device__ __forceinline__ GridIndex blockOf(const RowPoint& point) {
  return {point.block, blockIdx.y, blockIdx.z};
}
static __device__ __forceinline__ bool isOfRowsBlock(unsigned int number) {
  return spread(number, gridDim.x) == blockIdx.x;
}

/// What is the thread's own is not memory, and its address goes nowhere: it can stay in registers.
static __device__ __forceinline__ Accessed cuiRowPlace(const DeviceUnit& unit, const Accessed& place) {
  const bool own = isPrivate(unit.constants, place.address);
  return {place.site, own ? 0 : place.bytes, own ? nullptr : place.address};
}
static __device__ __forceinline__ LoopPlace cuiRowPlace(const DeviceUnit& unit, const LoopPlace& place) {
  const bool own = isPrivate(unit.constants, place.cuiFirst);
  return {own ? nullptr : place.cuiFirst, own ? nullptr : place.cuiSecond, own ? nullptr : place.cuiLast,
          place.site, own ? 0 : place.bytes};
}
/// What a warp is told whose block another accounts for, so that there is nothing left for it to do.
constexpr unsigned int byAnother = cuiNothingLeft;
struct NoGuard {
  __device__ __forceinline__ bool operator()(const GridIndex&, const GridIndex&) const { return true; }
};

static __device__ __forceinline__ RowPoint step(const DeviceUnit& unit, OwnMemory state,
                                                const Accessed* places, unsigned int count) {
  return stepOfRow(unit, state, ownMemory(places), count);
}
static __device__ __forceinline__ RowPoint step(const DeviceUnit& unit, OwnMemory state,
                                                const LoopPlace* places, unsigned int count) {
  return stepOfLoopRow(unit, state, ownMemory(places), count);
}
/// By the calling warp, of `blocks` blocks of the row from `first` on, or as many of these as the guard holds
/// for, if there is one. All its lanes come here, if not at the same time. `places(thread, block, of)`
/// computes a thread's, and says how many they are. The module asks, and the answers are what little of it is
/// at each site: nvcc takes long over that. It takes some of `Most` accesses at a time. Returns how many
/// blocks they were.
template <class Place, unsigned Corners, unsigned Most, class Guard, class Places>
static __device__ __forceinline__ unsigned int countRow(const DeviceUnit& unit, unsigned int first,
                                                        unsigned int blocks, unsigned int times,
                                                        const Guard& guard, const Places& places) {
  __syncwarp(0xffffffffu);
  RowState state;
  Place of[Most];
#pragma unroll 1
  for (unsigned int begin = 0; begin < Most; begin += mostOfRow) {
    RowPoint point = beginRow(ownMemory(&state), first, blocks, Corners, times, begin);
#pragma unroll 1
    while (point.block != noBlock) {
      const unsigned int count = places(threadOf(point), blockOf(point), of) - begin;
      const bool holds = Corners == 0 || guard(threadOf(point), blockOf(point));
      point = step(unit, ownMemory(&state), of + begin, holds ? min(count, mostOfRow) : 0);
    }
  }
  return state.blocks;
}
/// Where the guard holds for the calling block: whether it is the first one.
template <unsigned Corners, class Guard>
static __device__ __forceinline__ bool isFirstOfRow(const Guard& guard) {
  return blockIdx.x == 0 || (Corners != 0 && !holdsForBlock<Corners>(guard, blockIdx.x - 1));
}

/// Not 0 if what the block's threads access is accounted for, by a warp of the first block of the row for all
/// of whose threads the guard holds: in that warp how many blocks these are, elsewhere byAnother. 0 if each
/// thread has to see to its own, which all threads of the block are told alike.
template <unsigned Corners, class Guard, class Places>
static __device__ __forceinline__ unsigned int cuiOfRow(const DeviceUnit& unit, const Guard& guard,
                                                        const Places& places) {
  if (!countsRows(unit) || !holdsForBlock<Corners>(guard, blockIdx.x)) return 0;
  if (!isFirstWarp() || !isFirstOfRow<Corners>(guard)) return byAnother;
  return countRow<Accessed, Corners, mostOfRow>(unit, blockIdx.x, gridDim.x - blockIdx.x, 0, guard, places);
}
/// At another place to which the same threads come, with what cuiOfRow() has returned, but for byAnother.
template <class Places>
static __device__ __forceinline__ bool cuiOfSameRow(const DeviceUnit& unit, unsigned int blocks,
                                                    const Places& places) {
  if (askedAnew(blocks) == 0) return false;  // or a table of jumps tells it and byAnother apart
  countRow<Accessed, 0, mostOfRow>(unit, blockIdx.x, blocks, 0, NoGuard(), places);
  return true;
}
/// The same each time round a loop, to which all threads of the row come: another block accounts for each.
template <class Places>
static __device__ __forceinline__ bool cuiOfRowInLoop(const DeviceUnit& unit, unsigned int number,
                                                      const Places& places) {
  if (!countsRows(unit)) return false;
  if (isFirstWarp() && isOfRowsBlock(number))
    countRow<Accessed, 0, mostOfRow>(unit, 0, gridDim.x, 0, NoGuard(), places);
  return true;
}
/// As cuiOfRow(), in front of a loop, all times round which are accounted for by the warps of one block. The
/// guard holds for threads that go round as often as the calling one.
template <unsigned Corners, unsigned Most, class Guard, class Places>
static __device__ __forceinline__ bool cuiOfLoopRow(const DeviceUnit& unit, unsigned int number,
                                                    unsigned int times, const Guard& guard,
                                                    const Places& places) {
  if (!countsRows(unit) || !holdsForBlock<Corners>(guard, blockIdx.x)) return false;
  const unsigned int first = Corners == 0 ? 0 : blockIdx.x;
  if (Corners == 0 ? isOfRowsBlock(number) : isFirstOfRow<Corners>(guard))
    countRow<LoopPlace, Corners, Most>(unit, first, gridDim.x - first, times, guard, places);
  return true;
}

}  // namespace backend

// What the forms name (device/row.h): a function around each of these would be one more for each site, over
// which cicc takes its time. Names that begin so are no macros of the program's.
using backend::cuiOfLoopRow;
using backend::cuiOfRow;
using backend::cuiOfRowInLoop;
using backend::cuiOfSameRow;
using backend::cuiRowPlace;
}  // namespace cui
