// What nvcc includes before the first line of every CUDA source: the language's specifiers, types,
// device functions and the runtime API with its C++ overloads. Two readers: Clang parsing CUDA
// (CUI_TK_PARSE, no toolkit installed) and the C++ compiler that builds for the CPU backend.
#pragma once
#pragma GCC system_header
// Programs test the guard that the toolkit's own header defines.
#define __CUDA_RUNTIME_H__

#include "host_defines.h"

// Programs branch on these. Clang by itself defines __CUDACC__ as nothing.
#undef __CUDACC__
#define __CUDACC__ 1
#ifndef __NVCC__
#define __NVCC__ 1
#endif
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#define __CUDACC_VER__ "__CUDACC_VER__ is no longer supported"
#endif
#if !CUI_TK_PARSE && !defined(__CUDA_ARCH__)
// There is one compilation for both sides. It takes the device's branches, which are what the rewriter has
// seen: kernels whose body asks for an architecture would otherwise be empty. Host code that calls a
// __host__ __device__ function gets the device's branch too, and can run it.
#define __CUDA_ARCH__ 900
#endif
#ifndef __CUDACC_EXTENDED_LAMBDA__
#define __CUDACC_EXTENDED_LAMBDA__ 1
#endif

// For the libraries that a CUDA toolkit brings as headers (Thrust, libcu++), if the program is shown one:
// their device is the host, and of the small floating-point types they can leave alone what they know from
// inside.
#ifndef THRUST_DEVICE_SYSTEM
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP
#endif
#ifndef CCCL_DISABLE_FP16_SUPPORT
#define CCCL_DISABLE_FP16_SUPPORT 1
#endif
#ifndef CCCL_DISABLE_BF16_SUPPORT
#define CCCL_DISABLE_BF16_SUPPORT 1
#endif
#ifndef CCCL_DISABLE_NVFP8_SUPPORT
#define CCCL_DISABLE_NVFP8_SUPPORT 1
#endif

#include "cuda_host_library.h"

#if __has_include(<Eigen/Core>)
#include "cui_eigen.h"
#endif

#include "cuda_runtime_api.h"
#include "device_functions.h"
#include "dpx_functions.h"
#include "driver_types.h"
#include "math_functions.h"
#include "nv_atomic.h"
#include "simd_functions.h"
#include "texture_functions.h"
#include "unsupported_api.h"
#include "vector_functions.h"
#include "vector_types.h"

#if CUI_TK_PARSE
#include "execution_declarations.h"
#else
#include "../exec.h"
#endif

#include "launch_overloads.h"
#include "runtime_overloads.h"
