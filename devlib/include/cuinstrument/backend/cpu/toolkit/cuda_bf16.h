// __nv_bfloat16 and __nv_bfloat162. Arithmetic computes exactly and rounds once, as the hardware does.
#pragma once
#pragma GCC system_header
#define __CUDA_BF16_H__

#include "cuda_fp16.h"

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct alignas(4) __nv_bfloat162_raw {
  unsigned short x, y;
};
CUI_TK_SMALL_TYPE(__nv_bfloat16, 7, 8, cuiRaw, __half)
__host__ __device__ inline __nv_bfloat16::__nv_bfloat16(const __nv_bfloat16_raw& raw) : cuiRaw(raw.x) {}
__host__ __device__ inline __nv_bfloat16::operator __nv_bfloat16_raw() const {
  return __nv_bfloat16_raw{cuiRaw};
}
__host__ __device__ inline __nv_bfloat16::operator float() const {
  return __uint_as_float(static_cast<unsigned int>(cuiRaw) << 16);
}

__host__ __device__ inline __nv_bfloat16::__nv_bfloat16(const __half& other)
    : __nv_bfloat16(static_cast<float>(other)) {}
__host__ __device__ inline __half::__half(const __nv_bfloat16& other) : __half(static_cast<float>(other)) {}

struct alignas(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __host__ __device__ __nv_bfloat162(const __nv_bfloat16& a, const __nv_bfloat16& b) : x(a), y(b) {}
  __host__ __device__ __nv_bfloat162(const __nv_bfloat162_raw& raw)
      : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y}) {}
  __host__ __device__ operator __nv_bfloat162_raw() const {
    return __nv_bfloat162_raw{x.cuiBits(), y.cuiBits()};
  }
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

CUI_TK_SMALL_ARITHMETIC(__nv_bfloat16, __nv_bfloat162)

// --- conversions
CUI_TK_HD __nv_bfloat16 cuiBfloat16Of(double d, ::cui::toolkit::Rounding rounding) {
  return __nv_bfloat16::cuiFromBits(__nv_bfloat16::cuiRound(d, rounding));
}
CUI_TK_HD float __bfloat162float(__nv_bfloat16 h) {
  return static_cast<float>(h);
}
CUI_TK_HD __nv_bfloat16 __float2bfloat16(float f) {
  return __nv_bfloat16(f);
}
CUI_TK_HD __nv_bfloat16 __float2bfloat16_rn(float f) {
  return __nv_bfloat16(f);
}
CUI_TK_HD __nv_bfloat16 __float2bfloat16_rz(float f) {
  return cuiBfloat16Of(f, ::cui::toolkit::Rounding::zero);
}
CUI_TK_HD __nv_bfloat16 __float2bfloat16_ru(float f) {
  return cuiBfloat16Of(f, ::cui::toolkit::Rounding::up);
}
CUI_TK_HD __nv_bfloat16 __float2bfloat16_rd(float f) {
  return cuiBfloat16Of(f, ::cui::toolkit::Rounding::down);
}
CUI_TK_HD __nv_bfloat16 __double2bfloat16(double d) {
  return __nv_bfloat16(d);
}
CUI_TK_HD __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) {
  return __nv_bfloat162(a, a);
}
CUI_TK_HD __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat162(a, b);
}
CUI_TK_HD __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat162(a, b);
}
CUI_TK_HD __nv_bfloat162 __float2bfloat162_rn(float f) {
  return __bfloat162bfloat162(__nv_bfloat16(f));
}
CUI_TK_HD __nv_bfloat162 __floats2bfloat162_rn(float a, float b) {
  return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b));
}
CUI_TK_HD __nv_bfloat162 __float22bfloat162_rn(float2 v) {
  return __floats2bfloat162_rn(v.x, v.y);
}
CUI_TK_HD float2 __bfloat1622float2(__nv_bfloat162 h) {
  return float2{static_cast<float>(h.x), static_cast<float>(h.y)};
}
CUI_TK_HD float __low2float(__nv_bfloat162 h) {
  return static_cast<float>(h.x);
}
CUI_TK_HD float __high2float(__nv_bfloat162 h) {
  return static_cast<float>(h.y);
}
CUI_TK_HD __nv_bfloat16 __low2bfloat16(__nv_bfloat162 h) {
  return h.x;
}
CUI_TK_HD __nv_bfloat16 __high2bfloat16(__nv_bfloat162 h) {
  return h.y;
}
CUI_TK_HD __nv_bfloat162 __low2bfloat162(__nv_bfloat162 h) {
  return __nv_bfloat162(h.x, h.x);
}
CUI_TK_HD __nv_bfloat162 __high2bfloat162(__nv_bfloat162 h) {
  return __nv_bfloat162(h.y, h.y);
}
CUI_TK_HD __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {a.x, b.x};
}
CUI_TK_HD __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {a.y, b.y};
}
CUI_TK_HD __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 h) {
  return __nv_bfloat162(h.y, h.x);
}
CUI_TK_HD short __bfloat16_as_short(__nv_bfloat16 h) {
  return static_cast<short>(h.cuiBits());
}
CUI_TK_HD unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) {
  return h.cuiBits();
}
CUI_TK_HD __nv_bfloat16 __short_as_bfloat16(short s) {
  return __nv_bfloat16::cuiFromBits(static_cast<unsigned short>(s));
}
CUI_TK_HD __nv_bfloat16 __ushort_as_bfloat16(unsigned short s) {
  return __nv_bfloat16::cuiFromBits(s);
}
CUI_TK_HD signed char __bfloat162char_rz(__nv_bfloat16 h) {
  return ::cui::toolkit::scharOf(static_cast<float>(h));
}
CUI_TK_HD unsigned char __bfloat162uchar_rz(__nv_bfloat16 h) {
  return ::cui::toolkit::ucharOf(static_cast<float>(h));
}
CUI_TK_SMALL_INTEGER(__nv_bfloat16, bfloat16, int, int, cuiIntOf)
CUI_TK_SMALL_INTEGER(__nv_bfloat16, bfloat16, unsigned int, uint, cuiUintOf)
CUI_TK_SMALL_INTEGER(__nv_bfloat16, bfloat16, short, short, ::cui::toolkit::shortOf)
CUI_TK_SMALL_INTEGER(__nv_bfloat16, bfloat16, unsigned short, ushort, ::cui::toolkit::ushortOf)
CUI_TK_SMALL_INTEGER(__nv_bfloat16, bfloat16, long long, ll, cuiLongOf)
CUI_TK_SMALL_INTEGER(__nv_bfloat16, bfloat16, unsigned long long, ull, cuiUlongOf)

#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)

// --- with the execution model
#if CUI_TK_PARSE
CUI_TK_SHUFFLE(__nv_bfloat16)
CUI_TK_SHUFFLE(__nv_bfloat162)
CUI_TK_ATOMIC(atomicAdd, __nv_bfloat16)
CUI_TK_ATOMIC(atomicAdd, __nv_bfloat162)
#else
CUI_EXEC_SHUFFLES(__nv_bfloat16)
CUI_EXEC_SHUFFLES(__nv_bfloat162)
CUI_TK_DEVICE __nv_bfloat16 atomicAdd(__nv_bfloat16* address, __nv_bfloat16 value) {
  return ::cui::backend::atomicUpdate(address, [value](__nv_bfloat16 old) { return __hadd(old, value); });
}
CUI_TK_DEVICE __nv_bfloat162 atomicAdd(__nv_bfloat162* address, __nv_bfloat162 value) {
  return __nv_bfloat162(atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y));
}
#endif
