// A group copies one block together; also with the sizes in elements of both sides, of which the smaller counts.
// expect: CUI_GROUP_COPY_TO(#, CUI_GROUP_COPY_FROM(#, cooperative_groups::memcpy_async))(block, tile, in, sizeof tile);
// expect: CUI_ELEMENTS_COPY_TO(#, CUI_ELEMENTS_COPY_FROM(#, cooperative_groups::memcpy_async))(block, out, 16u, in, 16u);
// standard: 17 20
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
__global__ void groups(const float* in, float* out) {
  __shared__ float tile[32];
  auto block = cooperative_groups::this_thread_block();
  cooperative_groups::memcpy_async(block, tile, in, sizeof tile);
  cooperative_groups::memcpy_async(block, out, 16u, in, 16u);
  cooperative_groups::wait(block);
  out[threadIdx.x] = tile[31 - threadIdx.x];
}
