// 8-bit floating point: __nv_fp8_e4m3 (no infinities, one NaN) and __nv_fp8_e5m2, alone, in pairs and in
// fours. Conversions round to the nearest, ties to even. The scale type e8m0 is not here.
#pragma once
#pragma GCC system_header
#define __CUDA_FP8_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
/// What happens to values beyond the largest: NaN or infinity; the largest.
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

CUI_TK_HD __nv_fp8_storage_t __nv_cvt_double_to_fp8(double value, __nv_saturation_t saturation,
                                                    __nv_fp8_interpretation_t kind) {
  const bool e4m3 = kind == __NV_E4M3;
  const int mantissaBits = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15;
  const unsigned int largest = e4m3 ? 0x7e : 0x7b;
  unsigned long long bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  const unsigned int sign = static_cast<unsigned int>(bits >> 63) << 7;
  bits &= 0x7fffffffffffffffull;
  unsigned int result;
  const int exponent = static_cast<int>(bits >> 52) - 1023;
  if (bits > 0x7ff0000000000000ull) {
    // Of e5m2, the two highest bits of the double's mantissa stay.
    result = e4m3 ? 0x7f : 0x7e | static_cast<unsigned int>(bits >> 50 & 3u);
  } else if (exponent > bias + 1) {
    result = 0x80;  // too large
  } else {
    // In units of the last place, which below the normal range is that of the smallest normal number.
    const int lowest = 1 - bias, scale = (exponent < lowest ? lowest : exponent) - mantissaBits;
    const unsigned long long inverse = static_cast<unsigned long long>(1023 - scale) << 52;
    double unit, magnitude;
    __builtin_memcpy(&unit, &inverse, sizeof unit);
    __builtin_memcpy(&magnitude, &bits, sizeof magnitude);
    const double units = magnitude * unit;
    unsigned int whole = static_cast<unsigned int>(units);
    const double rest = units - whole;
    whole += rest > 0.5 || (rest == 0.5 && (whole & 1u) != 0);
    const unsigned int biased = exponent < lowest ? 0u : static_cast<unsigned int>(exponent + bias - 1);
    result = (biased << mantissaBits) + whole;  // a carry moves on into the exponent
  }
  if (result > largest && bits <= 0x7ff0000000000000ull)
    result = saturation == __NV_SATFINITE ? largest : e4m3 ? 0x7f : 0x7c;
  return static_cast<__nv_fp8_storage_t>(sign | result);
}
/// A NaN loses its sign and payload.
CUI_TK_HD __nv_fp8_storage_t __nv_cvt_float_to_fp8(float value, __nv_saturation_t saturation,
                                                   __nv_fp8_interpretation_t kind) {
  return value != value ? 0x7f : __nv_cvt_double_to_fp8(value, saturation, kind);
}
CUI_TK_HD __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw value, __nv_saturation_t saturation,
                                                     __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__half2float(__half(value)), saturation, kind);
}
CUI_TK_HD __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw value,
                                                         __nv_saturation_t saturation,
                                                         __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__bfloat162float(__nv_bfloat16(value)), saturation, kind);
}
#define CUI_TK_FP8_PAIR(name, Pair, single)                                    \
  CUI_TK_HD __nv_fp8x2_storage_t name(Pair pair, __nv_saturation_t saturation, \
                                      __nv_fp8_interpretation_t kind) {        \
    const unsigned int low = single(pair, x), high = single(pair, y);          \
    return static_cast<__nv_fp8x2_storage_t>(low | high << 8);                 \
  }
#define CUI_TK_FP8_DOUBLE(pair, m) __nv_cvt_double_to_fp8(pair.m, saturation, kind)
#define CUI_TK_FP8_FLOAT(pair, m) __nv_cvt_float_to_fp8(pair.m, saturation, kind)
#define CUI_TK_FP8_HALF(pair, m) __nv_cvt_halfraw_to_fp8(__half_raw{pair.m}, saturation, kind)
#define CUI_TK_FP8_BFLOAT(pair, m) __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{pair.m}, saturation, kind)
CUI_TK_FP8_PAIR(__nv_cvt_double2_to_fp8x2, double2, CUI_TK_FP8_DOUBLE)
CUI_TK_FP8_PAIR(__nv_cvt_float2_to_fp8x2, float2, CUI_TK_FP8_FLOAT)
CUI_TK_FP8_PAIR(__nv_cvt_halfraw2_to_fp8x2, __half2_raw, CUI_TK_FP8_HALF)
CUI_TK_FP8_PAIR(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat162_raw, CUI_TK_FP8_BFLOAT)
#undef CUI_TK_FP8_DOUBLE
#undef CUI_TK_FP8_FLOAT
#undef CUI_TK_FP8_HALF
#undef CUI_TK_FP8_BFLOAT
#undef CUI_TK_FP8_PAIR

CUI_TK_HD __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t value, __nv_fp8_interpretation_t kind) {
  const unsigned int sign = (value & 0x80u) << 8, rest = value & 0x7fu;
  unsigned int bits;
  if (kind == __NV_E5M2) {
    bits = rest > 0x7cu ? 0x7fff : sign | rest << 8;
  } else if (rest == 0x7fu) {
    bits = 0x7fff;
  } else if (rest >= 8u) {
    bits = sign | ((rest << 7) + (8u << 10));  // the biases differ by 8
  } else {
    bits = sign | __half(static_cast<float>(rest) * 0.001953125f).cuiBits();
  }
  return __half_raw{static_cast<unsigned short>(bits)};
}
CUI_TK_HD __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t pair, __nv_fp8_interpretation_t kind) {
  return __half2_raw{__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(pair & 0xffu), kind).x,
                     __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(pair >> 8), kind).x};
}

/// The types of one format. Integers go through float, and come from half.
#define CUI_TK_FP8_FROM(T, kind, From, name, ...) \
  explicit __host__ __device__ T(From value) : __x(name(__VA_ARGS__, __NV_SATFINITE, kind)) {}
#define CUI_TK_FP8_INTEGER(T, kind, I)                                          \
  CUI_TK_FP8_FROM(T, kind, I, __nv_cvt_float_to_fp8, static_cast<float>(value)) \
  explicit __host__ __device__ operator I() const {                             \
    return static_cast<I>(cuiHalf());                                           \
  }
#define CUI_TK_FP8_TYPES(suffix, kind)                                                                  \
  struct __nv_fp8_##suffix {                                                                            \
    __nv_fp8_storage_t __x;                                                                             \
    __nv_fp8_##suffix() = default;                                                                      \
    CUI_TK_FP8_FROM(__nv_fp8_##suffix, kind, __half, __nv_cvt_halfraw_to_fp8, __half_raw(value))        \
    CUI_TK_FP8_FROM(__nv_fp8_##suffix, kind, __nv_bfloat16, __nv_cvt_bfloat16raw_to_fp8,                \
                    __nv_bfloat16_raw(value))                                                           \
    CUI_TK_FP8_FROM(__nv_fp8_##suffix, kind, float, __nv_cvt_float_to_fp8, value)                       \
    CUI_TK_FP8_FROM(__nv_fp8_##suffix, kind, double, __nv_cvt_double_to_fp8, value)                     \
    CUI_TK_FP8_INTEGER(__nv_fp8_##suffix, kind, unsigned short)                                         \
    CUI_TK_FP8_INTEGER(__nv_fp8_##suffix, kind, unsigned int)                                           \
    CUI_TK_FP8_INTEGER(__nv_fp8_##suffix, kind, unsigned long)                                          \
    CUI_TK_FP8_INTEGER(__nv_fp8_##suffix, kind, unsigned long long)                                     \
    CUI_TK_FP8_INTEGER(__nv_fp8_##suffix, kind, short)                                                  \
    CUI_TK_FP8_INTEGER(__nv_fp8_##suffix, kind, int)                                                    \
    CUI_TK_FP8_INTEGER(__nv_fp8_##suffix, kind, long)                                                   \
    CUI_TK_FP8_INTEGER(__nv_fp8_##suffix, kind, long long)                                              \
    __host__ __device__ __half cuiHalf() const { return __half(__nv_cvt_fp8_to_halfraw(__x, kind)); }   \
    explicit __host__ __device__ operator __half() const { return cuiHalf(); }                          \
    explicit __host__ __device__ operator __nv_bfloat16() const {                                       \
      return __nv_bfloat16(static_cast<float>(cuiHalf()));                                              \
    }                                                                                                   \
    explicit __host__ __device__ operator float() const { return static_cast<float>(cuiHalf()); }       \
    explicit __host__ __device__ operator double() const { return static_cast<float>(cuiHalf()); }      \
    explicit __host__ __device__ operator unsigned char() const {                                       \
      return static_cast<unsigned char>(cuiHalf());                                                     \
    }                                                                                                   \
    explicit __host__ __device__ operator signed char() const {                                         \
      return static_cast<signed char>(cuiHalf());                                                       \
    }                                                                                                   \
    explicit __host__ __device__ operator char() const { return static_cast<char>(cuiHalf()); }         \
    explicit __host__ __device__ operator bool() const { return (__x & 0x7fu) != 0; }                   \
  };                                                                                                    \
  struct __nv_fp8x2_##suffix {                                                                          \
    __nv_fp8x2_storage_t __x;                                                                           \
    __nv_fp8x2_##suffix() = default;                                                                    \
    CUI_TK_FP8_FROM(__nv_fp8x2_##suffix, kind, __half2, __nv_cvt_halfraw2_to_fp8x2, __half2_raw(value)) \
    CUI_TK_FP8_FROM(__nv_fp8x2_##suffix, kind, __nv_bfloat162, __nv_cvt_bfloat16raw2_to_fp8x2,          \
                    __nv_bfloat162_raw(value))                                                          \
    CUI_TK_FP8_FROM(__nv_fp8x2_##suffix, kind, float2, __nv_cvt_float2_to_fp8x2, value)                 \
    CUI_TK_FP8_FROM(__nv_fp8x2_##suffix, kind, double2, __nv_cvt_double2_to_fp8x2, value)               \
    explicit __host__ __device__ operator __half2() const {                                             \
      return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, kind));                                            \
    }                                                                                                   \
    explicit __host__ __device__ operator float2() const {                                              \
      const __half2 pair = static_cast<__half2>(*this);                                                 \
      return make_float2(__half2float(pair.x), __half2float(pair.y));                                   \
    }                                                                                                   \
  };                                                                                                    \
  struct __nv_fp8x4_##suffix {                                                                          \
    __nv_fp8x4_storage_t __x;                                                                           \
    __nv_fp8x4_##suffix() = default;                                                                    \
    explicit __host__ __device__ __nv_fp8x4_##suffix(__half2 low, __half2 high)                         \
        : __nv_fp8x4_##suffix(__nv_fp8x2_##suffix(low), __nv_fp8x2_##suffix(high)) {}                   \
    explicit __host__ __device__ __nv_fp8x4_##suffix(__nv_bfloat162 low, __nv_bfloat162 high)           \
        : __nv_fp8x4_##suffix(__nv_fp8x2_##suffix(low), __nv_fp8x2_##suffix(high)) {}                   \
    explicit __host__ __device__ __nv_fp8x4_##suffix(float4 v)                                          \
        : __nv_fp8x4_##suffix(__nv_fp8x2_##suffix(make_float2(v.x, v.y)),                               \
                              __nv_fp8x2_##suffix(make_float2(v.z, v.w))) {}                            \
    explicit __host__ __device__ __nv_fp8x4_##suffix(double4 v)                                         \
        : __nv_fp8x4_##suffix(__nv_fp8x2_##suffix(make_double2(v.x, v.y)),                              \
                              __nv_fp8x2_##suffix(make_double2(v.z, v.w))) {}                           \
    explicit __host__ __device__ operator float4() const {                                              \
      __nv_fp8x2_##suffix low, high;                                                                    \
      low.__x = static_cast<__nv_fp8x2_storage_t>(__x);                                                 \
      high.__x = static_cast<__nv_fp8x2_storage_t>(__x >> 16);                                          \
      const float2 a = static_cast<float2>(low), b = static_cast<float2>(high);                         \
      return make_float4(a.x, a.y, b.x, b.y);                                                           \
    }                                                                                                   \
                                                                                                        \
   private:                                                                                             \
    __host__ __device__ __nv_fp8x4_##suffix(__nv_fp8x2_##suffix low, __nv_fp8x2_##suffix high)          \
        : __x(low.__x | static_cast<__nv_fp8x4_storage_t>(high.__x) << 16) {}                           \
  };
CUI_TK_FP8_TYPES(e4m3, __NV_E4M3)
CUI_TK_FP8_TYPES(e5m2, __NV_E5M2)
#undef CUI_TK_FP8_TYPES
#undef CUI_TK_FP8_INTEGER
#undef CUI_TK_FP8_FROM
