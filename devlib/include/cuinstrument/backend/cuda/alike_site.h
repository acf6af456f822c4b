// Device side, at accesses to shared memory that all blocks make alike (CUI_ALIKE): in profile mode one block
// records them, and its sums count for all (format::countForAll()). Another one each time, so that none is
// waited for.
#pragma once

#include "cuinstrument/backend/cuda/site.h"

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

}  // namespace backend
}  // namespace cui
