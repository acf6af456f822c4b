// CUDA's system by its name, where Thrust's device is the host.
#pragma once
#include <thrust/system/cpp/execution_policy.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
using thrust::system::cpp::tag;
}  // namespace cuda
}  // namespace system
namespace cuda {
using thrust::system::cuda::tag;
}  // namespace cuda
THRUST_NAMESPACE_END
