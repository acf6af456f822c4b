// A program that asks which compiler reads it is told what nvcc's would say, GCC, in all of its files; headers of the system's, which
// they include in between, are read for Clang.
// expect: __device__ void store(int* p) { CUI_ACCESS(#, p[1]) = 2; }
// expect: __device__ void store(int* p) { p[0] = 1; }
// expect: int versionOf(const int* p) { return CUI_ACCESS(#, p[2]); }
// expect: __device__ void set() { CUI_ACCESS(#, x) = 3; }
#include <cstdint>
#include "asks_compiler.h"
#if defined(__clang__) || defined(__clang_major__) || __GNUC__ < 7
__device__ void store(int* p) { p[0] = 1; }
#else
__device__ void store(int* p) { p[1] = 2; }
#endif
#include <algorithm>
#ifndef __clang__
__device__ int versionOf(const int* p) { return p[2]; }
#else
__device__ int versionOf(const int* p) { return p[3]; }
#endif
__global__ void k(Asked* a, int* p) {
  store(p + versionOf(p));
  a->set();
}
