// half and half2. Arithmetic computes exactly and rounds once, as the hardware does.
#pragma once
#pragma GCC system_header
#define __CUDA_FP16_H__

#include "small_float.h"

struct __half_raw {
  unsigned short x;
};
struct alignas(4) __half2_raw {
  unsigned short x, y;
};
CUI_TK_SMALL_TYPE(__half, 10, 5, cuiRaw, __nv_bfloat16)
__host__ __device__ inline __half::__half(const __half_raw& raw) : cuiRaw(raw.x) {}
__host__ __device__ inline __half::operator __half_raw() const {
  return __half_raw{cuiRaw};
}
__host__ __device__ inline __half::operator float() const {
  const unsigned int sign = static_cast<unsigned int>(cuiRaw & 0x8000u) << 16, rest = cuiRaw & 0x7fffu;
  unsigned int bits;
  if (rest >= 0x7c00u) {
    bits = rest > 0x7c00u ? 0x7fffffffu : sign | 0x7f800000u;
  } else if (rest >= 0x400u) {
    bits = sign | ((rest << 13) + (112u << 23));
  } else {
    const float magnitude = static_cast<float>(rest) * 5.9604644775390625e-08f;
    return sign != 0 ? -magnitude : magnitude;
  }
  return __uint_as_float(bits);
}

struct alignas(4) __half2 {
  __half x, y;
  __half2() = default;
  __host__ __device__ __half2(const __half& a, const __half& b) : x(a), y(b) {}
  __host__ __device__ __half2(const __half2_raw& raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
  __host__ __device__ operator __half2_raw() const { return __half2_raw{x.cuiBits(), y.cuiBits()}; }
};
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
typedef __half nv_half;
typedef __half2 nv_half2;

CUI_TK_SMALL_ARITHMETIC(__half, __half2)

// --- conversions
CUI_TK_HD __half cuiHalfOf(double d, ::cui::toolkit::Rounding rounding) {
  return __half::cuiFromBits(__half::cuiRound(d, rounding));
}
CUI_TK_HD float __half2float(__half h) {
  return static_cast<float>(h);
}
CUI_TK_HD __half __float2half(float f) {
  return __half(f);
}
CUI_TK_HD __half __float2half_rn(float f) {
  return __half(f);
}
CUI_TK_HD __half __float2half_rz(float f) {
  return cuiHalfOf(f, ::cui::toolkit::Rounding::zero);
}
CUI_TK_HD __half __float2half_ru(float f) {
  return cuiHalfOf(f, ::cui::toolkit::Rounding::up);
}
CUI_TK_HD __half __float2half_rd(float f) {
  return cuiHalfOf(f, ::cui::toolkit::Rounding::down);
}
CUI_TK_HD __half __double2half(double d) {
  return __half(d);
}
CUI_TK_HD __half2 __half2half2(__half a) {
  return __half2(a, a);
}
CUI_TK_HD __half2 __halves2half2(__half a, __half b) {
  return __half2(a, b);
}
CUI_TK_HD __half2 make_half2(__half a, __half b) {
  return __half2(a, b);
}
CUI_TK_HD __half2 __float2half2_rn(float f) {
  return __half2half2(__half(f));
}
CUI_TK_HD __half2 __floats2half2_rn(float a, float b) {
  return __half2(__half(a), __half(b));
}
CUI_TK_HD __half2 __float22half2_rn(float2 v) {
  return __floats2half2_rn(v.x, v.y);
}
CUI_TK_HD float2 __half22float2(__half2 h) {
  return float2{static_cast<float>(h.x), static_cast<float>(h.y)};
}
CUI_TK_HD float __low2float(__half2 h) {
  return static_cast<float>(h.x);
}
CUI_TK_HD float __high2float(__half2 h) {
  return static_cast<float>(h.y);
}
CUI_TK_HD __half __low2half(__half2 h) {
  return h.x;
}
CUI_TK_HD __half __high2half(__half2 h) {
  return h.y;
}
CUI_TK_HD __half2 __low2half2(__half2 h) {
  return __half2(h.x, h.x);
}
CUI_TK_HD __half2 __high2half2(__half2 h) {
  return __half2(h.y, h.y);
}
CUI_TK_HD __half2 __lows2half2(__half2 a, __half2 b) {
  return __half2(a.x, b.x);
}
CUI_TK_HD __half2 __highs2half2(__half2 a, __half2 b) {
  return __half2(a.y, b.y);
}
CUI_TK_HD __half2 __lowhigh2highlow(__half2 h) {
  return __half2(h.y, h.x);
}
CUI_TK_HD short __half_as_short(__half h) {
  return static_cast<short>(h.cuiBits());
}
CUI_TK_HD unsigned short __half_as_ushort(__half h) {
  return h.cuiBits();
}
CUI_TK_HD __half __short_as_half(short s) {
  return __half::cuiFromBits(static_cast<unsigned short>(s));
}
CUI_TK_HD __half __ushort_as_half(unsigned short s) {
  return __half::cuiFromBits(s);
}
CUI_TK_HD signed char __half2char_rz(__half h) {
  return ::cui::toolkit::scharOf(static_cast<float>(h));
}
CUI_TK_HD unsigned char __half2uchar_rz(__half h) {
  return ::cui::toolkit::ucharOf(static_cast<float>(h));
}
CUI_TK_SMALL_INTEGER(__half, half, int, int, cuiIntOf)
CUI_TK_SMALL_INTEGER(__half, half, unsigned int, uint, cuiUintOf)
CUI_TK_SMALL_INTEGER(__half, half, short, short, ::cui::toolkit::shortOf)
CUI_TK_SMALL_INTEGER(__half, half, unsigned short, ushort, ::cui::toolkit::ushortOf)
CUI_TK_SMALL_INTEGER(__half, half, long long, ll, cuiLongOf)
CUI_TK_SMALL_INTEGER(__half, half, unsigned long long, ull, cuiUlongOf)

#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)

// --- with the execution model
#if CUI_TK_PARSE
CUI_TK_SHUFFLE(__half)
CUI_TK_SHUFFLE(__half2)
CUI_TK_ATOMIC(atomicAdd, __half)
CUI_TK_ATOMIC(atomicAdd, __half2)
#else
CUI_EXEC_SHUFFLES(__half)
CUI_EXEC_SHUFFLES(__half2)
CUI_TK_DEVICE __half atomicAdd(__half* address, __half value) {
  return ::cui::backend::atomicUpdate(address, [value](__half old) { return __hadd(old, value); });
}
CUI_TK_DEVICE __half2 atomicAdd(__half2* address, __half2 value) {
  return __half2(atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y));
}
#endif
