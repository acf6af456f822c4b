// cuRAND's device functions are code in the toolkit's own headers, which serve here, too, where the program
// sees them (-I/usr/local/cuda/include): its numbers are those of a GPU. Without them, it is told so.
#pragma once
#pragma GCC system_header

#if !__has_include_next(<curand_kernel.h>) || !__has_include(<nv/target>)
#ifdef __HOST_DEFINES_H__
#error \
    "cuinstrument: curand_kernel.h (cuRAND) needs the toolkit's headers on the CPU backend: add -I/usr/local/cuda/include"
#endif
#else
#include <library_types.h>
#include <nv/target>

#include "cuda_runtime.h"

// Of the toolkit's host_defines.h, whose place ours has.
#ifndef __NV_SILENCE_DEPRECATION_BEGIN
#define __NV_SILENCE_DEPRECATION_BEGIN
#define __NV_SILENCE_DEPRECATION_END
#endif

namespace cui {
namespace toolkit {

/// What one instruction of its inline assembly computes: `rsqrt.approx.f32.ftz %0, %1;`, in quotes.
__host__ __device__ inline float curandApproximation(const char* text, float x) {
  switch (text[1]) {
    case 'e':  // ex2
      return exp2f(x);
    case 'l':  // lg2
      return log2f(x);
    default:
      return text[2] == 's' ? 1 / sqrtf(x) : 1 / x;  // rsqrt, rcp
  }
}

}  // namespace toolkit
}  // namespace cui

// All of the program is device code here; <nv/target> asks the compiler.
#pragma push_macro("_NV_TARGET_BOOL___NV_IS_HOST")
#pragma push_macro("_NV_TARGET_BOOL___NV_IS_DEVICE")
#pragma push_macro("_NV_TARGET_BOOL___NV_PROVIDES_SM_35")
#pragma push_macro("_NV_TARGET_BOOL___NV_PROVIDES_SM_61")
#pragma push_macro("asm")
#undef _NV_TARGET_BOOL___NV_IS_HOST
#undef _NV_TARGET_BOOL___NV_IS_DEVICE
#undef _NV_TARGET_BOOL___NV_PROVIDES_SM_35
#undef _NV_TARGET_BOOL___NV_PROVIDES_SM_61
#undef asm
#define _NV_TARGET_BOOL___NV_IS_HOST 0
#define _NV_TARGET_BOOL___NV_IS_DEVICE 1
#define _NV_TARGET_BOOL___NV_PROVIDES_SM_35 1
#define _NV_TARGET_BOOL___NV_PROVIDES_SM_61 1
// Its statements, by the commas between their operands: r = a * b + c; r = a * b; a = f(a).
#define asm(...) \
  CUI_TK_CURAND_PICK(__VA_ARGS__, CUI_TK_CURAND_SUM, CUI_TK_CURAND_PRODUCT, CUI_TK_CURAND_ONE)(__VA_ARGS__)
#define CUI_TK_CURAND_PICK(a, b, c, name, ...) name
#define CUI_TK_CURAND_SUM(...) r = static_cast<unsigned long long>(a) * b + c
#define CUI_TK_CURAND_PRODUCT(...) r = static_cast<unsigned long long>(a) * b
#define CUI_TK_CURAND_ONE(...) a = ::cui::toolkit::curandApproximation(#__VA_ARGS__, a)
#include_next <curand_kernel.h>
#undef CUI_TK_CURAND_PICK
#undef CUI_TK_CURAND_SUM
#undef CUI_TK_CURAND_PRODUCT
#undef CUI_TK_CURAND_ONE
#pragma pop_macro("asm")
#pragma pop_macro("_NV_TARGET_BOOL___NV_PROVIDES_SM_61")
#pragma pop_macro("_NV_TARGET_BOOL___NV_PROVIDES_SM_35")
#pragma pop_macro("_NV_TARGET_BOOL___NV_IS_DEVICE")
#pragma pop_macro("_NV_TARGET_BOOL___NV_IS_HOST")
#endif
