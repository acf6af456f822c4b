// CUDA's mathematical functions that the C++ library lacks. The library's own (sinf, pow, fma, …) come
// from <cmath>, whose overloads cuda_runtime.h makes visible in the global namespace. Fast intrinsics
// (__expf, …) compute the accurate result. Results may differ from a GPU's in the last places.
#pragma once
#pragma GCC system_header
// Programs test the guard that the toolkit's own header defines.
#define __MATH_FUNCTIONS_H__

#include "cuda_host_library.h"
#include "host_defines.h"
#include "vector_types.h"

// --- rounding modes other than to nearest: devlib/cpu/runtime/rounding.cpp
// Suffix: z towards zero, u up, d down.
#define CUI_TK_ROUNDED(r)                                                             \
  __host__ __device__ float cuiAddFloat_##r(float a, float b) noexcept;               \
  __host__ __device__ float cuiMulFloat_##r(float a, float b) noexcept;               \
  __host__ __device__ float cuiFmaFloat_##r(float a, float b, float c) noexcept;      \
  __host__ __device__ float cuiDivFloat_##r(float a, float b) noexcept;               \
  __host__ __device__ float cuiSqrtFloat_##r(float a) noexcept;                       \
  __host__ __device__ double cuiAddDouble_##r(double a, double b) noexcept;           \
  __host__ __device__ double cuiMulDouble_##r(double a, double b) noexcept;           \
  __host__ __device__ double cuiFmaDouble_##r(double a, double b, double c) noexcept; \
  __host__ __device__ double cuiDivDouble_##r(double a, double b) noexcept;           \
  __host__ __device__ double cuiSqrtDouble_##r(double a) noexcept;                    \
  __host__ __device__ float cuiFloatOfDouble_##r(double a) noexcept;                  \
  __host__ __device__ float cuiFloatOfInt64_##r(long long a) noexcept;                \
  __host__ __device__ float cuiFloatOfUint64_##r(unsigned long long a) noexcept;      \
  __host__ __device__ double cuiDoubleOfInt64_##r(long long a) noexcept;              \
  __host__ __device__ double cuiDoubleOfUint64_##r(unsigned long long a) noexcept;
extern "C" {
CUI_TK_ROUNDED(rz)
CUI_TK_ROUNDED(ru)
CUI_TK_ROUNDED(rd)
// Special functions, in double precision: devlib/cpu/runtime/special_functions.cpp
__host__ __device__ double cuiErfinv(double x) noexcept;
__host__ __device__ double cuiErfcinv(double x) noexcept;
__host__ __device__ double cuiErfcx(double x) noexcept;
__host__ __device__ double cuiNormcdf(double x) noexcept;
__host__ __device__ double cuiNormcdfinv(double x) noexcept;
__host__ __device__ double cuiBesselI0(double x) noexcept;
__host__ __device__ double cuiBesselI1(double x) noexcept;
__host__ __device__ double cuiSinpi(double x) noexcept;
__host__ __device__ double cuiCospi(double x) noexcept;
}
#undef CUI_TK_ROUNDED

// --- min and max, with the overloads that device code has
#define CUI_TK_MINMAX(T, A, B)                                                            \
  CUI_TK_HD T min(A a, B b) {                                                             \
    return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(a) : static_cast<T>(b); \
  }                                                                                       \
  CUI_TK_HD T max(A a, B b) {                                                             \
    return static_cast<T>(a) > static_cast<T>(b) ? static_cast<T>(a) : static_cast<T>(b); \
  }
#define CUI_TK_MINMAX_MIXED(T, U) \
  CUI_TK_MINMAX(T, T, T) CUI_TK_MINMAX(U, U, U) CUI_TK_MINMAX(U, T, U) CUI_TK_MINMAX(U, U, T)
CUI_TK_MINMAX_MIXED(int, unsigned int)
CUI_TK_MINMAX_MIXED(long int, unsigned long int)
CUI_TK_MINMAX_MIXED(long long int, unsigned long long int)
#undef CUI_TK_MINMAX_MIXED
#undef CUI_TK_MINMAX
// As fmin and fmax: a NaN loses against a number.
CUI_TK_HD float min(float a, float b) {
  return ::fminf(a, b);
}
CUI_TK_HD float max(float a, float b) {
  return ::fmaxf(a, b);
}
CUI_TK_HD double min(double a, double b) {
  return ::fmin(a, b);
}
CUI_TK_HD double max(double a, double b) {
  return ::fmax(a, b);
}
CUI_TK_HD double min(float a, double b) {
  return ::fmin(static_cast<double>(a), b);
}
CUI_TK_HD double max(float a, double b) {
  return ::fmax(static_cast<double>(a), b);
}
CUI_TK_HD double min(double a, float b) {
  return ::fmin(a, static_cast<double>(b));
}
CUI_TK_HD double max(double a, float b) {
  return ::fmax(a, static_cast<double>(b));
}
CUI_TK_HD unsigned int umin(unsigned int a, unsigned int b) {
  return a < b ? a : b;
}
CUI_TK_HD unsigned int umax(unsigned int a, unsigned int b) {
  return a > b ? a : b;
}
CUI_TK_HD long long llmin(long long a, long long b) {
  return a < b ? a : b;
}
CUI_TK_HD long long llmax(long long a, long long b) {
  return a > b ? a : b;
}
CUI_TK_HD unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return a < b ? a : b;
}
CUI_TK_HD unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return a > b ? a : b;
}

// --- functions under their double, float and overloaded names
#define CUI_TK_MATH1(name, ...)             \
  CUI_TK_HD double name(double x) {         \
    return __VA_ARGS__;                     \
  }                                         \
  CUI_TK_HD float name##f(float v) {        \
    double x = v;                           \
    return static_cast<float>(__VA_ARGS__); \
  }                                         \
  CUI_TK_HD float name(float v) {           \
    return name##f(v);                      \
  }
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 41)
#define CUI_TK_LIBRARY_HAS_C23 1
#else
#define CUI_TK_LIBRARY_HAS_C23 0
#endif
#if CUI_TK_LIBRARY_HAS_C23
// C23 names that the C library declares; only the float overloads of the short names are ours.
CUI_TK_HD float rsqrt(float x) {
  return ::rsqrtf(x);
}
CUI_TK_HD float sinpi(float x) {
  return ::sinpif(x);
}
CUI_TK_HD float cospi(float x) {
  return ::cospif(x);
}
#else
CUI_TK_HD double rsqrt(double x) {
  return 1.0 / ::sqrt(x);
}
CUI_TK_HD float rsqrtf(float x) {
  return static_cast<float>(1.0 / ::sqrt(static_cast<double>(x)));
}
CUI_TK_HD float rsqrt(float x) {
  return rsqrtf(x);
}
CUI_TK_MATH1(sinpi, cuiSinpi(x))
CUI_TK_MATH1(cospi, cuiCospi(x))
#endif
CUI_TK_MATH1(rcbrt, 1.0 / ::cbrt(x))
CUI_TK_MATH1(erfinv, cuiErfinv(x))
CUI_TK_MATH1(erfcinv, cuiErfcinv(x))
CUI_TK_MATH1(erfcx, cuiErfcx(x))
CUI_TK_MATH1(normcdf, cuiNormcdf(x))
CUI_TK_MATH1(normcdfinv, cuiNormcdfinv(x))
CUI_TK_MATH1(cyl_bessel_i0, cuiBesselI0(x))
CUI_TK_MATH1(cyl_bessel_i1, cuiBesselI1(x))
#undef CUI_TK_MATH1
#ifdef __GLIBC__
CUI_TK_HD float exp10(float x) {
  return ::exp10f(x);
}
CUI_TK_HD void sincos(float x, float* s, float* c) {
  ::sincosf(x, s, c);
}
#endif
CUI_TK_HD float j0(float x) {
  return ::j0f(x);
}
CUI_TK_HD float j1(float x) {
  return ::j1f(x);
}
CUI_TK_HD float jn(int n, float x) {
  return ::jnf(n, x);
}
CUI_TK_HD float y0(float x) {
  return ::y0f(x);
}
CUI_TK_HD float y1(float x) {
  return ::y1f(x);
}
CUI_TK_HD float yn(int n, float x) {
  return ::ynf(n, x);
}
CUI_TK_HD void sincospi(double x, double* s, double* c) {
  *s = sinpi(x), *c = cospi(x);
}
CUI_TK_HD void sincospif(float x, float* s, float* c) {
  *s = sinpif(x), *c = cospif(x);
}
CUI_TK_HD void sincospi(float x, float* s, float* c) {
  sincospif(x, s, c);
}
CUI_TK_HD float fdividef(float x, float y) {
  return x / y;
}
CUI_TK_HD double fdivide(double x, double y) {
  return x / y;
}
CUI_TK_HD float fdivide(float x, float y) {
  return x / y;
}

// --- norms
CUI_TK_HD double norm3d(double a, double b, double c) {
  return ::hypot(::hypot(a, b), c);
}
CUI_TK_HD double norm4d(double a, double b, double c, double d) {
  return ::hypot(::hypot(a, b), ::hypot(c, d));
}
CUI_TK_HD double rhypot(double a, double b) {
  return 1.0 / ::hypot(a, b);
}
CUI_TK_HD double rnorm3d(double a, double b, double c) {
  return 1.0 / norm3d(a, b, c);
}
CUI_TK_HD double rnorm4d(double a, double b, double c, double d) {
  return 1.0 / norm4d(a, b, c, d);
}
CUI_TK_HD double norm(int n, const double* p) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum = ::hypot(sum, p[i]);
  return sum;
}
CUI_TK_HD double rnorm(int n, const double* p) {
  return 1.0 / norm(n, p);
}
CUI_TK_HD float norm3df(float a, float b, float c) {
  return static_cast<float>(norm3d(a, b, c));
}
CUI_TK_HD float norm4df(float a, float b, float c, float d) {
  return static_cast<float>(norm4d(a, b, c, d));
}
CUI_TK_HD float rhypotf(float a, float b) {
  return static_cast<float>(rhypot(static_cast<double>(a), static_cast<double>(b)));
}
CUI_TK_HD float rnorm3df(float a, float b, float c) {
  return static_cast<float>(rnorm3d(a, b, c));
}
CUI_TK_HD float rnorm4df(float a, float b, float c, float d) {
  return static_cast<float>(rnorm4d(a, b, c, d));
}
CUI_TK_HD float normf(int n, const float* p) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(p[i]) * p[i];
  return static_cast<float>(::sqrt(sum));
}
CUI_TK_HD float rnormf(int n, const float* p) {
  return 1.0f / normf(n, p);
}

// --- fast intrinsics that the C library does not declare (the others: cuda_host_library.h)
CUI_TK_HD float __fdividef(float x, float y) {
  return y > 8.507059173023461586e37f && y < __builtin_inff()
             ? (x != x ? x : (x > 3.402823466e38f || x < -3.402823466e38f ? x * 0.0f : 0.0f))
             : x / y;
}
CUI_TK_HD float __saturatef(float x) {
  return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}
CUI_TK_HD float __frsqrt_rn(float x) {
  return static_cast<float>(1.0 / ::sqrt(static_cast<double>(x)));
}

// --- arithmetic with a named rounding mode
CUI_TK_HD float __fadd_rn(float a, float b) {
  return a + b;
}
CUI_TK_HD float __fsub_rn(float a, float b) {
  return a - b;
}
CUI_TK_HD float __fmul_rn(float a, float b) {
  return a * b;
}
CUI_TK_HD float __fmaf_rn(float a, float b, float c) {
  return ::fmaf(a, b, c);
}
CUI_TK_HD float __fdiv_rn(float a, float b) {
  return a / b;
}
CUI_TK_HD float __frcp_rn(float a) {
  return 1.0f / a;
}
CUI_TK_HD float __fsqrt_rn(float a) {
  return ::sqrtf(a);
}
CUI_TK_HD double __dadd_rn(double a, double b) {
  return a + b;
}
CUI_TK_HD double __dsub_rn(double a, double b) {
  return a - b;
}
CUI_TK_HD double __dmul_rn(double a, double b) {
  return a * b;
}
CUI_TK_HD double __fma_rn(double a, double b, double c) {
  return ::fma(a, b, c);
}
CUI_TK_HD double __ddiv_rn(double a, double b) {
  return a / b;
}
CUI_TK_HD double __drcp_rn(double a) {
  return 1.0 / a;
}
CUI_TK_HD double __dsqrt_rn(double a) {
  return ::sqrt(a);
}
#define CUI_TK_ARITHMETIC(r)                                 \
  CUI_TK_HD float __fadd_##r(float a, float b) {             \
    return cuiAddFloat_##r(a, b);                            \
  }                                                          \
  CUI_TK_HD float __fsub_##r(float a, float b) {             \
    return cuiAddFloat_##r(a, -b);                           \
  }                                                          \
  CUI_TK_HD float __fmul_##r(float a, float b) {             \
    return cuiMulFloat_##r(a, b);                            \
  }                                                          \
  CUI_TK_HD float __fmaf_##r(float a, float b, float c) {    \
    return cuiFmaFloat_##r(a, b, c);                         \
  }                                                          \
  CUI_TK_HD float __fdiv_##r(float a, float b) {             \
    return cuiDivFloat_##r(a, b);                            \
  }                                                          \
  CUI_TK_HD float __frcp_##r(float a) {                      \
    return cuiDivFloat_##r(1.0f, a);                         \
  }                                                          \
  CUI_TK_HD float __fsqrt_##r(float a) {                     \
    return cuiSqrtFloat_##r(a);                              \
  }                                                          \
  CUI_TK_HD double __dadd_##r(double a, double b) {          \
    return cuiAddDouble_##r(a, b);                           \
  }                                                          \
  CUI_TK_HD double __dsub_##r(double a, double b) {          \
    return cuiAddDouble_##r(a, -b);                          \
  }                                                          \
  CUI_TK_HD double __dmul_##r(double a, double b) {          \
    return cuiMulDouble_##r(a, b);                           \
  }                                                          \
  CUI_TK_HD double __fma_##r(double a, double b, double c) { \
    return cuiFmaDouble_##r(a, b, c);                        \
  }                                                          \
  CUI_TK_HD double __ddiv_##r(double a, double b) {          \
    return cuiDivDouble_##r(a, b);                           \
  }                                                          \
  CUI_TK_HD double __drcp_##r(double a) {                    \
    return cuiDivDouble_##r(1.0, a);                         \
  }                                                          \
  CUI_TK_HD double __dsqrt_##r(double a) {                   \
    return cuiSqrtDouble_##r(a);                             \
  }
CUI_TK_ARITHMETIC(rz)
CUI_TK_ARITHMETIC(ru)
CUI_TK_ARITHMETIC(rd)
#undef CUI_TK_ARITHMETIC
