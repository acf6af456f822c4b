// Device memory that another process exported.
#pragma once

#include "runtime.h"

namespace cui::cpu {

/// Gives back one of the times that the memory at `pointer` was opened; false: it was not.
bool closeShared(void* pointer);
/// Whether it is the one memory pool.
bool isPool(cudaMemPool_t pool);

}  // namespace cui::cpu
