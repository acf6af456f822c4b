// Integer, conversion and memory intrinsics: the device functions that need no execution model.
#pragma once
#pragma GCC system_header
// Programs test the guard that the toolkit's own header defines.
#define __DEVICE_FUNCTIONS_H__

#include "cuda_host_library.h"
#include "host_defines.h"
#include "math_functions.h"
#include "vector_types.h"

// --- bits
CUI_TK_REPLACEABLE int __clz(int x) {
  return x == 0 ? 32 : __builtin_clz(static_cast<unsigned int>(x));
}
CUI_TK_REPLACEABLE int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
CUI_TK_REPLACEABLE int __popc(unsigned int x) {
  return __builtin_popcount(x);
}
CUI_TK_REPLACEABLE int __popcll(unsigned long long x) {
  return __builtin_popcountll(x);
}
CUI_TK_REPLACEABLE int __ffs(int x) {
  return __builtin_ffs(x);
}
CUI_TK_REPLACEABLE int __ffsll(long long x) {
  return __builtin_ffsll(x);
}
CUI_TK_REPLACEABLE unsigned int __brev(unsigned int x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
CUI_TK_REPLACEABLE unsigned long long __brevll(unsigned long long x) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned int>(x))) << 32 |
         __brev(static_cast<unsigned int>(x >> 32));
}
/// Byte i of the result is byte `s >> 4 * i & 7` of y:x; nvcc masks what else a selector has, which prmt
/// would take for the byte's sign.
CUI_TK_REPLACEABLE unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s) {
  unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
  unsigned int result = 0;
  for (unsigned int i = 0; i < 4; ++i) {
    unsigned int byte = static_cast<unsigned int>(bytes >> 8 * (s >> 4 * i & 7u)) & 0xffu;
    result |= byte << 8 * i;
  }
  return result;
}
/// The position of the offset-th (negative: counted downwards) set bit at or after `base`; ~0 without one.
CUI_TK_REPLACEABLE unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
  if (offset == 0) return mask >> base & 1u ? base : ~0u;
  int step = offset > 0 ? 1 : -1, left = offset > 0 ? offset : -offset;
  for (int i = static_cast<int>(base); i >= 0 && i < 32; i += step)
    if (mask >> i & 1u && --left == 0) return static_cast<unsigned int>(i);
  return ~0u;
}
CUI_TK_REPLACEABLE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
  unsigned long long v = static_cast<unsigned long long>(high) << 32 | low;
  return static_cast<unsigned int>(v << (shift & 31u) >> 32);
}
CUI_TK_REPLACEABLE unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
  unsigned long long v = static_cast<unsigned long long>(high) << 32 | low;
  return static_cast<unsigned int>(v << (shift < 32u ? shift : 32u) >> 32);
}
CUI_TK_REPLACEABLE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(high) << 32 | low) >> (shift & 31u));
}
CUI_TK_REPLACEABLE unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(high) << 32 | low) >>
                                   (shift < 32u ? shift : 32u));
}

// --- integer arithmetic
CUI_TK_REPLACEABLE int __mulhi(int a, int b) {
  return static_cast<int>((static_cast<long long>(a) * b) >> 32);
}
CUI_TK_REPLACEABLE unsigned int __umulhi(unsigned int a, unsigned int b) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(a) * b) >> 32);
}
CUI_TK_REPLACEABLE long long __mul64hi(long long a, long long b) {
  return static_cast<long long>((static_cast<__int128>(a) * b) >> 64);
}
CUI_TK_REPLACEABLE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b) >> 64);
}
CUI_TK_REPLACEABLE int mulhi(int a, int b) {
  return __mulhi(a, b);
}
CUI_TK_REPLACEABLE unsigned int umulhi(unsigned int a, unsigned int b) {
  return __umulhi(a, b);
}
CUI_TK_REPLACEABLE unsigned int __umul24(unsigned int a, unsigned int b) {
  return (a & 0xffffffu) * (b & 0xffffffu);
}
/// The low 32 bits of the product of the sign-extended low 24 bits.
CUI_TK_REPLACEABLE int __mul24(int a, int b) {
  long long x = static_cast<int>(static_cast<unsigned int>(a) << 8) >> 8;
  long long y = static_cast<int>(static_cast<unsigned int>(b) << 8) >> 8;
  return static_cast<int>(static_cast<unsigned int>(static_cast<unsigned long long>(x * y)));
}
CUI_TK_REPLACEABLE int mul24(int a, int b) {
  return __mul24(a, b);
}
CUI_TK_REPLACEABLE unsigned int umul24(unsigned int a, unsigned int b) {
  return __umul24(a, b);
}
CUI_TK_REPLACEABLE unsigned int __sad(int a, int b, unsigned int c) {
  return c + (a > b ? static_cast<unsigned int>(a) - static_cast<unsigned int>(b)
                    : static_cast<unsigned int>(b) - static_cast<unsigned int>(a));
}
CUI_TK_REPLACEABLE unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) {
  return c + (a > b ? a - b : b - a);
}
CUI_TK_REPLACEABLE int __hadd(int a, int b) {
  return static_cast<int>((static_cast<long long>(a) + b) >> 1);
}
CUI_TK_REPLACEABLE int __rhadd(int a, int b) {
  return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1);
}
CUI_TK_REPLACEABLE unsigned int __uhadd(unsigned int a, unsigned int b) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(a) + b) >> 1);
}
CUI_TK_REPLACEABLE unsigned int __urhadd(unsigned int a, unsigned int b) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(a) + b + 1) >> 1);
}

// --- dot products of packed bytes and halfwords
#define CUI_TK_DP4A(R, A, B, AE, BE)                                            \
  CUI_TK_HD R __dp4a(A a, B b, R c) {                                           \
    for (int i = 0; i < 32; i += 8)                                             \
      c += static_cast<R>(static_cast<AE>(static_cast<unsigned int>(a) >> i)) * \
           static_cast<R>(static_cast<BE>(static_cast<unsigned int>(b) >> i));  \
    return c;                                                                   \
  }
CUI_TK_DP4A(int, int, int, signed char, signed char)
CUI_TK_DP4A(unsigned int, unsigned int, unsigned int, unsigned char, unsigned char)
#undef CUI_TK_DP4A
#define CUI_TK_DP2A(name, offset, T, AE, BE)                                                  \
  CUI_TK_HD T name(T a, T b, T c) {                                                           \
    for (int i = 0; i < 2; ++i)                                                               \
      c += static_cast<T>(static_cast<AE>(static_cast<unsigned int>(a) >> 16 * i)) *          \
           static_cast<T>(static_cast<BE>(static_cast<unsigned int>(b) >> (offset + 8 * i))); \
    return c;                                                                                 \
  }
CUI_TK_DP2A(__dp2a_lo, 0, int, short, signed char)
CUI_TK_DP2A(__dp2a_hi, 16, int, short, signed char)
CUI_TK_DP2A(__dp2a_lo, 0, unsigned int, unsigned short, unsigned char)
CUI_TK_DP2A(__dp2a_hi, 16, unsigned int, unsigned short, unsigned char)
#undef CUI_TK_DP2A

// --- reinterpretation
#define CUI_TK_BITS(name, To, From)            \
  CUI_TK_REPLACEABLE To name(From x) {         \
    To result;                                 \
    __builtin_memcpy(&result, &x, sizeof(To)); \
    return result;                             \
  }
CUI_TK_BITS(__float_as_int, int, float)
CUI_TK_BITS(__float_as_uint, unsigned int, float)
CUI_TK_BITS(__int_as_float, float, int)
CUI_TK_BITS(__uint_as_float, float, unsigned int)
CUI_TK_BITS(__double_as_longlong, long long, double)
CUI_TK_BITS(__longlong_as_double, double, long long)
#undef CUI_TK_BITS
#define float_as_int __float_as_int
#define int_as_float __int_as_float
CUI_TK_REPLACEABLE int __double2hiint(double x) {
  return static_cast<int>(__double_as_longlong(x) >> 32);
}
CUI_TK_REPLACEABLE int __double2loint(double x) {
  return static_cast<int>(__double_as_longlong(x));
}
CUI_TK_REPLACEABLE double __hiloint2double(int hi, int lo) {
  return __longlong_as_double(static_cast<long long>(
      static_cast<unsigned long long>(static_cast<unsigned int>(hi)) << 32 | static_cast<unsigned int>(lo)));
}

// --- floating point to integer: out of range saturates, NaN gives 0 (the 64-bit forms: the lowest value's
// pattern)
#define CUI_TK_SATURATE(name, I, F, low, high, nan) \
  CUI_TK_HD I name(F x) {                           \
    if (x != x) return nan;                         \
    if (x <= static_cast<F>(low)) return low;       \
    if (x >= static_cast<F>(high)) return high;     \
    return static_cast<I>(x);                       \
  }
CUI_TK_SATURATE(cuiIntOf, int, float, (-2147483647 - 1), 2147483647, 0)
CUI_TK_SATURATE(cuiUintOf, unsigned int, float, 0u, 4294967295u, 0u)
CUI_TK_SATURATE(cuiLongOf, long long, float, (-9223372036854775807LL - 1), 9223372036854775807LL,
                (-9223372036854775807LL - 1))
CUI_TK_SATURATE(cuiUlongOf, unsigned long long, float, 0ull, 18446744073709551615ull, 0x8000000000000000ull)
CUI_TK_SATURATE(cuiIntOf, int, double, (-2147483647 - 1), 2147483647, (-2147483647 - 1))
CUI_TK_SATURATE(cuiUintOf, unsigned int, double, 0u, 4294967295u, 0x80000000u)
CUI_TK_SATURATE(cuiLongOf, long long, double, (-9223372036854775807LL - 1), 9223372036854775807LL,
                (-9223372036854775807LL - 1))
CUI_TK_SATURATE(cuiUlongOf, unsigned long long, double, 0ull, 18446744073709551615ull, 0x8000000000000000ull)
#undef CUI_TK_SATURATE
#define CUI_TK_TO_INTEGER(prefix, name, I, F, convert) \
  CUI_TK_HD I __##prefix##2##name##_rn(F x) {          \
    return convert(::nearbyint(x));                    \
  }                                                    \
  CUI_TK_HD I __##prefix##2##name##_rz(F x) {          \
    return convert(::trunc(x));                        \
  }                                                    \
  CUI_TK_HD I __##prefix##2##name##_ru(F x) {          \
    return convert(::ceil(x));                         \
  }                                                    \
  CUI_TK_HD I __##prefix##2##name##_rd(F x) {          \
    return convert(::floor(x));                        \
  }
CUI_TK_TO_INTEGER(float, int, int, float, cuiIntOf)
CUI_TK_TO_INTEGER(float, uint, unsigned int, float, cuiUintOf)
CUI_TK_TO_INTEGER(float, ll, long long, float, cuiLongOf)
CUI_TK_TO_INTEGER(float, ull, unsigned long long, float, cuiUlongOf)
CUI_TK_TO_INTEGER(double, int, int, double, cuiIntOf)
CUI_TK_TO_INTEGER(double, uint, unsigned int, double, cuiUintOf)
CUI_TK_TO_INTEGER(double, ll, long long, double, cuiLongOf)
CUI_TK_TO_INTEGER(double, ull, unsigned long long, double, cuiUlongOf)
#undef CUI_TK_TO_INTEGER

// --- integer to floating point, and double to float
CUI_TK_HD double __int2double_rn(int x) {
  return x;
}
CUI_TK_HD double __uint2double_rn(unsigned int x) {
  return x;
}
#define CUI_TK_FROM_INTEGER(r, floatOf, floatOfU, doubleOf, doubleOfU, narrow) \
  CUI_TK_HD float __int2float_##r(int x) {                                     \
    return floatOf(x);                                                         \
  }                                                                            \
  CUI_TK_HD float __uint2float_##r(unsigned int x) {                           \
    return floatOfU(x);                                                        \
  }                                                                            \
  CUI_TK_HD float __ll2float_##r(long long x) {                                \
    return floatOf(x);                                                         \
  }                                                                            \
  CUI_TK_HD float __ull2float_##r(unsigned long long x) {                      \
    return floatOfU(x);                                                        \
  }                                                                            \
  CUI_TK_HD double __ll2double_##r(long long x) {                              \
    return doubleOf(x);                                                        \
  }                                                                            \
  CUI_TK_HD double __ull2double_##r(unsigned long long x) {                    \
    return doubleOfU(x);                                                       \
  }                                                                            \
  CUI_TK_HD float __double2float_##r(double x) {                               \
    return narrow(x);                                                          \
  }
CUI_TK_FROM_INTEGER(rn, static_cast<float>, static_cast<float>, static_cast<double>, static_cast<double>,
                    static_cast<float>)
CUI_TK_FROM_INTEGER(rz, cuiFloatOfInt64_rz, cuiFloatOfUint64_rz, cuiDoubleOfInt64_rz, cuiDoubleOfUint64_rz,
                    cuiFloatOfDouble_rz)
CUI_TK_FROM_INTEGER(ru, cuiFloatOfInt64_ru, cuiFloatOfUint64_ru, cuiDoubleOfInt64_ru, cuiDoubleOfUint64_ru,
                    cuiFloatOfDouble_ru)
CUI_TK_FROM_INTEGER(rd, cuiFloatOfInt64_rd, cuiFloatOfUint64_rd, cuiDoubleOfInt64_rd, cuiDoubleOfUint64_rd,
                    cuiFloatOfDouble_rd)
#undef CUI_TK_FROM_INTEGER

// --- loads and stores with a cache hint: plain accesses
#define CUI_TK_LOAD(name)                  \
  template <class T>                       \
  CUI_TK_DEVICE T name(const T* pointer) { \
    return *pointer;                       \
  }
CUI_TK_LOAD(__ldg)
CUI_TK_LOAD(__ldca)
CUI_TK_LOAD(__ldcg)
CUI_TK_LOAD(__ldcs)
CUI_TK_LOAD(__ldlu)
CUI_TK_LOAD(__ldcv)
#undef CUI_TK_LOAD
#define CUI_TK_STORE(name)                                                             \
  template <class T>                                                                   \
  CUI_TK_DEVICE void name(T* pointer, typename std::remove_reference<T>::type value) { \
    *pointer = value;                                                                  \
  }
CUI_TK_STORE(__stwb)
CUI_TK_STORE(__stcg)
CUI_TK_STORE(__stcs)
CUI_TK_STORE(__stwt)
#undef CUI_TK_STORE

#ifndef __clang__
#define __builtin_assume(condition) ((void)0)
#endif
#define __assume(condition) __builtin_assume(condition)
#define __nv_associate_access_property(pointer, property) (pointer)
