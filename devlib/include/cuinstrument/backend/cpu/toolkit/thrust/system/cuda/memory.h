// CUDA's system by its name, where Thrust's device is the host.
#pragma once
#if !__has_include(<thrust/version.h>)
#error "this header is in place of one of CCCL's: add its folder, as -I/usr/local/cuda/include"
#endif
#include <thrust/system/cpp/memory.h>
#include <thrust/system/cuda/memory_resource.h>
#include <thrust/system/cuda/pointer.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
using thrust::system::cpp::allocator;
using thrust::system::cpp::free;
using thrust::system::cpp::malloc;
using thrust::system::cpp::universal_allocator;
using thrust::system::cpp::universal_host_pinned_allocator;
}  // namespace cuda
}  // namespace system
namespace cuda {
using thrust::system::cuda::allocator;
using thrust::system::cuda::free;
using thrust::system::cuda::malloc;
using thrust::system::cuda::universal_allocator;
using thrust::system::cuda::universal_host_pinned_allocator;
}  // namespace cuda
THRUST_NAMESPACE_END
