// make_float4(…) and the rest of the family.
#pragma once
#pragma GCC system_header
// Programs test the guard that the toolkit's own header defines.
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define CUI_TK_MAKE(T, name)                             \
  CUI_TK_HD name##1 make_##name##1(T x) {                \
    return name##1 {x};                                  \
  }                                                      \
  CUI_TK_HD name##2 make_##name##2(T x, T y) {           \
    return name##2 {x, y};                               \
  }                                                      \
  CUI_TK_HD name##3 make_##name##3(T x, T y, T z) {      \
    return name##3 {x, y, z};                            \
  }                                                      \
  CUI_TK_HD name##4 make_##name##4(T x, T y, T z, T w) { \
    return name##4 {x, y, z, w};                         \
  }

CUI_TK_MAKE(signed char, char)
CUI_TK_MAKE(unsigned char, uchar)
CUI_TK_MAKE(short, short)
CUI_TK_MAKE(unsigned short, ushort)
CUI_TK_MAKE(int, int)
CUI_TK_MAKE(unsigned int, uint)
CUI_TK_MAKE(long int, long)
CUI_TK_MAKE(unsigned long int, ulong)
CUI_TK_MAKE(long long int, longlong)
CUI_TK_MAKE(unsigned long long int, ulonglong)
CUI_TK_MAKE(float, float)
CUI_TK_MAKE(double, double)
#undef CUI_TK_MAKE

#define CUI_TK_MAKE_ALIGNED(T, name)                           \
  CUI_TK_HD name##_16a make_##name##_16a(T x, T y, T z, T w) { \
    return name##_16a{x, y, z, w};                             \
  }                                                            \
  CUI_TK_HD name##_32a make_##name##_32a(T x, T y, T z, T w) { \
    return name##_32a{x, y, z, w};                             \
  }
CUI_TK_MAKE_ALIGNED(long int, long4)
CUI_TK_MAKE_ALIGNED(unsigned long int, ulong4)
CUI_TK_MAKE_ALIGNED(long long int, longlong4)
CUI_TK_MAKE_ALIGNED(unsigned long long int, ulonglong4)
CUI_TK_MAKE_ALIGNED(double, double4)
#undef CUI_TK_MAKE_ALIGNED
