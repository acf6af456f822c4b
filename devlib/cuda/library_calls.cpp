// Allocations by code that was not rewritten: where the linker is told `--wrap=cudaMalloc`
// (host/library_calls.def), calls of cudaMalloc arrive here as __wrap_cudaMalloc, and __real_cudaMalloc is
// the function. An object of its own in libcuinstrument.a, taken only for programs linked that way.
#include "cuda/library_calls.h"

using cui::format::Space;

CUI_ALLOCATE(cudaMalloc, "cudaMalloc", Space::global, (void** pointer, std::size_t bytes), pointer, bytes)
CUI_ALLOCATE(cudaMallocManaged, "cudaMallocManaged", Space::global,
             (void** pointer, std::size_t bytes, unsigned int flags), pointer, bytes, flags)
CUI_ALLOCATE(cudaMallocHost, "cudaMallocHost", Space::generic, (void** pointer, std::size_t bytes), pointer,
             bytes)
CUI_ALLOCATE(cudaHostAlloc, "cudaHostAlloc", Space::generic,
             (void** pointer, std::size_t bytes, unsigned int flags), pointer, bytes, flags)
CUI_ALLOCATE(cudaMallocAsync, "cudaMallocAsync", Space::global,
             (void** pointer, std::size_t bytes, void* stream), pointer, bytes, stream)
CUI_ALLOCATE(cudaMallocFromPoolAsync, "cudaMallocFromPoolAsync", Space::global,
             (void** pointer, std::size_t bytes, void* pool, void* stream), pointer, bytes, pool, stream)
CUI_FREE(cudaFree, "cudaFree", (void* pointer), pointer)
CUI_FREE(cudaFreeHost, "cudaFreeHost", (void* pointer), pointer)
CUI_FREE(cudaFreeAsync, "cudaFreeAsync", (void* pointer, void* stream), pointer, stream)

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming): the
// linker's names
extern "C" int __real_cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width,
                                      std::size_t height);
extern "C" [[gnu::weak]] int __wrap_cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width,
                                                    std::size_t height) {
  const int result = cui::library_calls::call(__real_cudaMallocPitch, pointer, pitch, width, height);
  if (result != cui::library_calls::success) return result;
  return cui::library_calls::allocated("cudaMallocPitch", result, pointer, *pitch * height, *pitch,
                                       Space::global);
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
