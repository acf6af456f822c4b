// The C and C++ library headers that device code may call into without including them, as nvcc's
// prefix header arranges. For Clang's CUDA parse their functions become callable from device code.
#pragma once
#pragma GCC system_header

#include "host_defines.h"

#if CUI_TK_PARSE
// libstdc++'s <math.h> and <stdlib.h> then give way to the C library's own: C++ templates would not
// survive being marked.
#pragma push_macro("_GLIBCXX_INCLUDE_NEXT_C_HEADERS")
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#pragma clang force_cuda_host_device begin
#endif

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if CUI_TK_PARSE && __has_include(<malloc.h>)
#include <malloc.h>  // it declares some of <stdlib.h> again, which must not differ if a program includes it
#endif

// The C library declares these names (its own, not exported); devlib/cpu/runtime/fast_math.cpp defines
// them as CUDA's fast intrinsics.
extern "C" {
float __sinf(float x) noexcept;
float __cosf(float x) noexcept;
float __tanf(float x) noexcept;
float __tanhf(float x) noexcept;
void __sincosf(float x, float* s, float* c) noexcept;
float __expf(float x) noexcept;
float __exp10f(float x) noexcept;
float __logf(float x) noexcept;
float __log2f(float x) noexcept;
float __log10f(float x) noexcept;
float __powf(float x, float y) noexcept;
}

#if CUI_TK_PARSE
#pragma clang force_cuda_host_device end
#pragma pop_macro("_GLIBCXX_INCLUDE_NEXT_C_HEADERS")
#include <assert.h>
extern "C" __device__ __attribute__((noreturn)) void __assert_fail(const char*, const char*, unsigned int,
                                                                   const char*) noexcept;
#endif

// The overloads for float, in std and in the global namespace.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>
