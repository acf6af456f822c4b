// Which lane of its warp a thread is.
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

}  // namespace cui
