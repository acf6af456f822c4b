#pragma once
#ifdef __CUDACC__
static __device__ inline float* beside(float* p) {
  p[2] = 0;
  return p + 3;
}
#endif
