// In place of CCCL's own header, where Thrust's device is the host: what it allocates there is registered, so
// that the runtime's copies take it for either side's, as programs that copy to `raw_pointer_cast(v.data())`
// want it.
#pragma once
#if !__has_include(<thrust/version.h>)
#error "this header is in place of one of CCCL's: add its folder, as -I/usr/local/cuda/include"
#endif
#include <cuda_runtime_api.h>
#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/system/cpp/detail/execution_policy.h>
#include <thrust/system/detail/sequential/malloc_and_free.h>

#include <cstdlib>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cpp {
namespace detail {

template <class Policy>
inline void* malloc(execution_policy<Policy>&, std::size_t bytes) {
  void* const result = std::malloc(bytes + (bytes == 0));
  if (result != nullptr) (void)cudaHostRegister(result, bytes + (bytes == 0), cudaHostRegisterDefault);
  return result;
}

template <class Policy, class Pointer>
inline void free(execution_policy<Policy>&, Pointer pointer) {
  void* const raw = (void*)thrust::raw_pointer_cast(pointer);
  if (raw != nullptr) (void)cudaHostUnregister(raw);
  std::free(raw);
}

}  // namespace detail
}  // namespace cpp
}  // namespace system
THRUST_NAMESPACE_END
