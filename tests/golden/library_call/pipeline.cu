// Asynchronous copies of a thread's own.
// cpu: no, pipelines are the GPU's
// expect: CUI_COPY_TO(#, CUI_COPY_FROM(#, __pipeline_memcpy_async))(&tile[threadIdx.x], in + threadIdx.x, sizeof(float));
// expect: CUI_COPY_TO(#, __pipeline_memcpy_async)(tile, in, 8, 4);
// expect: "it may read fewer bytes than it copies"
// standard: 17 20
#include <cuda_pipeline.h>
__global__ void pipeline(const float* in, float* out) {
  __shared__ float tile[32];
  __pipeline_memcpy_async(&tile[threadIdx.x], in + threadIdx.x, sizeof(float));
  __pipeline_memcpy_async(tile, in, 8, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[31 - threadIdx.x];
}
