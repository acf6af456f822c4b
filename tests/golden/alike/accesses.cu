// Accesses to shared memory that all blocks make alike: one of them stands for all.
// expect: CUI_ALIKE_ACCESS(#, (), tile[threadIdx.x]) = __ldg
// expect: CUI_ALIKE((half), (#, tile[threadIdx.x + half], #, tile[threadIdx.x]), tile
// expect: threadIdx.x >= step ? CUI_ALIKE_ACCESS(#, (step), tile[threadIdx.x - step])
// expect: CUI_ALIKE_ACCESS(#, (step, inner), tile[inner])
// expect: CUI_ALIKE_ACCESS(#, (), wide[threadIdx.x].y)
// expect: CUI_ACCESS(#, row[0])
// expect: CUI_ALIKE_ACCESS(#, (), count)
// expect: CUI_ALIKE_ACCESS(#, (), dynamic[
struct Pair {
  int x, y;
};
extern __shared__ float dynamic[];

__global__ void phases(const float* a, float* b, int n, bool twice) {
  __shared__ float tile[256];
  __shared__ Pair wide[64];
  __shared__ int count;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x & 31;
  tile[threadIdx.x] = __ldg(a + i);
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) tile[threadIdx.x] += tile[threadIdx.x + half];
    __syncthreads();
  }
  unsigned step = 1;
  while (step < blockDim.x) {
    const float before = threadIdx.x >= step ? tile[threadIdx.x - step] : 0;
    __syncthreads();
    for (int inner = 0; inner < 4 && inner < n; ++inner) {
      tile[inner] = before;
      __syncthreads();
    }
    step *= 2;
  }
  if (twice && lane < 8) wide[threadIdx.x].y = i;
  float* const row = tile + lane;
  row[0] = 1;  // a pointer can lead anywhere
  if (threadIdx.x == 0) count = 0;
  dynamic[threadIdx.x * n] = 2;
  b[i] = 0;
}
