// Asynchronous copies that signal a cuda::barrier in shared memory: both sides are recorded; the barrier itself is an object
// of the library's.
// expect: __shared__ cuda::barrier<cuda::thread_scope_block> arrived; CUI_SHARED(#, arrived);
// expect: CUI_COPY_TO(#, CUI_COPY_FROM(#, cuda::memcpy_async))(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int), arrived);
// expect: load, generic, instrumented, 4, 0, "barriers", "cuda::memcpy_async(
// expect: store, shared, instrumented, 4, 0, "barriers", "cuda::memcpy_async(
// expect: "a method of library code is called on it"
// expect: CUI_VARIABLE_ENTRY("state", "stages", "cuda::pipeline_shared_state<cuda::thread_scope_block, 2>"
// expect: CUI_COPY_TO(#, CUI_COPY_FROM(#, cuda::memcpy_async))(tile, in, 4, pipe);
// expect-not: "Clang cannot tell what it is"
// standard: 17 20
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
__global__ void barriers(const int* in, int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
  __shared__ int tile[32];
  if (threadIdx.x == 0) init(&arrived, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int), arrived);
  arrived.arrive_and_wait();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}
template <class T>
__global__ void stages(const T* in, T* out) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ T tile[32];
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
  pipe.producer_acquire();
  cuda::memcpy_async(tile, in, 4, pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  out[threadIdx.x] = tile[0];
  pipe.consumer_release();
}
void launch(const int* in, int* out) { stages<<<1, 32>>>(in, out); }
