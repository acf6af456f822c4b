// Loops whose accesses all blocks make alike, recorded in front of them by one block for all.
// expect: CUI_FIXED_ALIKE_LOOP(#, (step), 2, (int, k, 0, <, 16, + 1)
// expect: CUI_IN_ALIKE_LOOP((#, left[ty][k], #, right[k][tx])
// expect: CUI_ALIKE_LOOP(#, (), 1, (int, k, 0, <, n, + 1)
// expect: CUI_ALIKE_LOOP_ACCESS(#, left[k][tx]) = 0
// expect: CUI_LOOP_BY_ROW(#, (0, (const decltype(tx) tx = (threadIdx.x); (void)(tx)), (true), ()), 2, (int, k, 0, <, n, + 1)
// expect: (true), ()), 1, (int, k, (blockIdx.x)
__global__ void product(const float* a, float* b, int n) {
  __shared__ float left[16][16], right[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0;
  for (int step = 0; step < n; step += 16) {
    for (int k = 0; k < 16; ++k) sum += left[ty][k] * right[k][tx];
    __syncthreads();
  }
  for (int k = 0; k < n; ++k) left[k][tx] = 0;
  for (int k = 0; k < n; ++k) b[k] = left[k][tx];  // memory of all blocks, too
  for (int k = blockIdx.x; k < n; ++k) sum += left[k][tx];
  b[0] = sum;
}
