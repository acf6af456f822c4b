// Stands for the CUDA runtime: in a file of its own, so that the linker sees the calls.
#include <cstddef>

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
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
