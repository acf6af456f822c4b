// Device side: what a kernel announces once for its whole grid, in front of all else that it does.
#pragma once

#include "cuinstrument/backend/cuda/entry_points.h"
#include "cuinstrument/backend/cuda/site.h"
#include "cuinstrument/backend/cuda/split_block.h"
#if !defined(CUI_RECORDER_LINKED)
#include "cuinstrument/backend/cuda/recorder.h"
#endif

namespace cui {
namespace backend {

/// Whether the calling block announces what is the same for the whole grid. Most do not, and find it out
/// here.
static __device__ __forceinline__ bool speaksForGrid() {
  return (blockIdx.x | blockIdx.y | blockIdx.z) == 0;
}
/// The block that says which kernel runs. A sample has the grid's first block, and a kernel whose blocks all
/// run at once waits for it: there the second one does, which the sample mostly has not. Launches of a
/// sample's blocks alone are without it.
static __device__ __forceinline__ unsigned int namingBlock(const DeviceUnit& unit) {
  if (unit.recordedBlocks >= format::allBlocks || gridDim.x == 1) return 0;
  return mayBeSampleApart() ? 0 : 1;
}
static __device__ __forceinline__ bool namesKernel(const DeviceUnit& unit) {
  return blockIdx.x == namingBlock(unit) && (blockIdx.y | blockIdx.z) == 0;
}
/// Likewise the calling lanes: those with the block's thread 0.
static __device__ __forceinline__ bool speakForBlock(unsigned int mask) {
  return linearThread() < 32 && (mask & 1u) != 0;
}

// Behind the first questions, so that the sites have one call each where the recorder is linked.
#if defined(CUI_RECORDER_LINKED)
CUI_OF_MODES __device__ __noinline__ void tellKernel(const DeviceUnit& unit, unsigned int number);
CUI_OF_MODES __device__ __noinline__ void tellShared(const DeviceUnit& unit, unsigned int number,
                                                     const void* address, unsigned int bytes);
#else
#if defined(CUI_RECORDER_MODULE)
#define CUI_TELLS CUI_OF_MODES __device__ __noinline__
#else
#define CUI_TELLS CUI_OF_MODES __device__ __forceinline__
#endif
CUI_TELLS void tellKernel(const DeviceUnit& unit, unsigned int number) {
  unsigned int run = 0;
  if (compilesTrace && unit.countsRuns != 0) {
    const unsigned int mask = __activemask();
    run = CUI_SLOW_PATH(beginRun)(unit.context, mask);
    __syncwarp(mask);
  }
  if (!namesKernel(unit)) return;
  const unsigned int mask = __activemask();
  if (speakForBlock(mask)) CUI_SLOW_PATH(recordFact)
  (unit.context, mask, format::RecordType::kernelEntry, unit.siteBase, number,
   blockDim.x * blockDim.y * blockDim.z, blocksOfProgram(), static_cast<int>(run));
  __syncwarp(mask);
}
CUI_TELLS void tellShared(const DeviceUnit& unit, unsigned int number, const void* address,
                          unsigned int bytes) {
  const unsigned int mask = __activemask();
  if (speakForBlock(mask)) CUI_SLOW_PATH(recordFact)
  (unit.context, mask, format::RecordType::sharedVariable, unit.siteBase,
   sharedOffset(unit.constants, address), bytes, 0, static_cast<int>(number));
  __syncwarp(mask);
}
#undef CUI_TELLS
#endif

/// Announces which kernel this grid runs.
static __device__ __forceinline__ void kernelEntry(const DeviceUnit& unit, unsigned int number) {
  if (unit.recordedBlocks == 0) return;
  if (namesKernel(unit) || (compilesTrace && unit.countsRuns != 0)) tellKernel(unit, number);
}

/// Announces where a __shared__ variable lies. On the host, where a macro can make an ordinary one of it,
/// there is nothing to say; but a lambda for both sides may not name what is the device's alone.
static __host__ __device__ __forceinline__ void sharedVariable(const DeviceUnit& unit, unsigned int number,
                                                               const volatile void* address,
                                                               std::size_t bytes) {
#if defined(__CUDA_ARCH__)
  if (unit.recordedBlocks == 0 || !speaksForGrid()) return;
  tellShared(unit, number, const_cast<const void*>(address), static_cast<unsigned int>(bytes));
#else
  (void)unit, (void)number, (void)address, (void)bytes;
#endif
}

}  // namespace backend
}  // namespace cui
