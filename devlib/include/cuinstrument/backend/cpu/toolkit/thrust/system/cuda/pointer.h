// CUDA's system by its name, where Thrust's device is the host.
#pragma once
#if !__has_include(<thrust/version.h>)
#error "this header is in place of one of CCCL's: add its folder, as -I/usr/local/cuda/include"
#endif
#include <thrust/system/cpp/pointer.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
using thrust::system::cpp::pointer;
using thrust::system::cpp::reference;
using thrust::system::cpp::universal_pointer;
}  // namespace cuda
}  // namespace system
namespace cuda {
using thrust::system::cuda::pointer;
using thrust::system::cuda::reference;
using thrust::system::cuda::universal_pointer;
}  // namespace cuda
THRUST_NAMESPACE_END
