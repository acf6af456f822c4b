// What kernels use of the execution model, declared for Clang's CUDA parse. The CPU backend defines the
// same names in ../exec.h, for the compiler that builds the program.
#pragma once
#pragma GCC system_header

#include "host_defines.h"
#include "vector_types.h"

#if CUI_TK_PARSE

// threadIdx, blockIdx, blockDim, gridDim and warpSize, as Clang models them with a toolkit too.
#include <__clang_cuda_builtin_vars.h>

extern "C" {
__device__ void __syncthreads();
__device__ int __syncthreads_count(int predicate);
__device__ int __syncthreads_and(int predicate);
__device__ int __syncthreads_or(int predicate);
__device__ void __syncwarp(unsigned int mask = 0xffffffffu);
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __threadfence_system();
__device__ unsigned int __activemask();
__device__ int __all_sync(unsigned int mask, int predicate);
__device__ int __any_sync(unsigned int mask, int predicate);
__device__ int __uni_sync(unsigned int mask, int predicate);
__device__ unsigned int __ballot_sync(unsigned int mask, int predicate);
__device__ void __nanosleep(unsigned int nanoseconds);
__device__ void cudaGridDependencySynchronize();
__device__ void cudaTriggerProgrammaticLaunchCompletion();
__device__ long long clock64();
__device__ void __trap();
__device__ void __brkpt();
__device__ void __cluster_barrier_arrive();
__device__ void __cluster_barrier_arrive_relaxed();
__device__ void __cluster_barrier_wait();
__device__ unsigned int __clusterDimIsSpecified();
__device__ dim3 __clusterDim();
__device__ dim3 __clusterRelativeBlockIdx();
__device__ dim3 __clusterGridDimInClusters();
__device__ dim3 __clusterIdx();
__device__ unsigned int __clusterRelativeBlockRank();
__device__ unsigned int __clusterSizeInBlocks();
__device__ void* __cluster_map_shared_rank(const void* address, unsigned int rank);
__device__ unsigned int __cluster_query_shared_rank(const void* address);
__device__ unsigned int __isGlobal(const void* pointer);
__device__ unsigned int __isShared(const void* pointer);
__device__ unsigned int __isConstant(const void* pointer);
__device__ unsigned int __isLocal(const void* pointer);
__device__ unsigned int __isGridConstant(const void* pointer);
__device__ __SIZE_TYPE__ __cvta_generic_to_global(const void* pointer);
__device__ __SIZE_TYPE__ __cvta_generic_to_shared(const void* pointer);
__device__ __SIZE_TYPE__ __cvta_generic_to_local(const void* pointer);
__device__ __SIZE_TYPE__ __cvta_generic_to_constant(const void* pointer);
__device__ void* __cvta_global_to_generic(__SIZE_TYPE__ address);
__device__ void* __cvta_shared_to_generic(__SIZE_TYPE__ address);
__device__ void* __cvta_local_to_generic(__SIZE_TYPE__ address);
__device__ void* __cvta_constant_to_generic(__SIZE_TYPE__ address);
__device__ void __prof_trigger(int counter);
}

// --- shuffles, matches and reductions
#define CUI_TK_SHUFFLE(T)                                                                        \
  __device__ T __shfl_sync(unsigned int mask, T value, int lane, int width = 32);                \
  __device__ T __shfl_up_sync(unsigned int mask, T value, unsigned int delta, int width = 32);   \
  __device__ T __shfl_down_sync(unsigned int mask, T value, unsigned int delta, int width = 32); \
  __device__ T __shfl_xor_sync(unsigned int mask, T value, int laneMask, int width = 32);
#define CUI_TK_MATCH(T)                                                 \
  CUI_TK_SHUFFLE(T)                                                     \
  __device__ unsigned int __match_any_sync(unsigned int mask, T value); \
  __device__ unsigned int __match_all_sync(unsigned int mask, T value, int* predicate);
CUI_TK_MATCH(int)
CUI_TK_MATCH(unsigned int)
CUI_TK_MATCH(long int)
CUI_TK_MATCH(unsigned long int)
CUI_TK_MATCH(long long int)
CUI_TK_MATCH(unsigned long long int)
CUI_TK_MATCH(float)
CUI_TK_MATCH(double)
#undef CUI_TK_MATCH
#define CUI_TK_REDUCE(T)                                      \
  __device__ T __reduce_add_sync(unsigned int mask, T value); \
  __device__ T __reduce_min_sync(unsigned int mask, T value); \
  __device__ T __reduce_max_sync(unsigned int mask, T value);
CUI_TK_REDUCE(int)
CUI_TK_REDUCE(unsigned int)
#undef CUI_TK_REDUCE
__device__ unsigned int __reduce_and_sync(unsigned int mask, unsigned int value);
__device__ unsigned int __reduce_or_sync(unsigned int mask, unsigned int value);
__device__ unsigned int __reduce_xor_sync(unsigned int mask, unsigned int value);

// --- what Clang makes of a launch from device code
extern "C" {
__device__ void* cudaGetParameterBuffer(size_t alignment, size_t size);
__device__ cudaError_t cudaLaunchDevice(void* kernel, void* parameters, dim3 grid, dim3 block,
                                        unsigned int sharedBytes, cudaStream_t stream);
}

// --- atomics, each also for the scope of a block and of the system
#define CUI_TK_ATOMIC(name, T)                    \
  __device__ T name(T* address, T value);         \
  __device__ T name##_block(T* address, T value); \
  __device__ T name##_system(T* address, T value);
#define CUI_TK_ATOMIC_CAS(T)                                    \
  __device__ T atomicCAS(T* address, T compare, T value);       \
  __device__ T atomicCAS_block(T* address, T compare, T value); \
  __device__ T atomicCAS_system(T* address, T compare, T value);
#define CUI_TK_ATOMIC_INTEGER(name) \
  CUI_TK_ATOMIC(name, int)          \
  CUI_TK_ATOMIC(name, unsigned int) \
  CUI_TK_ATOMIC(name, unsigned long long int)
CUI_TK_ATOMIC_INTEGER(atomicAdd)
CUI_TK_ATOMIC(atomicAdd, float)
CUI_TK_ATOMIC(atomicAdd, double)
CUI_TK_ATOMIC(atomicAdd, float2)
CUI_TK_ATOMIC(atomicAdd, float4)
CUI_TK_ATOMIC(atomicSub, int)
CUI_TK_ATOMIC(atomicSub, unsigned int)
CUI_TK_ATOMIC_INTEGER(atomicExch)
CUI_TK_ATOMIC(atomicExch, float)
CUI_TK_ATOMIC_INTEGER(atomicMin)
CUI_TK_ATOMIC(atomicMin, long long int)
CUI_TK_ATOMIC_INTEGER(atomicMax)
CUI_TK_ATOMIC(atomicMax, long long int)
CUI_TK_ATOMIC(atomicInc, unsigned int)
CUI_TK_ATOMIC(atomicDec, unsigned int)
CUI_TK_ATOMIC_INTEGER(atomicAnd)
CUI_TK_ATOMIC_INTEGER(atomicOr)
CUI_TK_ATOMIC_INTEGER(atomicXor)
CUI_TK_ATOMIC_CAS(int)
CUI_TK_ATOMIC_CAS(unsigned int)
CUI_TK_ATOMIC_CAS(unsigned long long int)
CUI_TK_ATOMIC_CAS(unsigned short int)
#undef CUI_TK_ATOMIC_INTEGER
#undef CUI_TK_ATOMIC_CAS

#endif
