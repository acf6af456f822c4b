// Device side: the calling lane, and sets of lanes. At sites, too.
#pragma once

namespace cui {
namespace backend {

static __device__ __forceinline__ unsigned int laneIndex() {
  unsigned int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

static __device__ __forceinline__ unsigned int lowestLane(unsigned int group) {
  return static_cast<unsigned int>(__ffs(static_cast<int>(group)) - 1);
}

/// Lanes with the same word.
struct LanesAlike {
  unsigned int leader, word;
  bool member;  ///< the calling lane is one of them
};
/// Takes the lowest of the lanes that are left in `rest` out of it, and those that have its word; at first
/// the lanes that `ask`. By all lanes of `mask`.
static __device__ __forceinline__ LanesAlike takeAlike(unsigned int mask, unsigned int& rest, bool asks,
                                                       unsigned int word) {
  const unsigned int leader = lowestLane(rest);
  const unsigned int common = __shfl_sync(mask, word, static_cast<int>(leader));
  const bool member = asks && word == common;
  rest &= ~__ballot_sync(mask, member);
  return {leader, common, member};
}

/// Lanes in a row of a block that is narrower than a warp, if that is a power of two; 32 otherwise.
static __device__ __forceinline__ unsigned int rowWidth() {
  // Volatile: or nvcc computes what follows from it for all accesses, also those of wide blocks.
  unsigned int width;
  asm volatile("mov.u32 %0, %%ntid.x;" : "=r"(width));
  return width < 32 && (width & (width - 1)) == 0 ? width : 32;
}

}  // namespace backend
}  // namespace cui
