// Which lane of its warp a thread is, and the warp going on together.
#pragma once

namespace cui {

/// 0 in code that runs on no device.
CUI_HD inline unsigned cuiOwnLane() {
#if defined(CUI_CPU_BACKEND)
  return CUI_RECORDING ? cuiLaneIndex() : 0;
#elif defined(__CUDA_ARCH__)
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
#else
  return 0;
#endif
}

/// After what only some of its lanes did: on a GPU the warp goes on together.
CUI_HD inline void cuiReconverge() {
#if defined(__CUDA_ARCH__) && !defined(CUI_CPU_BACKEND)
  __syncwarp();
#endif
}

}  // namespace cui
