// A pipeline that is handed on, to a function that nothing calls here: each thread's own, whatever it is reached through.
// standard: 17 20
// cpu: no, libcu++'s own pipeline is meant
// expect-not: "pipe"
#include <cuda/pipeline>
template <class Pipeline> __device__ void fill(float* tile, const float* from, Pipeline& pipe) {
  pipe.producer_acquire();
  cuda::memcpy_async(tile, from, 16, pipe);
  pipe.producer_commit();
}
__device__ void load(float* tile, const float* from, cuda::pipeline<cuda::thread_scope_block>& pipe) {
  fill(tile, from, pipe);
  pipe.consumer_wait();
  cuda::memcpy_async(tile, from, 16, pipe);
  pipe.consumer_release();
}
