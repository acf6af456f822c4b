// In place of CCCL's own header, where Thrust's device is the host: policies that programs say a stream to
// (`thrust::cuda::par.on(stream)`, `thrust::device.on(stream)`). What is on a stream has been done when the
// call that asked for it returns, here as everywhere on this backend.
#pragma once
#if !__has_include(<thrust/version.h>)
#error "this header is in place of one of CCCL's: add its folder, as -I/usr/local/cuda/include"
#endif
#include <cuda_runtime_api.h>
#include <thrust/detail/allocator_aware_execution_policy.h>
#include <thrust/system/cpp/detail/execution_policy.h>

#include <utility>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cpp {
namespace detail {

template <class Policy>
struct OnStream : Policy {
  OnStream(const Policy& policy) : Policy(policy) {}
  const OnStream& on(cudaStream_t) const { return *this; }
};

struct par_t : execution_policy<par_t>, thrust::detail::allocator_aware_execution_policy<execution_policy> {
  using WithAllocator = thrust::detail::allocator_aware_execution_policy<execution_policy>;
  constexpr par_t() = default;
  const par_t& on(cudaStream_t) const { return *this; }
  template <class Allocator>
  auto operator()(Allocator&& allocator) const {
    using Policy = decltype(std::declval<const WithAllocator&>()(std::forward<Allocator>(allocator)));
    return OnStream<Policy>(WithAllocator::operator()(std::forward<Allocator>(allocator)));
  }
};

}  // namespace detail

_CCCL_GLOBAL_CONSTANT detail::par_t par;

}  // namespace cpp

namespace cuda {
using thrust::system::cpp::par;
_CCCL_GLOBAL_CONSTANT thrust::system::cpp::detail::par_t par_nosync;
}  // namespace cuda
}  // namespace system

namespace cpp {
using thrust::system::cpp::par;
}
namespace cuda {
using thrust::system::cuda::par;
using thrust::system::cuda::par_nosync;
}  // namespace cuda
THRUST_NAMESPACE_END
