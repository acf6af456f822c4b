// CUDA's system by its name, where Thrust's device is the host.
#pragma once
#if !__has_include(<thrust/version.h>)
#error "this header is in place of one of CCCL's: add its folder, as -I/usr/local/cuda/include"
#endif
#include <thrust/system/cpp/memory_resource.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
using thrust::system::cpp::memory_resource;
using thrust::system::cpp::universal_host_pinned_memory_resource;
using thrust::system::cpp::universal_memory_resource;
}  // namespace cuda
}  // namespace system
namespace cuda {
using thrust::system::cuda::memory_resource;
using thrust::system::cuda::universal_host_pinned_memory_resource;
using thrust::system::cuda::universal_memory_resource;
}  // namespace cuda
THRUST_NAMESPACE_END
