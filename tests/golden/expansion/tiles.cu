// A tile counts for 16 sites, as nvcc takes that long over one: 8 * 8 of them are 1,024. Of a thread's own words the kernel keeps many.
// nvcc: no, it takes seconds
// cpu: no, tensor cores are the GPU's
// expect: #define CUI_MANY_SITES
// expect: #define CUI_MANY_REGISTERS
// expect: #define CUI_VERY_MANY_SITES
#include <mma.h>
__global__ void store(half* c) {
  using namespace nvcuda;
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> sums[8][8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      wmma::fill_fragment(sums[i][j], 0);
      wmma::store_matrix_sync(c + i * 2048 + j * 16, sums[i][j], 128, wmma::mem_row_major);
    }
  }
}
void run(half* c) { store<<<1, 32>>>(c); }
