// Bulk copies by one thread: the library's functions, with the address spaces as tags in front or in their name. Copies to other
// blocks, and those whose addresses are in a tensor's map, are said.
// standard: 17 20
// cpu: no, it has no such copies
// nvcc: no, its header must be included outside of namespaces
// expect: CUI_SPACED_COPY_TO(#, CUI_SPACED_COPY_FROM(#, ptx::cp_async_bulk))(ptx::space_cluster, ptx::space_global, tile, in, sizeof tile, bar);
// expect: CUI_SPACED_COPY_TO(#, CUI_SPACED_COPY_FROM(#, ptx::cp_async_bulk))(ptx::space_global, ptx::space_shared, out, tile, bytes);
// expect: "to the shared memory of another block"
// expect: "to the shared memory of several blocks, or of some bytes only"
// expect: "a bulk reduction"
// expect: store, shared, instrumented, 128, 0, "bulk", "ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, sizeof tile, bar)", "tile"
// compile: -arch=sm_90
#include <cuda/ptx>
namespace ptx = cuda::ptx;
__global__ void bulk(const int* in, int* out, unsigned bytes, unsigned short blocks) {
  __shared__ alignas(128) int tile[32];
  __shared__ std::uint64_t bar[1];
  if (threadIdx.x != 0) return;
  ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, sizeof tile, bar);
  ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, bytes);
  ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, tile, tile, bytes, bar);
  ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, bytes, bar, blocks);
  ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, out, tile, bytes);
}
