#pragma once
#include <limits>
struct Asked {
  int x;
#if defined(__clang__)
  __device__ void set() { x = 4; }
#else
  __device__ void set() { x = 3; }
#endif
};
