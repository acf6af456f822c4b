// What half and bfloat16 have in common: rounding to few bits, and arithmetic and comparison under the
// names that both types share as overloads. Included by cuda_fp16.h and cuda_bf16.h.
#pragma once
#pragma GCC system_header

#include "cuda_runtime.h"

namespace cui {
namespace toolkit {

enum class Rounding { nearest, zero, up, down };

/// The pattern of `value` rounded to `mantissaBits` and `exponentBits`. Every NaN becomes 0x7fff.
template <int mantissaBits, int exponentBits>
__host__ __device__ inline unsigned short smallFloatBits(double value, Rounding rounding) {
  constexpr int bias = (1 << (exponentBits - 1)) - 1;
  constexpr unsigned int infinity = ((1u << exponentBits) - 1) << mantissaBits;
  unsigned long long bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  const unsigned int sign = static_cast<unsigned int>(bits >> 63) << 15;
  bits &= 0x7fffffffffffffffull;
  if (bits > 0x7ff0000000000000ull) return 0x7fff;
  if (bits == 0x7ff0000000000000ull) return static_cast<unsigned short>(sign | infinity);
  if (bits == 0) return static_cast<unsigned short>(sign);
  const bool away = (rounding == Rounding::up && sign == 0) || (rounding == Rounding::down && sign != 0);
  const int exponent = static_cast<int>(bits >> 52) - 1023;
  unsigned int result;
  if (exponent > bias) {
    result = infinity + 1;  // too large whatever the rounding
  } else {
    // In units of the last place, which below the normal range is that of the smallest normal number.
    const int scale = (exponent < 1 - bias ? 1 - bias : exponent) - mantissaBits;
    const unsigned long long inverse = static_cast<unsigned long long>(1023 - scale) << 52;
    double unit, magnitude;
    __builtin_memcpy(&unit, &inverse, sizeof unit);
    __builtin_memcpy(&magnitude, &bits, sizeof magnitude);
    const double units = magnitude * unit;
    unsigned int whole = static_cast<unsigned int>(units);
    const double rest = units - whole;
    if (rounding == Rounding::nearest)
      whole += rest > 0.5 || (rest == 0.5 && (whole & 1u) != 0);
    else if (away)
      whole += rest > 0;
    const unsigned int biased = exponent < 1 - bias ? 0u : static_cast<unsigned int>(exponent + bias - 1);
    result = (biased << mantissaBits) + whole;  // a carry moves on into the exponent
  }
  if (result >= infinity) result = rounding == Rounding::nearest || away ? infinity : infinity - 1;
  return static_cast<unsigned short>(sign | result);
}

/// a * b + c rounded once more only: to odd in double precision, which a later rounding cannot spoil.
/// a * b must be exact.
__host__ __device__ inline double fmaToOdd(double a, double b, double c) {
  const double product = a * b, sum = product + c;
  if (!(sum - sum == 0)) return sum;
  const double back = sum - product, error = (product - (sum - back)) + (c - back);
  unsigned long long bits;
  __builtin_memcpy(&bits, &sum, sizeof bits);
  if (error != 0 && (bits & 1u) == 0) {
    const bool grows = (error > 0) == (sum > 0);
    bits += grows ? 1ull : ~0ull;
  }
  double result;
  __builtin_memcpy(&result, &bits, sizeof result);
  return result;
}

}  // namespace toolkit
}  // namespace cui

/// Arithmetic of a type T with a pair type T2. CUI_TK_OF(T, x) rounds a double to T.
#define CUI_TK_OF(T, ...) (T::cuiOf(__VA_ARGS__))
#define CUI_TK_SMALL_UNARY(T, T2, name, name2, ...)              \
  CUI_TK_HD T name(T a) {                                        \
    const double x = static_cast<double>(static_cast<float>(a)); \
    return CUI_TK_OF(T, __VA_ARGS__);                            \
  }                                                              \
  CUI_TK_HD T2 name2(T2 a) {                                     \
    return T2(name(a.x), name(a.y));                             \
  }
#define CUI_TK_SMALL_BINARY(T, T2, name, name2, ...)             \
  CUI_TK_HD T name(T a, T b) {                                   \
    const double x = static_cast<double>(static_cast<float>(a)); \
    const double y = static_cast<double>(static_cast<float>(b)); \
    return CUI_TK_OF(T, __VA_ARGS__);                            \
  }                                                              \
  CUI_TK_HD T2 name2(T2 a, T2 b) {                               \
    return T2(name(a.x, b.x), name(a.y, b.y));                   \
  }
#define CUI_TK_SMALL_SATURATED(T, T2, name, name2, plain) \
  CUI_TK_HD T name(T a, T b) {                            \
    return ::cui::toolkit::saturate(plain(a, b));         \
  }                                                       \
  CUI_TK_HD T2 name2(T2 a, T2 b) {                        \
    return T2(name(a.x, b.x), name(a.y, b.y));            \
  }
/// A comparison, its unordered form, and both forms on pairs (1 or 0 each; all of both).
#define CUI_TK_SMALL_COMPARE(T, T2, name, op)                                                     \
  CUI_TK_HD bool __h##name(T a, T b) {                                                            \
    return static_cast<float>(a) op static_cast<float>(b);                                        \
  }                                                                                               \
  CUI_TK_HD bool __h##name##u(T a, T b) {                                                         \
    return __hisnan(a) || __hisnan(b) || static_cast<float>(a) op static_cast<float>(b);          \
  }                                                                                               \
  CUI_TK_HD T2 __h##name##2(T2 a, T2 b) {                                                         \
    return T2(CUI_TK_OF(T, __h##name(a.x, b.x)), CUI_TK_OF(T, __h##name(a.y, b.y)));              \
  }                                                                                               \
  CUI_TK_HD T2 __h##name##u2(T2 a, T2 b) {                                                        \
    return T2(CUI_TK_OF(T, __h##name##u(a.x, b.x)), CUI_TK_OF(T, __h##name##u(a.y, b.y)));        \
  }                                                                                               \
  CUI_TK_HD bool __hb##name##2(T2 a, T2 b) {                                                      \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                            \
  }                                                                                               \
  CUI_TK_HD bool __hb##name##u2(T2 a, T2 b) {                                                     \
    return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y);                                      \
  }                                                                                               \
  CUI_TK_HD unsigned int __h##name##2_mask(T2 a, T2 b) {                                          \
    return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u);       \
  }                                                                                               \
  CUI_TK_HD unsigned int __h##name##u2_mask(T2 a, T2 b) {                                         \
    return (__h##name##u(a.x, b.x) ? 0xffffu : 0u) | (__h##name##u(a.y, b.y) ? 0xffff0000u : 0u); \
  }
#define CUI_TK_SMALL_OPERATORS(T, T2)                   \
  CUI_TK_HD T operator+(const T& a, const T& b) {       \
    return __hadd(a, b);                                \
  }                                                     \
  CUI_TK_HD T operator-(const T& a, const T& b) {       \
    return __hsub(a, b);                                \
  }                                                     \
  CUI_TK_HD T operator*(const T& a, const T& b) {       \
    return __hmul(a, b);                                \
  }                                                     \
  CUI_TK_HD T operator/(const T& a, const T& b) {       \
    return __hdiv(a, b);                                \
  }                                                     \
  CUI_TK_HD T& operator+=(T& a, const T& b) {           \
    return a = __hadd(a, b);                            \
  }                                                     \
  CUI_TK_HD T& operator-=(T& a, const T& b) {           \
    return a = __hsub(a, b);                            \
  }                                                     \
  CUI_TK_HD T& operator*=(T& a, const T& b) {           \
    return a = __hmul(a, b);                            \
  }                                                     \
  CUI_TK_HD T& operator/=(T& a, const T& b) {           \
    return a = __hdiv(a, b);                            \
  }                                                     \
  CUI_TK_HD T operator+(const T& a) {                   \
    return a;                                           \
  }                                                     \
  CUI_TK_HD T operator-(const T& a) {                   \
    return __hneg(a);                                   \
  }                                                     \
  CUI_TK_HD T& operator++(T& a) {                       \
    return a = __hadd(a, CUI_TK_OF(T, 1.0));            \
  }                                                     \
  CUI_TK_HD T& operator--(T& a) {                       \
    return a = __hsub(a, CUI_TK_OF(T, 1.0));            \
  }                                                     \
  CUI_TK_HD T operator++(T& a, int) {                   \
    T before = a;                                       \
    ++a;                                                \
    return before;                                      \
  }                                                     \
  CUI_TK_HD T operator--(T& a, int) {                   \
    T before = a;                                       \
    --a;                                                \
    return before;                                      \
  }                                                     \
  CUI_TK_HD bool operator==(const T& a, const T& b) {   \
    return __heq(a, b);                                 \
  }                                                     \
  CUI_TK_HD bool operator!=(const T& a, const T& b) {   \
    return __hneu(a, b);                                \
  }                                                     \
  CUI_TK_HD bool operator<(const T& a, const T& b) {    \
    return __hlt(a, b);                                 \
  }                                                     \
  CUI_TK_HD bool operator<=(const T& a, const T& b) {   \
    return __hle(a, b);                                 \
  }                                                     \
  CUI_TK_HD bool operator>(const T& a, const T& b) {    \
    return __hgt(a, b);                                 \
  }                                                     \
  CUI_TK_HD bool operator>=(const T& a, const T& b) {   \
    return __hge(a, b);                                 \
  }                                                     \
  CUI_TK_HD T2 operator+(const T2& a, const T2& b) {    \
    return __hadd2(a, b);                               \
  }                                                     \
  CUI_TK_HD T2 operator-(const T2& a, const T2& b) {    \
    return __hsub2(a, b);                               \
  }                                                     \
  CUI_TK_HD T2 operator*(const T2& a, const T2& b) {    \
    return __hmul2(a, b);                               \
  }                                                     \
  CUI_TK_HD T2 operator/(const T2& a, const T2& b) {    \
    return __h2div(a, b);                               \
  }                                                     \
  CUI_TK_HD T2& operator+=(T2& a, const T2& b) {        \
    return a = __hadd2(a, b);                           \
  }                                                     \
  CUI_TK_HD T2& operator-=(T2& a, const T2& b) {        \
    return a = __hsub2(a, b);                           \
  }                                                     \
  CUI_TK_HD T2& operator*=(T2& a, const T2& b) {        \
    return a = __hmul2(a, b);                           \
  }                                                     \
  CUI_TK_HD T2& operator/=(T2& a, const T2& b) {        \
    return a = __h2div(a, b);                           \
  }                                                     \
  CUI_TK_HD T2 operator-(const T2& a) {                 \
    return __hneg2(a);                                  \
  }                                                     \
  CUI_TK_HD bool operator==(const T2& a, const T2& b) { \
    return __hbeq2(a, b);                               \
  }                                                     \
  CUI_TK_HD bool operator!=(const T2& a, const T2& b) { \
    return __hbneu2(a, b);                              \
  }                                                     \
  CUI_TK_HD bool operator<(const T2& a, const T2& b) {  \
    return __hblt2(a, b);                               \
  }                                                     \
  CUI_TK_HD bool operator<=(const T2& a, const T2& b) { \
    return __hble2(a, b);                               \
  }                                                     \
  CUI_TK_HD bool operator>(const T2& a, const T2& b) {  \
    return __hbgt2(a, b);                               \
  }                                                     \
  CUI_TK_HD bool operator>=(const T2& a, const T2& b) { \
    return __hbge2(a, b);                               \
  }

#define CUI_TK_SMALL_ARITHMETIC(T, T2)                                                                   \
  CUI_TK_HD bool __hisnan(T a) {                                                                         \
    return static_cast<float>(a) != static_cast<float>(a);                                               \
  }                                                                                                      \
  CUI_TK_HD int __hisinf(T a) {                                                                          \
    return static_cast<float>(a) == __builtin_inff()    ? 1                                              \
           : static_cast<float>(a) == -__builtin_inff() ? -1                                             \
                                                        : 0;                                             \
  }                                                                                                      \
  CUI_TK_HD T2 __hisnan2(T2 a) {                                                                         \
    return T2(CUI_TK_OF(T, __hisnan(a.x)), CUI_TK_OF(T, __hisnan(a.y)));                                 \
  }                                                                                                      \
  namespace cui {                                                                                        \
  namespace toolkit {                                                                                    \
  CUI_TK_HD T saturate(T a) {                                                                            \
    const float x = static_cast<float>(a);                                                               \
    return CUI_TK_OF(T, x > 0 ? (x < 1 ? x : 1.0f) : 0.0f);                                              \
  }                                                                                                      \
  }                                                                                                      \
  }                                                                                                      \
  CUI_TK_SMALL_BINARY(T, T2, __hadd, __hadd2, x + y)                                                     \
  CUI_TK_SMALL_BINARY(T, T2, __hsub, __hsub2, x - y)                                                     \
  CUI_TK_SMALL_BINARY(T, T2, __hmul, __hmul2, x* y)                                                      \
  CUI_TK_SMALL_BINARY(T, T2, __hdiv, __h2div, static_cast<float>(x) / static_cast<float>(y))             \
  CUI_TK_SMALL_BINARY(T, T2, __hadd_rn, __hadd2_rn, x + y)                                               \
  CUI_TK_SMALL_BINARY(T, T2, __hsub_rn, __hsub2_rn, x - y)                                               \
  CUI_TK_SMALL_BINARY(T, T2, __hmul_rn, __hmul2_rn, x* y)                                                \
  CUI_TK_SMALL_SATURATED(T, T2, __hadd_sat, __hadd2_sat, __hadd)                                         \
  CUI_TK_SMALL_SATURATED(T, T2, __hsub_sat, __hsub2_sat, __hsub)                                         \
  CUI_TK_SMALL_SATURATED(T, T2, __hmul_sat, __hmul2_sat, __hmul)                                         \
  CUI_TK_HD T __hneg(T a) {                                                                              \
    return T::cuiFromBits(static_cast<unsigned short>(a.cuiBits() ^ 0x8000u));                           \
  }                                                                                                      \
  CUI_TK_HD T __habs(T a) {                                                                              \
    return T::cuiFromBits(static_cast<unsigned short>(a.cuiBits() & 0x7fffu));                           \
  }                                                                                                      \
  CUI_TK_HD T2 __hneg2(T2 a) {                                                                           \
    return T2(__hneg(a.x), __hneg(a.y));                                                                 \
  }                                                                                                      \
  CUI_TK_HD T2 __habs2(T2 a) {                                                                           \
    return T2(__habs(a.x), __habs(a.y));                                                                 \
  }                                                                                                      \
  CUI_TK_HD T __hfma(T a, T b, T c) {                                                                    \
    return CUI_TK_OF(T, ::cui::toolkit::fmaToOdd(static_cast<double>(static_cast<float>(a)),             \
                                                 static_cast<double>(static_cast<float>(b)),             \
                                                 static_cast<double>(static_cast<float>(c))));           \
  }                                                                                                      \
  CUI_TK_HD T __hfma_sat(T a, T b, T c) {                                                                \
    return ::cui::toolkit::saturate(__hfma(a, b, c));                                                    \
  }                                                                                                      \
  CUI_TK_HD T __hfma_relu(T a, T b, T c) {                                                               \
    T r = __hfma(a, b, c);                                                                               \
    return static_cast<float>(r) < 0 ? CUI_TK_OF(T, 0.0) : r;                                            \
  }                                                                                                      \
  CUI_TK_HD T2 __hfma2(T2 a, T2 b, T2 c) {                                                               \
    return T2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));                                             \
  }                                                                                                      \
  CUI_TK_HD T2 __hfma2_sat(T2 a, T2 b, T2 c) {                                                           \
    return T2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));                                     \
  }                                                                                                      \
  CUI_TK_HD T2 __hfma2_relu(T2 a, T2 b, T2 c) {                                                          \
    return T2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));                                   \
  }                                                                                                      \
  /* Complex numbers: a * b + c, rounded four times. */                                                  \
  CUI_TK_HD T2 __hcmadd(T2 a, T2 b, T2 c) {                                                              \
    return T2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))); \
  }                                                                                                      \
  CUI_TK_SMALL_COMPARE(T, T2, eq, ==)                                                                    \
  CUI_TK_SMALL_COMPARE(T, T2, lt, <)                                                                     \
  CUI_TK_SMALL_COMPARE(T, T2, le, <=)                                                                    \
  CUI_TK_SMALL_COMPARE(T, T2, gt, >)                                                                     \
  CUI_TK_SMALL_COMPARE(T, T2, ge, >=)                                                                    \
  CUI_TK_HD bool __hneu(T a, T b) {                                                                      \
    return !__heq(a, b);                                                                                 \
  }                                                                                                      \
  CUI_TK_HD bool __hne(T a, T b) {                                                                       \
    return !__hequ(a, b);                                                                                \
  }                                                                                                      \
  CUI_TK_HD T2 __hne2(T2 a, T2 b) {                                                                      \
    return T2(CUI_TK_OF(T, __hne(a.x, b.x)), CUI_TK_OF(T, __hne(a.y, b.y)));                             \
  }                                                                                                      \
  CUI_TK_HD T2 __hneu2(T2 a, T2 b) {                                                                     \
    return T2(CUI_TK_OF(T, __hneu(a.x, b.x)), CUI_TK_OF(T, __hneu(a.y, b.y)));                           \
  }                                                                                                      \
  CUI_TK_HD bool __hbne2(T2 a, T2 b) {                                                                   \
    return __hne(a.x, b.x) && __hne(a.y, b.y);                                                           \
  }                                                                                                      \
  CUI_TK_HD bool __hbneu2(T2 a, T2 b) {                                                                  \
    return __hneu(a.x, b.x) && __hneu(a.y, b.y);                                                         \
  }                                                                                                      \
  CUI_TK_HD unsigned int __hne2_mask(T2 a, T2 b) {                                                       \
    return (__hne(a.x, b.x) ? 0xffffu : 0u) | (__hne(a.y, b.y) ? 0xffff0000u : 0u);                      \
  }                                                                                                      \
  CUI_TK_HD unsigned int __hneu2_mask(T2 a, T2 b) {                                                      \
    return (__hneu(a.x, b.x) ? 0xffffu : 0u) | (__hneu(a.y, b.y) ? 0xffff0000u : 0u);                    \
  }                                                                                                      \
  /* A NaN loses against a number; +0 is larger than -0. */                                              \
  CUI_TK_HD T __hmax(T a, T b) {                                                                         \
    if (__hisnan(a) || __hisnan(b)) return __hisnan(a) ? (__hisnan(b) ? T::cuiFromBits(0x7fff) : b) : a; \
    if (__heq(a, b)) return (a.cuiBits() & 0x8000u) != 0 ? b : a;                                        \
    return __hgt(a, b) ? a : b;                                                                          \
  }                                                                                                      \
  CUI_TK_HD T __hmin(T a, T b) {                                                                         \
    if (__hisnan(a) || __hisnan(b)) return __hisnan(a) ? (__hisnan(b) ? T::cuiFromBits(0x7fff) : b) : a; \
    if (__heq(a, b)) return (a.cuiBits() & 0x8000u) != 0 ? a : b;                                        \
    return __hlt(a, b) ? a : b;                                                                          \
  }                                                                                                      \
  CUI_TK_HD T __hmax_nan(T a, T b) {                                                                     \
    return __hisnan(a) || __hisnan(b) ? T::cuiFromBits(0x7fff) : __hmax(a, b);                           \
  }                                                                                                      \
  CUI_TK_HD T __hmin_nan(T a, T b) {                                                                     \
    return __hisnan(a) || __hisnan(b) ? T::cuiFromBits(0x7fff) : __hmin(a, b);                           \
  }                                                                                                      \
  CUI_TK_HD T2 __hmax2(T2 a, T2 b) {                                                                     \
    return T2(__hmax(a.x, b.x), __hmax(a.y, b.y));                                                       \
  }                                                                                                      \
  CUI_TK_HD T2 __hmin2(T2 a, T2 b) {                                                                     \
    return T2(__hmin(a.x, b.x), __hmin(a.y, b.y));                                                       \
  }                                                                                                      \
  CUI_TK_HD T2 __hmax2_nan(T2 a, T2 b) {                                                                 \
    return T2(__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y));                                               \
  }                                                                                                      \
  CUI_TK_HD T2 __hmin2_nan(T2 a, T2 b) {                                                                 \
    return T2(__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y));                                               \
  }                                                                                                      \
  CUI_TK_SMALL_UNARY(T, T2, hsqrt, h2sqrt, ::sqrtf(static_cast<float>(x)))                               \
  CUI_TK_SMALL_UNARY(T, T2, hrsqrt, h2rsqrt, 1.0 / ::sqrt(x))                                            \
  CUI_TK_SMALL_UNARY(T, T2, hrcp, h2rcp, 1.0f / static_cast<float>(x))                                   \
  CUI_TK_SMALL_UNARY(T, T2, hexp, h2exp, ::exp(x))                                                       \
  CUI_TK_SMALL_UNARY(T, T2, hexp2, h2exp2, ::exp2(x))                                                    \
  CUI_TK_SMALL_UNARY(T, T2, hexp10, h2exp10, ::pow(10.0, x))                                             \
  CUI_TK_SMALL_UNARY(T, T2, hlog, h2log, ::log(x))                                                       \
  CUI_TK_SMALL_UNARY(T, T2, hlog2, h2log2, ::log2(x))                                                    \
  CUI_TK_SMALL_UNARY(T, T2, hlog10, h2log10, ::log10(x))                                                 \
  CUI_TK_SMALL_UNARY(T, T2, hsin, h2sin, ::sin(x))                                                       \
  CUI_TK_SMALL_UNARY(T, T2, hcos, h2cos, ::cos(x))                                                       \
  CUI_TK_SMALL_UNARY(T, T2, htanh, h2tanh, ::tanh(x))                                                    \
  CUI_TK_SMALL_UNARY(T, T2, hceil, h2ceil, ::ceil(x))                                                    \
  CUI_TK_SMALL_UNARY(T, T2, hfloor, h2floor, ::floor(x))                                                 \
  CUI_TK_SMALL_UNARY(T, T2, htrunc, h2trunc, ::trunc(x))                                                 \
  CUI_TK_SMALL_UNARY(T, T2, hrint, h2rint, ::nearbyint(x))                                               \
  CUI_TK_SMALL_OPERATORS(T, T2)

/// Conversions from and to an integer type I in the four roundings: __<int>2<name>_rn, __<name>2<int>_rn, ….
#define CUI_TK_SMALL_INTEGER(T, name, I, integer, convert)        \
  CUI_TK_HD T __##integer##2##name##_rn(I i) {                    \
    return T::cuiOfInteger(i, ::cui::toolkit::Rounding::nearest); \
  }                                                               \
  CUI_TK_HD T __##integer##2##name##_rz(I i) {                    \
    return T::cuiOfInteger(i, ::cui::toolkit::Rounding::zero);    \
  }                                                               \
  CUI_TK_HD T __##integer##2##name##_ru(I i) {                    \
    return T::cuiOfInteger(i, ::cui::toolkit::Rounding::up);      \
  }                                                               \
  CUI_TK_HD T __##integer##2##name##_rd(I i) {                    \
    return T::cuiOfInteger(i, ::cui::toolkit::Rounding::down);    \
  }                                                               \
  CUI_TK_HD I __##name##2##integer##_rn(T h) {                    \
    return convert(::nearbyintf(static_cast<float>(h)));          \
  }                                                               \
  CUI_TK_HD I __##name##2##integer##_rz(T h) {                    \
    return convert(::truncf(static_cast<float>(h)));              \
  }                                                               \
  CUI_TK_HD I __##name##2##integer##_ru(T h) {                    \
    return convert(::ceilf(static_cast<float>(h)));               \
  }                                                               \
  CUI_TK_HD I __##name##2##integer##_rd(T h) {                    \
    return convert(::floorf(static_cast<float>(h)));              \
  }

namespace cui {
namespace toolkit {

CUI_TK_HD short shortOf(float x) {
  return static_cast<short>(x != x ? 0 : x < -32768.f ? -32768 : x > 32767.f ? 32767 : static_cast<int>(x));
}
CUI_TK_HD signed char scharOf(float x) {
  return static_cast<signed char>(x != x ? 0 : x < -128.f ? -128 : x > 127.f ? 127 : static_cast<int>(x));
}
CUI_TK_HD unsigned char ucharOf(float x) {
  return static_cast<unsigned char>(x != x || x < 0 ? 0 : x > 255.f ? 255 : static_cast<int>(x));
}
CUI_TK_HD unsigned short ushortOf(float x) {
  return static_cast<unsigned short>(x != x || x < 0 ? 0 : x > 65535.f ? 65535 : static_cast<int>(x));
}

/// A 64-bit integer as a double that rounds to few bits like the integer itself: odd where inexact.
CUI_TK_HD double oddDouble(unsigned long long i) {
  if (i >> 53 == 0) return static_cast<double>(i);
  const unsigned long long low = (1ull << 11) - 1;
  return static_cast<double>((i & low) != 0 ? (i & ~low) | (low + 1) : i);
}
CUI_TK_HD double oddDouble(long long i) {
  return i < 0 ? -oddDouble(0ull - static_cast<unsigned long long>(i))
               : oddDouble(static_cast<unsigned long long>(i));
}
CUI_TK_HD double oddDouble(int i) {
  return i;
}
CUI_TK_HD double oddDouble(unsigned int i) {
  return i;
}
CUI_TK_HD double oddDouble(short i) {
  return i;
}
CUI_TK_HD double oddDouble(unsigned short i) {
  return i;
}
CUI_TK_HD double oddDouble(long i) {
  return oddDouble(static_cast<long long>(i));
}
CUI_TK_HD double oddDouble(unsigned long i) {
  return oddDouble(static_cast<unsigned long long>(i));
}

}  // namespace toolkit
}  // namespace cui

/// The type itself: `Small` with a pattern in member `cuiRaw`, converting as CUDA's does; also from the other
/// such type.
#define CUI_TK_SMALL_TYPE(T, mantissa, exponent, rawMember, Other)                                          \
  struct Other;                                                                                             \
  struct T {                                                                                                \
    unsigned short rawMember;                                                                               \
    T() = default;                                                                                          \
    __host__ __device__ T(float f) : rawMember(cuiRound(f, ::cui::toolkit::Rounding::nearest)) {}           \
    __host__ __device__ T(double d) : rawMember(cuiRound(d, ::cui::toolkit::Rounding::nearest)) {}          \
    __host__ __device__ T(short i) : T(cuiOfInteger(i, ::cui::toolkit::Rounding::nearest)) {}               \
    __host__ __device__ T(unsigned short i) : T(cuiOfInteger(i, ::cui::toolkit::Rounding::nearest)) {}      \
    __host__ __device__ T(int i) : T(cuiOfInteger(i, ::cui::toolkit::Rounding::nearest)) {}                 \
    __host__ __device__ T(unsigned int i) : T(cuiOfInteger(i, ::cui::toolkit::Rounding::nearest)) {}        \
    __host__ __device__ T(long i) : T(cuiOfInteger(i, ::cui::toolkit::Rounding::nearest)) {}                \
    __host__ __device__ T(unsigned long i) : T(cuiOfInteger(i, ::cui::toolkit::Rounding::nearest)) {}       \
    __host__ __device__ T(long long i) : T(cuiOfInteger(i, ::cui::toolkit::Rounding::nearest)) {}           \
    __host__ __device__ T(unsigned long long i) : T(cuiOfInteger(i, ::cui::toolkit::Rounding::nearest)) {}  \
    __host__ __device__ T(const T##_raw& raw);                                                              \
    explicit __host__ __device__ T(const Other& other);                                                     \
    __host__ __device__ operator T##_raw() const;                                                           \
    __host__ __device__ operator T##_raw() const volatile { return T##_raw{rawMember}; }                    \
    __host__ __device__ operator float() const;                                                             \
    __host__ __device__ operator bool() const { return (rawMember & 0x7fffu) != 0; }                        \
    __host__ __device__ operator char() const { return static_cast<char>(::cui::toolkit::scharOf(*this)); } \
    __host__ __device__ operator signed char() const { return ::cui::toolkit::scharOf(*this); }             \
    __host__ __device__ operator unsigned char() const { return ::cui::toolkit::ucharOf(*this); }           \
    __host__ __device__ operator short() const { return ::cui::toolkit::shortOf(*this); }                   \
    __host__ __device__ operator unsigned short() const { return ::cui::toolkit::ushortOf(*this); }         \
    __host__ __device__ operator int() const { return cuiIntOf(static_cast<float>(*this)); }                \
    __host__ __device__ operator unsigned int() const { return cuiUintOf(static_cast<float>(*this)); }      \
    __host__ __device__ operator long() const { return cuiLongOf(static_cast<float>(*this)); }              \
    __host__ __device__ operator unsigned long() const { return cuiUlongOf(static_cast<float>(*this)); }    \
    __host__ __device__ operator long long() const { return cuiLongOf(static_cast<float>(*this)); }         \
    __host__ __device__ operator unsigned long long() const {                                               \
      return cuiUlongOf(static_cast<float>(*this));                                                         \
    }                                                                                                       \
    __host__ __device__ T& operator=(const T##_raw& raw) {                                                  \
      rawMember = raw.x;                                                                                    \
      return *this;                                                                                         \
    }                                                                                                       \
    __host__ __device__ volatile T& operator=(const T##_raw& raw) volatile {                                \
      rawMember = raw.x;                                                                                    \
      return *this;                                                                                         \
    }                                                                                                       \
    __host__ __device__ volatile T& operator=(const volatile T##_raw& raw) volatile {                       \
      rawMember = raw.x;                                                                                    \
      return *this;                                                                                         \
    }                                                                                                       \
    __host__ __device__ T& operator=(float f) { return *this = T(f); }                                      \
    __host__ __device__ T& operator=(double d) { return *this = T(d); }                                     \
    __host__ __device__ T& operator=(int i) { return *this = T(i); }                                        \
    __host__ __device__ T& operator=(unsigned int i) { return *this = T(i); }                               \
    __host__ __device__ T& operator=(long long i) { return *this = T(i); }                                  \
    __host__ __device__ T& operator=(unsigned long long i) { return *this = T(i); }                         \
    __host__ __device__ unsigned short cuiBits() const { return rawMember; }                                \
    static __host__ __device__ T cuiFromBits(unsigned short bits) {                                         \
      T result;                                                                                             \
      result.rawMember = bits;                                                                              \
      return result;                                                                                        \
    }                                                                                                       \
    static __host__ __device__ unsigned short cuiRound(double d, ::cui::toolkit::Rounding rounding) {       \
      return ::cui::toolkit::smallFloatBits<mantissa, exponent>(d, rounding);                               \
    }                                                                                                       \
    static __host__ __device__ T cuiOf(double d) {                                                          \
      return cuiFromBits(cuiRound(d, ::cui::toolkit::Rounding::nearest));                                   \
    }                                                                                                       \
    template <class I>                                                                                      \
    static __host__ __device__ T cuiOfInteger(I i, ::cui::toolkit::Rounding rounding) {                     \
      return cuiFromBits(cuiRound(::cui::toolkit::oddDouble(i), rounding));                                 \
    }                                                                                                       \
  };
