#pragma once
#include_next <math.h>
#include "beside.h"
#ifdef __CUDACC__
#define FIRST(p) (p)[0]
static __device__ inline float add(float* p) {
  FIRST(p) += 1;
  return p[1] + *beside(p);
}
#endif
