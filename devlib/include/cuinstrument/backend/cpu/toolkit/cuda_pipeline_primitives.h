// The C form of a thread's own pipeline: copies are made at once, so that there is nothing to wait for.
#pragma once
#pragma GCC system_header

#include "cuda_runtime.h"

/// Copies all but the last `zeros` of `bytes`, which become zero.
inline __device__ void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0) {
  __builtin_memcpy(to, from, bytes - zeros);
  __builtin_memset(static_cast<char*>(to) + (bytes - zeros), 0, zeros);
}
inline __device__ void __pipeline_commit() {}
inline __device__ void __pipeline_wait_prior(size_t) {}
