// Loops in a loop that go round a few times, as the source says, make as many places each time round it, with their
// variables' values written out; loops over arrays in registers make none. In the loop itself, which runs where the
// outer one could not be recorded, the inner ones are recorded in front of them, if anything is left of it.
// expect: CUI_LOOP(#, 5, (int, k, 0, <, n, + 1), (), (#, b[k * n + x], #, a[(y + 0) * n + k], #, a[(y + 1) * n + k], #, a[(y + 2) * n + k], #, a[(y + 3) * n + k]), for (int k = 0; k < n; ++k) { const float right = b[k * n + x]; _Pragma("unroll") for (int row = 0; row < 4; ++row) sum[row] += a[(y + row) * n + k] * right; })for
// expect: const float right = CUI_LOOP_ACCESS(#, b[k * n + x]); CUI_FIXED_LOOP(#, 1, (int, row, 0, <, 4, + 1), (), (#, a[(y + row) * n + k]), _Pragma("unroll") for
// expect: CUI_FIXED_ALIKE_LOOP(#, (step), 5, (int, k, 0, <, 16, + 1), (), (#, right[k][tx], #, left[ty + 0u * 8][k], #, left[ty + 1u * 8][k], #, left[ty + 2u * 8][k], #, left[ty + 3u * 8][k]), _Pragma("unroll 4") for
// expect: const float factor = CUI_ALIKE_LOOP_ACCESS(#, right[k][tx]);
// expect: for (unsigned j = 0; j < 4; ++j) sum[j] += CUI_ALIKE_LOOP_ACCESS(#, left[ty + j * 8][k]) * factor;
// expect: CUI_FIXED_LOOP(#, 6, (int, k, 0, <, 8, + 1), (const int base = k * 16;), (#, left[0][base + 0l], #, left[1][base + 0l], #, left[0][base + 1l], #, left[1][base + 1l], #, a[AT(0, k)], #, a[AT(1, k)]), for
// expect: CUI_LOOP(#, 6, (int, z, 1, <, (n - 1), + 1), (), (#, a[(z + ::cui::cuiMinus(1)) * n + x + ::cui::cuiMinus(2)], #, a[(z + ::cui::cuiMinus(1)) * n + x + 0], #, a[(z + ::cui::cuiMinus(1)) * n + x + 2], #, a[(z + 1) * n + x + ::cui::cuiMinus(2)], #, a[(z + 1) * n + x + 0], #, a[(z + 1) * n + x + 2]), for
// expect: CUI_LOOP(#, 4, (int, k, 0, <, n, + 1), (), (#, a[k + 3], #, b[k - 3], #, a[k + 2], #, b[k - 2]), for
// expect: for (int j = 3; j > 1; --j) CUI_IN_LOOP((#, a[k + j], #, b[k - j]), sum[j] += a[k + j] * b[k - j]);
// expect: CUI_LOOP_BY_ROW(#, (0, (), (true), ()), 2, (int, k, 0, <, n, + 1), (), (#, a[k], #, c[k]), for
#define AT(row, k) ((row) * 64 + (k))
__global__ void nested(const float* a, const float* b, float* c, int n) {
  __shared__ float left[64][64], right[64][64];
  const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 64 + tx, y = 4 * (blockIdx.y * 16 + ty);
  float sum[8] = {}, products[4][4];
  for (int k = 0; k < n; ++k) {
    const float right = b[k * n + x];
#pragma unroll  // all four
    for (int row = 0; row < 4; ++row) sum[row] += a[(y + row) * n + k] * right;
  }
  for (int step = 0; step < n; step += 16) {
#pragma unroll 4
    for (int k = 0; k < 16; ++k) {
      const float factor = right[k][tx];
      for (unsigned j = 0; j < 4; ++j) sum[j] += left[ty + j * 8][k] * factor;
    }
    __syncthreads();
  }
  for (int k = 0; k < 8; ++k) {
    float own[2][2], other[2];
    const int base = k * 16;
    for (long i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) own[j][i] = left[j][base + i];
    for (int i = 0; i < 2; i++) {
      other[i] = a[AT(i, k)];
    }
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) products[i][j] += own[i % 2][j % 2] * other[j % 2];
  }
  for (int z = 1; z < n - 1; ++z)
    for (int dz = -1; dz <= 1; dz += 2)
      for (int dx = -2; dx < 3; dx += 2) sum[0] += a[(z + dz) * n + x + dx];
  for (int k = 0; k < n; ++k)
    for (int j = 3; j > 1; --j) sum[j] += a[k + j] * b[k - j];
  for (int k = 0; k < n; ++k) {
    float own = a[k];
    for (int j = 0; j < n; ++j) own += sum[j % 8];
    c[k] = own;
  }
  c[x] = sum[0] + sum[1] + sum[2] + sum[3] + products[1][2];
}
