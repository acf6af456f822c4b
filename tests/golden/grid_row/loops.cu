// Rows of the grid each time round a loop, which all threads go round alike: another block accounts for each.
// expect: CUI_BY_ROW_IN_LOOP(((step), (
// expect: CUI_BY_ROW_IN_LOOP(((half, step), (
// expect: c += CUI_BY_ROW_IN_LOOP(((step), ()), (#, a[step]), a[step]);
// expect: CUI_ACCESS(#, b[1]) = 1
// expect: CUI_ACCESS(#, b[2]) = 2
// expect: CUI_ACCESS(#, b[3]) = 3
// expect: CUI_ACCESS(#, b[4]) = 4
// expect: CUI_ACCESS(#, b[5]) = 5
// expect: CUI_BESIDE_LOOP_ACCESS(#, (#), b[6]) = step
// expect: CUI_ACCESS(#, b[7]) = 7
// expect-not: , b[#]), b[
__global__ void alike(const float* a, float* b, int n, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  float c = 0;
  for (int step = 0; step < n; step += 16) {
    c += a[(blockIdx.y * 16 + threadIdx.y) * pitch + step + threadIdx.x];
    b[x] = c;
    __syncthreads();
  }
  unsigned half = n;
  while (half > 1) {
    for (int step = 0; step < 4; ++step) {
      b[x + step * pitch] = c;
      __syncthreads();
    }
    half /= 2;
  }
  for (int step = 0; step < n; ++step) {
    c += a[step];
    __syncthreads();
  }
}

__global__ void notAlike(const float* a, float* b, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  for (int step = 0; step < n; ++step) {
    if (x < n) b[1] = 1;  // a guard
    __syncthreads();
  }
  for (int step = x; step < n; ++step) {
    b[2] = 2;  // threads go round in ways of their own
    __syncthreads();
  }
  for (int step = 0; step < n; ++step) {
    if (a[step] > x) break;  // or leave it so
    b[3] = 3;
    __syncthreads();
  }
  for (int step = 0; a[step] < 1; ++step) {
    b[4] = 4;
    __syncthreads();
  }
  for (;;) {
    b[5] = 5;  // nothing tells the times apart
    if (n == 3) break;
    __syncthreads();
  }
  for (int step = 0; step < n; ++step) {
    if (step == 32) continue;
    b[7] = 7;  // its variable is not looked into
    __syncthreads();
  }
  for (int step = 0; step < n; ++step) {
    __syncthreads();
    {
      const int step = 2;  // another one
      b[6] = step;
    }
  }
}
