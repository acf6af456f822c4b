// CUDA's system by its name, where Thrust's device is the host.
#pragma once
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
