// Device side, at accesses to shared memory that all blocks make alike (CUI_ALIKE): in profile mode one block
// records them, and its sums count for all (format::countForAll()). Another one each time, so that none is
// waited for.
#pragma once

#include "cuinstrument/backend/cuda/site.h"
#include "cuinstrument/backend/cuda/site_calls.h"

namespace cui {
namespace backend {

static __device__ __forceinline__ unsigned int modeOf(const DeviceUnit& unit) {
  return askedAnew(unit.firstKey) & modeBits;
}
/// Whether all blocks add to sums in that mode, and nothing else is asked for; the same for all threads of a
/// grid.
static __device__ __forceinline__ bool profilesAllBlocks(const DeviceUnit& unit, unsigned int mode) {
  const bool allBlocks = unit.recordedBlocks > ~0u >> 1;  // blockOrder() is less
  return isProfiled(mode) && (mode & ~profileBit) == 0 && allBlocks;
}

/// forAllBlocks where one block stands for all of the grid, else 0; likewise.
static __device__ __forceinline__ unsigned int allOrOwn(const DeviceUnit& unit) {
  const unsigned int mode = modeOf(unit);
  if (!isProfiled(mode)) return 0;  // first: traces have this to pay, too
  const bool fits = (allBlocksOfGrid() >> format::blocksBits) == 0 && allBlocksOfGrid() > 1;
  return profilesAllBlocks(unit, mode) && fits ? forAllBlocks : 0;
}

/// Which of so many is meant at the time of that number: neighbours are far apart.
static __device__ __forceinline__ unsigned int spread(unsigned int number, unsigned int count) {
  return __umulhi(format::sampleOrder(number), count);
}
static __device__ __forceinline__ bool isOfBlock(unsigned int number) {
  return spread(number, gridDim.x * gridDim.y * gridDim.z) == linearBlock();
}

/// For how many tiles one stands, of so many in each row of the grid, if it does, else 0; likewise.
static __device__ __forceinline__ unsigned int tilesOrOwn(const DeviceUnit& unit, unsigned long long tiles) {
  const unsigned int mode = modeOf(unit);
  if (!isProfiled(mode)) return 0;
  const unsigned long long all = tiles * (gridDim.y * gridDim.z);
  const bool fits = ((tiles | all) >> format::blocksBits) == 0 && all > 1;
  return profilesAllBlocks(unit, mode) && fits ? static_cast<unsigned int>(all) : 0;
}
static __device__ __forceinline__ bool isOfTile(unsigned int number, unsigned long long index,
                                                unsigned long long tiles, unsigned int all) {
  const unsigned int own = static_cast<unsigned int>(index) +
                           static_cast<unsigned int>(tiles) * (blockIdx.y + gridDim.y * blockIdx.z);
  return spread(number, all) == own;
}
/// What it accesses in shared memory, for `all`, or 0: for itself.
static __device__ __forceinline__ LaneAccess accessOfTiles(const DeviceUnit& unit, unsigned int all,
                                                           const Accessed& a) {
  LaneAccess own = laneAccess(unit, a);
  own.address |= static_cast<unsigned long long>(all) << format::offsetBits;
  return own;
}
static __device__ __forceinline__ void recordOfTiles(const DeviceUnit& unit, unsigned int all,
                                                     const Accessed& a) {
  callOne(unit, accessOfTiles(unit, all, a));
}
static __device__ __forceinline__ void recordOfTiles(const DeviceUnit& unit, unsigned int all,
                                                     const Accessed& a, const Accessed& b) {
  if (a.bytes <= maxTogetherBytes && b.bytes <= maxTogetherBytes)
    return callTogether(unit, accessOfTiles(unit, all, a), accessOfTiles(unit, all, b));
  recordOfTiles(unit, all, a);
  recordOfTiles(unit, all, b);
}
static __device__ __forceinline__ void recordOfTiles(const DeviceUnit& unit, unsigned int all,
                                                     const Accessed& a, const Accessed& b,
                                                     const Accessed& c) {
  if (a.bytes <= maxTogetherBytes && b.bytes <= maxTogetherBytes && c.bytes <= maxTogetherBytes)
    return callTogether(unit, accessOfTiles(unit, all, a), accessOfTiles(unit, all, b),
                        accessOfTiles(unit, all, c));
  recordOfTiles(unit, all, a, b);
  recordOfTiles(unit, all, c);
}

}  // namespace backend
}  // namespace cui
