// Loops that go round a few times, as the source says, at places whose indices cannot begin anew on the way: all is
// recorded in front of them.
// expect: CUI_FIXED_LOOP(#, 1, (int, k, 0, <, 4, + 1), (), (#, a[i + k]), for (int k = 0; k < 4; ++k) kept[k] = a[i + k];)for (int k = 0; k < 4; ++k) kept[k] = CUI_LOOP_ACCESS(#, a[i + k]);
// expect: CUI_FIXED_LOOP(#, 1, (unsigned long, k, 0u, <, Tile, + 1), (), (#, tile[row * Tile + k]), _Pragma("unroll") for (size_t k{0u}; k < Tile; ++k) kept[k] += tile[row * Tile + k];)
// expect: CUI_FIXED_LOOP(#, 2, (int, k, Tile, >, 0, - 2), (const int at = k * 3 - 1;), (#, a[at], #, out[i - at]), for
// expect: CUI_FIXED_LOOP(#, 1, (unsigned int, k, 0, !=, 128, + 1), (), (#, out[k]), for
// expect: CUI_LOOP(#, 1, (unsigned int, k, 0, <, 4, + 1), (), (#, a[threadIdx.x + k]), for
// expect: CUI_LOOP(#, 1, (int, k, 0, <, 4, + 1), (), (#, a[threadIdx.x + k]), for
// expect: CUI_LOOP(#, 1, (int, k, 0, <, 4, + 1), (), (#, a[static_cast<unsigned>(k * n)]), for
// expect: CUI_LOOP(#, 1, (int, k, 0, <, 129, + 1), (), (#, out[k]), for
// expect: CUI_FIXED_LOOP(#, 1, (int, k, 0, <, 1024, + 1), (), (#, out[k]), _Pragma("unroll") for
// expect: CUI_LOOP(#, 1, (int, k, 0, <, 1025, + 1), (), (#, out[k]), _Pragma("unroll") for
// expect: CUI_FIXED_LOOP(#, 1, (int, k, 0, <, 4, + 1), (), (#, pairs[k]), for (int k = 0; k < 4; ++k) both[k] = __hfma2(pairs[k], both[k], both[0]);)
// expect: CUI_LOOP(#, 1, (int, k, 0, <, n, + 1), (), (#, out[k]), for
// expect: CUI_LOOP(#, 1, (int, k, (- 3), <, 4u, + 1), (), (#, out[k]), for
#include <cuda_fp16.h>
template <int Tile>
__device__ float sum(const float* a, const float* tile, float* out, size_t row, int i, int n) {
  float kept[Tile] = {};
  for (int k = 0; k < 4; ++k) kept[k] = a[i + k];
#pragma unroll
  for (size_t k{0u}; k < Tile; ++k) kept[k] += tile[row * Tile + k];
  for (int k = Tile; k > 0; k -= 2) {
    const int at = k * 3 - 1;
    out[i - at] = a[at];
  }
  for (unsigned k = 0; k != 128; ++k) out[k] = kept[0];
  for (unsigned k = 0; k < 4; ++k) kept[k] += a[threadIdx.x + k];
  for (int k = 0; k < 4; ++k) kept[k] += a[threadIdx.x + k];
  for (int k = 0; k < 4; ++k) kept[k] += a[static_cast<unsigned>(k * n)];
  for (int k = 0; k < 129; ++k) out[k] = kept[1];
#pragma unroll
  for (int k = 0; k < 1024; ++k) out[k] = kept[1];
#pragma unroll
  for (int k = 0; k < 1025; ++k) out[k] = kept[1];
  const half2* pairs = reinterpret_cast<const half2*>(a);
  half2 both[4] = {};
  for (int k = 0; k < 4; ++k) both[k] = __hfma2(pairs[k], both[k], both[0]);
  for (int k = 0; k < n; ++k) out[k] = kept[2];
  for (int k = - 3; k < 4u; ++k) out[k] = kept[3];
  return kept[3] + __low2float(both[1]);
}
__global__ void fixed(const float* a, float* out, int n) {
  __shared__ float tile[64];
  out[blockIdx.x] = sum<8>(a, tile, out, threadIdx.x, blockIdx.y, n);
}
