// Asynchronous copies of a thread's own.
// cpu: no, pipelines are the GPU's
// expect: CUI_COPY_TO(#, CUI_COPY_FROM(#, __pipeline_memcpy_async))(&tile[threadIdx.x], in + threadIdx.x, sizeof(float));
// expect: CUI_COPY_TO(#, CUI_FILLED_COPY_FROM(#, __pipeline_memcpy_async))(tile, in, 8, 4);
// expect: CUI_COPY_TO(#, CUI_FILLED_COPY_FROM(#, __pipeline_memcpy_async))(to, from, bytes, zeros);
// expect: CUI_MACRO_COPY_TO(#, CUI_MACRO_FILLED_COPY_FROM(#, __pipeline_memcpy_async))(to, from, 16, (inside) ? 0 : 16)
// standard: 17 20
#include <cuda_pipeline.h>
#define COPY_OR_CLEAR(to, from, inside) __pipeline_memcpy_async(to, from, 16, (inside) ? 0 : 16)
__device__ void commit(void* to, const void* from, size_t bytes, size_t zeros) {
  __pipeline_memcpy_async(to, from, bytes, zeros);
  __pipeline_commit();
}
__global__ void pipeline(const float* in, float* out) {
  __shared__ float tile[32];
  __pipeline_memcpy_async(&tile[threadIdx.x], in + threadIdx.x, sizeof(float));
  __pipeline_memcpy_async(tile, in, 8, 4);
  COPY_OR_CLEAR(&tile[4 * threadIdx.x], in, threadIdx.x < 4);
  commit(tile, in, 16, 8);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[31 - threadIdx.x];
}
