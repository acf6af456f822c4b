// CUDA's vector types and dim3, with the documented sizes and alignments.
#pragma once
#pragma GCC system_header
// Programs test the guard that the toolkit's own header defines.
#define __VECTOR_TYPES_H__

#include "host_defines.h"

// CUI_TK_VECTORS(element type, name, alignment of the 1-, 2-, 3- and 4-element type)
#define CUI_TK_VECTORS(T, name, a1, a2, a3, a4) \
  struct alignas(a1) name##1 {                  \
    T x;                                        \
  };                                            \
  struct alignas(a2) name##2 {                  \
    T x, y;                                     \
  };                                            \
  struct alignas(a3) name##3 {                  \
    T x, y, z;                                  \
  };                                            \
  struct alignas(a4) name##4 {                  \
    T x, y, z, w;                               \
  };

CUI_TK_VECTORS(signed char, char, 1, 2, 1, 4)
CUI_TK_VECTORS(unsigned char, uchar, 1, 2, 1, 4)
CUI_TK_VECTORS(short, short, 2, 4, 2, 8)
CUI_TK_VECTORS(unsigned short, ushort, 2, 4, 2, 8)
CUI_TK_VECTORS(int, int, 4, 8, 4, 16)
CUI_TK_VECTORS(unsigned int, uint, 4, 8, 4, 16)
CUI_TK_VECTORS(long int, long, 8, 16, 8, 16)
CUI_TK_VECTORS(unsigned long int, ulong, 8, 16, 8, 16)
CUI_TK_VECTORS(long long int, longlong, 8, 16, 8, 16)
CUI_TK_VECTORS(unsigned long long int, ulonglong, 8, 16, 8, 16)
CUI_TK_VECTORS(float, float, 4, 8, 4, 16)
CUI_TK_VECTORS(double, double, 8, 16, 8, 16)
#undef CUI_TK_VECTORS

// Since CUDA 13 the 32-byte vectors also exist with their alignment in the name.
#define CUI_TK_ALIGNED_VECTOR(T, name) \
  struct alignas(16) name##_16a {      \
    T x, y, z, w;                      \
  };                                   \
  struct alignas(32) name##_32a {      \
    T x, y, z, w;                      \
  };
CUI_TK_ALIGNED_VECTOR(long int, long4)
CUI_TK_ALIGNED_VECTOR(unsigned long int, ulong4)
CUI_TK_ALIGNED_VECTOR(long long int, longlong4)
CUI_TK_ALIGNED_VECTOR(unsigned long long int, ulonglong4)
CUI_TK_ALIGNED_VECTOR(double, double4)
#undef CUI_TK_ALIGNED_VECTOR

struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};
