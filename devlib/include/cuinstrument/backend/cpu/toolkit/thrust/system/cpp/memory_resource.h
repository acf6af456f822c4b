// In place of CCCL's own header, where Thrust's device is the host: what its vectors hold is registered, so
// that the runtime's copies take it for either side's, as programs that copy to `raw_pointer_cast(v.data())`
// want it.
#pragma once
#if !__has_include(<thrust/version.h>)
#error "this header is in place of one of CCCL's: add its folder, as -I/usr/local/cuda/include"
#endif
#include <cuda_runtime_api.h>
#include <thrust/mr/fancy_pointer_resource.h>
#include <thrust/mr/memory_resource.h>
#include <thrust/mr/new.h>
#include <thrust/system/cpp/pointer.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cpp {
namespace detail {

class RegisteredResource final : public thrust::mr::memory_resource<> {
 public:
  void* do_allocate(std::size_t bytes, std::size_t alignment = THRUST_MR_DEFAULT_ALIGNMENT) override {
    void* const result = upstream_.allocate(bytes, alignment);
    if (bytes > 0) (void)cudaHostRegister(result, bytes, cudaHostRegisterDefault);
    return result;
  }
  void do_deallocate(void* pointer, std::size_t bytes,
                     std::size_t alignment = THRUST_MR_DEFAULT_ALIGNMENT) override {
    if (bytes > 0) (void)cudaHostUnregister(pointer);
    upstream_.deallocate(pointer, bytes, alignment);
  }

 private:
  thrust::mr::new_delete_resource upstream_;
};

using native_resource = thrust::mr::fancy_pointer_resource<RegisteredResource, thrust::cpp::pointer<void>>;
using universal_native_resource =
    thrust::mr::fancy_pointer_resource<RegisteredResource, thrust::cpp::universal_pointer<void>>;

}  // namespace detail

using memory_resource = detail::native_resource;
using universal_memory_resource = detail::universal_native_resource;
using universal_host_pinned_memory_resource = universal_memory_resource;

}  // namespace cpp
}  // namespace system
THRUST_NAMESPACE_END

// What CUDA's system includes behind these, and programs have without asking for it: std::cout, thrust::seq.
#include <thrust/execution_policy.h>

#include <iostream>
