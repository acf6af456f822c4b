// For comparison only: records as tracers without warps write them (72 bytes for each thread's access, and
// one atomic addition to find its place), in place of devlib, for the same rewritten source. gpu_suite.py
// builds the suite with it. The records go to device memory and are overwritten when it is full; nobody reads
// them.
#pragma once

#include <cuda_runtime.h>

namespace per_thread {

struct Record {
  unsigned long long address, time;
  uint3 block, thread;
  unsigned int warp, site, bytes, kind;
  unsigned long long value;
  unsigned long long unused;
};
static_assert(sizeof(Record) == 72, "as wide as the records this stands for");

constexpr unsigned long long capacity = 1ull << 24;
static __device__ unsigned long long count;
static __device__ Record* records;

struct SetUp {
  SetUp() {
    Record* memory = nullptr;
    if (cudaMalloc(&memory, capacity * sizeof(Record)) == cudaSuccess)
      cudaMemcpyToSymbol(records, &memory, sizeof memory);
  }
};
static const SetUp setUp;

template <class T>
__host__ __device__ void record(unsigned int site, const volatile T* address) {
#if defined(__CUDA_ARCH__)
  Record& r = records[atomicAdd(&count, 1ull) & (capacity - 1)];
  r.address = reinterpret_cast<unsigned long long>(address);
  r.time = clock64();
  r.block = blockIdx;
  r.thread = threadIdx;
  r.warp = (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32;
  r.site = site;
  r.bytes = sizeof(T);
  r.kind = 0;
  r.value = 0;
#else
  (void)site, (void)address;
#endif
}
template <class T>
__host__ __device__ T& access(unsigned int site, T& reference) {
  record(site, &reference);
  return reference;
}
template <class T>
__host__ __device__ T* pointer(unsigned int site, T* target) {
  record(site, target);
  return target;
}

}  // namespace per_thread

#define CUI_ACCESS(site, ...) ::per_thread::access(site, (__VA_ARGS__))
#define CUI_POINTER(site, ...) ::per_thread::pointer(site, (__VA_ARGS__))

// The rest of the interface does nothing.
#define CUI_API(n, name) name
#define CUI_BLOCK(...) __VA_ARGS__
#define CUI_GRID(...) __VA_ARGS__
#define CUI_BARRIER(...) __VA_ARGS__
#define CUI_KERNEL(number) (void)0
#define CUI_LAUNCH(n, ...) __VA_ARGS__
#define CUI_LAUNCH_BOUNDS
#define CUI_LAUNCH_CLOSE(...) __VA_ARGS__
#define CUI_LAUNCH_OPEN(...) __VA_ARGS__
#define CUI_SHARED(...) (void)0
#define CUI_UNIT(...)
#define CUI_CALL_ENTRY(...)
#define CUI_FILE(...)
#define CUI_KERNEL_ENTRY(...)
#define CUI_LAUNCH_ENTRY(...)
#define CUI_SITE(...)
#define CUI_TABLE_CALLS
#define CUI_TABLE_END(...)
#define CUI_TABLE_FILES
#define CUI_TABLE_GLOBALS
#define CUI_TABLE_KERNELS
#define CUI_TABLE_LAUNCHES
#define CUI_TABLE_SITES
#define CUI_TABLE_VARIABLES
#define CUI_VARIABLE_ENTRY(...)
