// Accesses to shared memory in loops by which the blocks share out tiles: one tile stands for all of them.
// expect: CUI_BESIDE_LOOP((#), (#, in[t * 256 + threadIdx.x], #, sums[threadIdx.x]), sums[threadIdx.x] = in
// expect: CUI_ALIKE((CUI_TILE(t, tiles), half), (#, sums[threadIdx.x + half], #, sums[threadIdx.x]), sums
// expect: CUI_ALIKE_ACCESS(#, (CUI_TILE(t, (n + 255) / 256), row), part[row
// expect: CUI_ALIKE_ACCESS(#, (CUI_TILE(t, count), round), part[lane % 8][lane]) = __ldg
// expect: if (lane > 4) CUI_ALIKE((CUI_TILE(t, tiles)), (#, sums[lane + 1], #, sums[2 * lane]), other = sums
__global__ void sumTiles(const float* in, float* out, int tiles) {
  __shared__ float sums[256];
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    sums[threadIdx.x] = in[t * 256 + threadIdx.x];
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
      if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
      __syncthreads();
    }
    if (threadIdx.x == 0) out[t] = sums[0];
    const unsigned lane = threadIdx.x % 32;
    float other = 0;
    if (lane > 4) other = sums[lane + 1] + sums[2 * lane];
    out[tiles + t * 32 + lane] = other;
    __syncthreads();
  }
}

__global__ void rowsOfTiles(const float* in, float* out, unsigned n, int rounds) {
  __shared__ float part[8][33];
  const unsigned lane = threadIdx.x % 32, count = n / 256;
  for (unsigned t = blockIdx.x; t < (n + 255) / 256; t += gridDim.x) {
    float sum = 0;
    for (int row = 0; row < 8; ++row) {
      if (in[t * 8 + row] > 0) sum += 1;
      if (lane < 16) part[row][lane] = sum;
      __syncthreads();
    }
    out[t * 32 + lane] = part[0][lane] + part[7][lane];
  }
  for (int round = 0; round < rounds; ++round)
    for (unsigned t = blockIdx.x; t < count; t = t + gridDim.x) {
      part[lane % 8][lane] = __ldg(in + t);
      __syncthreads();
    }
}
