#pragma once
__device__ inline int older(int* p) {
#if __CUDA_ARCH__ >= 800
  return p[9];
#else
  return p[2];
#endif
}
