// library_calls.cpp for code whose default streams are per thread. Apart, because not every runtime has these
// functions: the CPU backend's does not.
#include "cuda/library_calls.h"

using cui::format::Space;

CUI_ALLOCATE(cudaMallocAsync_ptsz, "cudaMallocAsync", Space::global,
             (void** pointer, std::size_t bytes, void* stream), pointer, bytes, stream)
CUI_ALLOCATE(cudaMallocFromPoolAsync_ptsz, "cudaMallocFromPoolAsync", Space::global,
             (void** pointer, std::size_t bytes, void* pool, void* stream), pointer, bytes, pool, stream)
CUI_FREE(cudaFreeAsync_ptsz, "cudaFreeAsync", (void* pointer, void* stream), pointer, stream)
