// Matrix tiles of a warp: rows and their elements, or columns; an accumulator's layout is an argument.
// cpu: no, tensor cores are the GPU's
// expect: CUI_TILE_LOAD(#, 32, 16, wmma::load_matrix_sync)(fa, a, 16);
// expect: CUI_TILE_LOAD(#, 8, 16, wmma::load_matrix_sync)(fb, b + 128, 16);
// expect: CUI_TILE_STORE(#, 32, 8, wmma::store_matrix_sync)(c, fc, 8, wmma::mem_row_major);
// expect: load, generic, instrumented, 32, 0, "tiles", "wmma::load_matrix_sync(fa, a, 16)", "a", "", "__half"
// expect: CUI_TILE_LOAD(#, 16, 16, nvcuda::wmma::load_matrix_sync)(fragment, p, 16);
// expect: CUI_ANY_TILE_LOAD(#, nvcuda::wmma::load_matrix_sync)(fragment, p, 16);
// expect: CUI_ANY_TILE_STORE(#, nvcuda::wmma::store_matrix_sync)(p, fragment, 8, layout);
// expect-not: "its size or place differs between instantiations"
// expect: CUI_MACRO_ANY_TILE_LOAD(
// expect-not: "passed by reference to library code"
// expect: float first(const F& fragment) { return fragment.x[0]; }
#include <mma.h>
template <class F>
__device__ float first(const F& fragment) { return fragment.x[0]; }
template <class F>
__device__ void any(F& fragment, const __half* p) { nvcuda::wmma::load_matrix_sync(fragment, p, 16); }
template <class F>
__device__ void sum(F& fragment, float* p, nvcuda::wmma::layout_t layout) { nvcuda::wmma::store_matrix_sync(p, fragment, 8, layout); }
#define MOVE(f) nvcuda::wmma::load_matrix_sync(f, p, 16)
template <class F>
__device__ void moved(F& fragment, const __half* p) { MOVE(fragment); }
template <class F>
__device__ void square(F& fragment, const __half* p) { nvcuda::wmma::load_matrix_sync(fragment, p, 16); }
__global__ void tiles(const __half* a, const __half* b, float* c) {
  using namespace nvcuda;
  wmma::fragment<wmma::matrix_a, 32, 8, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 32, 8, 16, __half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 32, 8, 16, float> fc;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fs;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b + 128, 16);
  wmma::fill_fragment(fc, 0.0f);
  any(fa, a);
  any(fb, b);
  square(fs, a);
  moved(fa, a);
  moved(fb, b);
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> ft;
  wmma::fill_fragment(ft, 0.0f);
  sum(fc, c, wmma::mem_row_major);
  sum(ft, c, wmma::mem_col_major);
  wmma::mma_sync(fc, fa, fb, fc);
  fc.x[0] += first(fc);
  wmma::store_matrix_sync(c, fc, 8, wmma::mem_row_major);
}
