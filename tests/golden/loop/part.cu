// Of a loop in which accesses stand that cannot be told ahead, or something waits, profiles are told the others in
// front of it: sums have no order. In traces all are recorded as they are made.
// expect: CUI_PART_OF_LOOP(#, 2, (int, i, (blockIdx.x * blockDim.x + threadIdx.x), <, n, + (gridDim.x * blockDim.x)), (), (#, out[i], #, index[i]))for
// expect: CUI_BESIDE_LOOP_ACCESS(#, (#), out[i]) = CUI_ACCESS(#, in[CUI_BESIDE_LOOP_ACCESS(#, (#), index[i])]);
// expect: CUI_PART_OF_LOOP(#, 4, (int, t, (blockIdx.x), <, count, + (gridDim.x)), (const int i = 2 * (t * blockDim.x + threadIdx.x);), (#, in[i], #, in[i + 1], #, tile[1], #, out[i]))for
// expect: float sum = CUI_BESIDE_LOOP((#), (#, in[i], #, in[i + 1]), in[i] + in[i + 1]);
// expect: if (threadIdx.x == 0) CUI_ALIKE_ACCESS(#, (CUI_TILE(t, count)), tile[0]) = sum;
// expect: CUI_BESIDE_LOOP_ACCESS(#, (#), out[i]) = sum;
// expect: for (int k = CUI_BESIDE_LOOP_ACCESS(#, (#), index[row]); k < 
// expect: in[::cui::cuiAhead(at, 32, cuiTime)]
__global__ void gather(const float* in, const int* index, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = in[index[i]];
}
__global__ void tiles(const float* in, float* out, int count) {
  __shared__ float tile[2];
  for (int t = blockIdx.x; t < count; t += gridDim.x) {
    const int i = 2 * (t * blockDim.x + threadIdx.x);
    float sum = in[i] + in[i + 1];
    if (threadIdx.x == 0) tile[0] = sum;
    __syncthreads();
    sum += tile[1];
    while (sum > 1) {
      sum /= 2;
      if (sum < 0) break;
    }
    out[i] = sum;
  }
}
__global__ void rows(const float* in, const int* index, float* out, int n) {
#pragma unroll 2
  for (int row = threadIdx.x; row < n; row += 256) {
    float sum = 0;
    for (int k = index[row]; k < index[row + 1]; ++k) sum += in[k];
    out[row] = sum;
  }
}
__global__ void beside(const float* in, float* out, int n) {
  int at = threadIdx.x;
  for (int k = 0; k < n; ++k) {
    const float value = in[at];
    atomicAdd(out, value);
    at += 32;
  }
}
