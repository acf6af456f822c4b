// The built-in variables of device code. Thread-local, set by the executor whenever it switches lanes;
// `const` is true to a lane, which never sees its own index change.
#pragma once
#pragma GCC system_header  // it spells CUDA's own names

#include "toolkit/vector_types.h"

// The asm labels let the library define them without knowing the toolkit's types: three unsigned each.
extern __thread const uint3 threadIdx __asm__("cuiThreadIdx");
extern __thread const uint3 blockIdx __asm__("cuiBlockIdx");
extern __thread const dim3 blockDim __asm__("cuiBlockDim");
extern __thread const dim3 gridDim __asm__("cuiGridDim");
// A program may define it itself, as with nvcc; the library's yields then.
extern const int warpSize;
