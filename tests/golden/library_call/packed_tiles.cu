// Tiles whose elements share bytes: rows of 16 bytes, and strides that count elements.
// cpu: no, tensor cores are the GPU's
// expect: CUI_ANY_TILE_LOAD(#, wmma::load_matrix_sync)(bits, (const unsigned*)a + 4, 256);
// expect: CUI_ANY_TILE_LOAD(#, wmma::load_matrix_sync)(nibbles, b, 64);
// expect: CUI_TILE_STORE(#, 8, 8, wmma::store_matrix_sync)(c, sum, 8, wmma::mem_row_major);
// expect: load, generic, instrumented, 16, 0, "tiles", "wmma::load_matrix_sync(nibbles, b, 64)", "b", "", "void"
// expect-not: a tile that is not understood
#include <mma.h>
__global__ void tiles(const int* a, const void* b, int* c) {
  using namespace nvcuda;
  wmma::fragment<wmma::matrix_a, 8, 8, 128, wmma::experimental::precision::b1, wmma::row_major> bits;
  wmma::fragment<wmma::matrix_b, 8, 8, 32, wmma::experimental::precision::s4, wmma::col_major> nibbles;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> sum;
  wmma::load_matrix_sync(bits, (const unsigned*)a + 4, 256);
  wmma::load_matrix_sync(nibbles, b, 64);
  wmma::fill_fragment(sum, 0);
  c[0] = bits.x[0] + nibbles.x[0];
  wmma::store_matrix_sync(c, sum, 8, wmma::mem_row_major);
}
