// CUDA's declaration specifiers, for the two readers of these headers: Clang parsing CUDA (they are
// attributes) and an ordinary C++ compiler building for the CPU backend (a kernel is a plain function,
// shared memory is per worker thread, device variables are plain variables).
#pragma once
#pragma GCC system_header
// Programs test the guard that the toolkit's own header defines.
#define __HOST_DEFINES_H__

#if defined(__clang__) && defined(__CUDA__)
/// Clang parses this translation unit as CUDA; nothing will run from it.
#define CUI_TK_PARSE 1
#else
#define CUI_TK_PARSE 0
/// The program is being built for the CPU backend.
#define CUI_CPU_BACKEND 1
#endif

#if CUI_TK_PARSE

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device)) __attribute__((annotate("cui.managed")))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
/// Kernels tell it themselves when they run (CUI_CLUSTER).
#define __cluster_dims__(...) __attribute__((annotate("cui.cluster_dims", __VA_ARGS__)))
#if __has_attribute(grid_constant)
#define __grid_constant__ __attribute__((grid_constant))
#else
#define __grid_constant__
#endif

#else  // an ordinary C++ compiler

#define __host__
#define __device__
#define __global__
#ifndef __shared__
#define __shared__ thread_local
#endif
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __grid_constant__
// Empty rather than an attribute: libstdc++ spells __attribute__((__noinline__)).
#ifndef __noinline__
#define __noinline__
#endif

#endif

#define __forceinline__ __inline__ __attribute__((always_inline))
#define __inline_hint__
#define __align__(n) __attribute__((aligned(n)))
#define __thread__ __thread
#define __no_return__ __attribute__((noreturn))
#define __maxnreg__(...)
#define __block_size__(...)
#define __nv_pure__
#define __device_builtin__
#define __cudart_builtin__
#define __import__
#define __export__
#define __cdecl
#define _CRTIMP
#define _ACRTIMP
#define CUDARTAPI
#define CUDART_CB
#define CUDART_DEVICE __device__

/// Specifiers of the toolkit's own functions.
#define CUI_TK_DEVICE static __inline__ __attribute__((unused)) __device__
#define CUI_TK_HD static __inline__ __attribute__((unused)) __host__ __device__
#define CUI_TK_HOST static __inline__ __attribute__((unused)) __host__
/// Of one that a program may define again, as nvcc lets it: the program's is no template and goes first.
#define CUI_TK_REPLACEABLE \
  template <class = void>  \
  CUI_TK_HD
