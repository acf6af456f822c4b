// Complex numbers as CUDA's C interface has them.
#pragma once
#pragma GCC system_header
#define CU_COMPLEX_H_

#include "cuda_runtime.h"

#define CUI_TK_COMPLEX(C, T, suffix, hypotenuse)                                  \
  CUI_TK_HD T cuCreal##suffix(C z) {                                              \
    return z.x;                                                                   \
  }                                                                               \
  CUI_TK_HD T cuCimag##suffix(C z) {                                              \
    return z.y;                                                                   \
  }                                                                               \
  CUI_TK_HD C cuConj##suffix(C z) {                                               \
    return C{z.x, -z.y};                                                          \
  }                                                                               \
  CUI_TK_HD C cuCadd##suffix(C a, C b) {                                          \
    return C{a.x + b.x, a.y + b.y};                                               \
  }                                                                               \
  CUI_TK_HD C cuCsub##suffix(C a, C b) {                                          \
    return C{a.x - b.x, a.y - b.y};                                               \
  }                                                                               \
  CUI_TK_HD C cuCmul##suffix(C a, C b) {                                          \
    return C{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                       \
  }                                                                               \
  CUI_TK_HD C cuCfma##suffix(C a, C b, C c) {                                     \
    return cuCadd##suffix(cuCmul##suffix(a, b), c);                               \
  }                                                                               \
  /* Scaled, so that the divisor's square does not overflow. */                   \
  CUI_TK_HD C cuCdiv##suffix(C a, C b) {                                          \
    const T scale = 1 / ((b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y));        \
    const C p = {a.x * scale, a.y * scale}, q = {b.x * scale, b.y * scale};       \
    const T square = q.x * q.x + q.y * q.y;                                       \
    return C{(p.x * q.x + p.y * q.y) / square, (p.y * q.x - p.x * q.y) / square}; \
  }                                                                               \
  CUI_TK_HD T cuCabs##suffix(C z) {                                               \
    return hypotenuse(z.x, z.y);                                                  \
  }

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
CUI_TK_HD cuFloatComplex make_cuFloatComplex(float x, float y) {
  return cuFloatComplex{x, y};
}
CUI_TK_HD cuDoubleComplex make_cuDoubleComplex(double x, double y) {
  return cuDoubleComplex{x, y};
}
CUI_TK_HD cuComplex make_cuComplex(float x, float y) {
  return cuComplex{x, y};
}
CUI_TK_COMPLEX(cuFloatComplex, float, f, ::hypotf)
CUI_TK_COMPLEX(cuDoubleComplex, double, , ::hypot)
#undef CUI_TK_COMPLEX
CUI_TK_HD cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
  return cuDoubleComplex{z.x, z.y};
}
CUI_TK_HD cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return cuFloatComplex{static_cast<float>(z.x), static_cast<float>(z.y)};
}
