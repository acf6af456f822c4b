// What cuda/barrier and cuda/pipeline share: scopes, sizes with an alignment, and the copy, which is made at
// once. Where the program also sees CCCL, its types are used, because other headers of CCCL name them, too.
#pragma once
#pragma GCC system_header

#include <stddef.h>

#include "../cuda_runtime.h"

#if defined(__has_include)
#if __has_include(<cuda/std/__atomic/scopes.h>) && __has_include(<cuda/__barrier/aligned_size.h>)
#define CUI_TK_CCCL 1
#include <cuda/__barrier/aligned_size.h>
#include <cuda/std/__atomic/scopes.h>
#include <cuda/std/detail/__config>
#endif
#endif

namespace cuda {

#ifdef CUI_TK_CCCL
using std::thread_scope;
using std::thread_scope_block;
using std::thread_scope_device;
using std::thread_scope_system;
using std::thread_scope_thread;
#else
enum thread_scope {
  thread_scope_system = 0,
  thread_scope_device = 1,
  thread_scope_block = 2,
  thread_scope_thread = 10
};
/// A number of bytes that is a multiple of Alignment, as both blocks' addresses are.
template <size_t Alignment>
struct aligned_size_t {
  static constexpr size_t align = Alignment;
  size_t value;
  __host__ __device__ explicit constexpr aligned_size_t(size_t bytes) : value(bytes) {}
  __host__ __device__ constexpr operator size_t() const { return value; }
};
#endif

namespace cui_detail {

inline __device__ void copyBytes(void* to, const void* from, size_t bytes) {
  __builtin_memcpy(to, from, bytes);
}
/// Each thread of the group copies its part.
template <class Group>
__device__ void copyBytes(const Group& group, void* to, const void* from, size_t bytes) {
  constexpr size_t piece = 16;
  const size_t step = piece * static_cast<size_t>(group.size());
  for (size_t at = piece * static_cast<size_t>(group.thread_rank()); at < bytes; at += step)
    __builtin_memcpy(static_cast<char*>(to) + at, static_cast<const char*>(from) + at,
                     bytes - at < piece ? bytes - at : piece);
}

}  // namespace cui_detail
}  // namespace cuda
