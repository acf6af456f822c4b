// Stands for the CUDA runtime: in a file of its own, so that the linker sees the calls.
#include <cstddef>

#include "cuda/library_launches.h"

using cui::library_calls::Extent;
using cui::library_calls::LaunchConfig;

namespace {
int allocate(void** pointer, std::size_t bytes) {
  constexpr int outOfMemory = 2;
  if (bytes == 0) return outOfMemory;
  *pointer = reinterpret_cast<void*>(0x1000);
  return 0;
}
}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming): the
// linker's names
extern "C" {
int cudaGetDevice(int* device) {
  *device = 3;
  return 0;
}
int cudaMalloc(void** pointer, std::size_t bytes) {
  return allocate(pointer, bytes);
}
int cudaMallocManaged(void** pointer, std::size_t bytes, unsigned int) {
  return allocate(pointer, bytes);
}
int cudaMallocHost(void** pointer, std::size_t bytes) {
  return allocate(pointer, bytes);
}
int cudaHostAlloc(void** pointer, std::size_t bytes, unsigned int) {
  return allocate(pointer, bytes);
}
int cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t, std::size_t height) {
  *pitch = 512;
  return allocate(pointer, *pitch * height);
}
int cudaMallocAsync(void** pointer, std::size_t bytes, void*) {
  return allocate(pointer, bytes);
}
int cudaMallocAsync_ptsz(void** pointer, std::size_t bytes, void*) {
  return allocate(pointer, bytes);
}
int cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, void*, void*) {
  return allocate(pointer, bytes);
}
int cudaMallocFromPoolAsync_ptsz(void** pointer, std::size_t bytes, void*, void*) {
  return allocate(pointer, bytes);
}
int cudaFree(void*) {
  return 0;
}
int cudaFreeHost(void*) {
  return 0;
}
int cudaFreeAsync(void*, void*) {
  return 0;
}
int cudaFreeAsync_ptsz(void*, void*) {
  return 0;
}

// Launches: a grid of 0 is refused. A kernel is its symbol; asked for one that is none, the runtime fails.
int lastError = 0;
int launchesMade = 0;
int cudaLaunchKernel(const void*, Extent grid, Extent, void**, std::size_t, void*) {
  constexpr int invalidConfiguration = 9;
  ++launchesMade;
  return lastError = grid.x == 0 ? invalidConfiguration : 0;
}
int cudaLaunchKernel_ptsz(const void* f, Extent grid, Extent block, void** a, std::size_t n, void* s) {
  return cudaLaunchKernel(f, grid, block, a, n, s);
}
int cudaLaunchCooperativeKernel(const void* f, Extent grid, Extent block, void** a, std::size_t n, void* s) {
  return cudaLaunchKernel(f, grid, block, a, n, s);
}
int cudaLaunchCooperativeKernel_ptsz(const void* f, Extent grid, Extent block, void** a, std::size_t n,
                                     void* s) {
  return cudaLaunchKernel(f, grid, block, a, n, s);
}
int __cudaLaunchKernel(const void* f, Extent grid, Extent block, void** a, std::size_t n, void* s) {
  return cudaLaunchKernel(f, grid, block, a, n, s);
}
int __cudaLaunchKernel_ptsz(const void* f, Extent grid, Extent block, void** a, std::size_t n, void* s) {
  return cudaLaunchKernel(f, grid, block, a, n, s);
}
int cudaLaunchKernelExC(const LaunchConfig* c, const void* f, void** a) {
  return cudaLaunchKernel(f, c->grid, c->block, a, c->dynamicSharedBytes, c->stream);
}
int cudaLaunchKernelExC_ptsz(const LaunchConfig* c, const void* f, void** a) {
  return cudaLaunchKernelExC(c, f, a);
}
#ifndef CUI_OLD_RUNTIME
int cudaFuncGetName(const char** name, const void* function) {
  constexpr int invalidDeviceFunction = 98;
  *name = static_cast<const char*>(function);
  return **name == '!' ? lastError = invalidDeviceFunction : 0;
}
#endif
int cudaPeekAtLastError() {
  return lastError;
}
int cudaGetLastError() {
  const int error = lastError;
  lastError = 0;
  return error;
}
const char* cudaGetErrorName(int error) {
  return error == 9 ? "cudaErrorInvalidConfiguration" : "";
}
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
