// Device side: a block's place in the program's grid, for the module. A kernel that is launched for a
// sample's blocks alone has left it in the block's shared memory (format/split_launch.h).
#pragma once

#include "cuinstrument/backend/cuda/site.h"
#include "cuinstrument/format/split_launch.h"

namespace cui {
namespace backend {

#if defined(CUI_RECORDER_MODULE) && !defined(CUI_CPU_BACKEND) && __CUDA_ARCH__ >= 900
/// A word of what lies there; `ours` where nothing does. No branches, which would have lanes meet again;
/// nearly no launch goes further than its size.
template <std::size_t Offset>
static __device__ __forceinline__ unsigned int splitWord(unsigned int ours) {
  asm volatile(
      "{\n\t.reg .pred sized, marked;\n\t.reg .b32 size, at, mark;\n\t"
      "mov.u32 size, %%dynamic_smem_size;\n\tand.b32 size, size, %1;\n\tsetp.eq.u32 sized, size, %2;\n\t"
      "mov.u32 at, %%aggr_smem_size;\n\tsub.u32 at, at, %3;\n\tand.b32 at, at, -16;\n\tmov.u32 mark, 0;\n\t"
      "@sized ld.shared.u32 mark, [at+%4];\n\tsetp.eq.u32 marked, mark, %6;\n\t"
      "@marked ld.shared.u32 %0, [at+%5];\n\t}"
      : "+r"(ours)
      : "n"(format::splitSharedMask), "n"(format::splitSharedBits), "n"(sizeof(format::SplitBlock)),
        "n"(offsetof(format::SplitBlock, mark)), "n"(Offset), "n"(format::splitMark));
  return ours;
}
#else
template <std::size_t>
static __device__ __forceinline__ unsigned int splitWord(unsigned int ours) {
  return ours;
}
#endif

/// Whether the launch may be one of a sample's blocks alone, by its size: all its blocks answer alike, and
/// those of hardly any other launch say so. At sites, too.
static __device__ __forceinline__ bool mayBeSampleApart() {
#if (defined(CUI_RECORDER_LINKED) || defined(CUI_RECORDER_MODULE)) && !defined(CUI_CPU_BACKEND) && \
    __CUDA_ARCH__ >= 900
  unsigned int size;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(size));
  return (size & format::splitSharedMask) == format::splitSharedBits;
#else
  return false;
#endif
}

/// The block's number there, and the grid's blocks.
static __device__ __forceinline__ unsigned int blockOfProgram() {
  return splitWord<offsetof(format::SplitBlock, linearBlock)>(linearBlock());
}
static __device__ __forceinline__ unsigned int blocksOfProgram() {
  constexpr std::size_t grid = offsetof(format::SplitBlock, grid);
  return splitWord<grid>(gridDim.x) * splitWord<grid + 4>(gridDim.y) * splitWord<grid + 8>(gridDim.z);
}

}  // namespace backend
}  // namespace cui
