// CUDA's system by its name, where Thrust's device is the host.
#pragma once
#if !__has_include(<thrust/version.h>)
#error "this header is in place of one of CCCL's: add its folder, as -I/usr/local/cuda/include"
#endif
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
