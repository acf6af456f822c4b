// Device code's threadIdx and its kin, as the library sees them: three unsigned each, of the worker's thread.
#pragma once

#include <cstdint>
#include <initializer_list>

extern "C" {
/// Its fourth is never read.
extern __thread unsigned cuiThreadIdx[4];
extern __thread unsigned cuiBlockIdx[3];
extern __thread unsigned cuiBlockDim[3];
extern __thread unsigned cuiGridDim[3];
}

namespace cui::cpu {

/// Whether the address is in one of the calling thread's. They are registers on a GPU, where a reference to
/// one is to a copy that is the thread's own; here they are thread-local as shared variables are.
inline bool isInIndex(std::uintptr_t address) {
  bool result = false;
  for (const unsigned* index : {cuiThreadIdx, cuiBlockIdx, cuiBlockDim, cuiGridDim})
    result |= address - reinterpret_cast<std::uintptr_t>(index) < 3 * sizeof *index;
  return result;
}

}  // namespace cui::cpu
