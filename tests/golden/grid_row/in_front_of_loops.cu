// Loops in front, that all threads of a row of the grid go round equally often: the warps of one block account for all.
// expect: CUI_LOOP_BY_ROW(#, (0, (const decltype(y) y = (blockIdx.y * blockDim.y + threadIdx.y); (void)(y); const decltype(x) x = (blockIdx.x * blockDim.x + threadIdx.x); (void)(x)), (true), ()), 2, (int, k, 0, <, n, + 1)
// expect: CUI_LOOP_BY_ROW(#, (2, (), (true), ()), 1, (int, k, (threadIdx.y), <, 32, + (blockDim.y)), (const int at = k * n;)
// expect: CUI_LOOP_BY_ROW(#, (2, (const decltype(x) x = (blockIdx.x * blockDim.x + threadIdx.x); (void)(x)), ((x < n)), ()), 1,
// expect: CUI_LOOP_BY_ROW(#, (8, (), (true), ()), 1, (int, k, (threadIdx.x + threadIdx.y), <=, n, + 1)
// expect: CUI_LOOP_BY_ROW(#, (0, (), (true), (step)), 1, (int, k, 0, <, step, + 1)
// expect: CUI_LOOP_BY_ROW(#, (0, (const decltype(x) x = (blockIdx.x * blockDim.x + threadIdx.x); (void)(x)), (true), ()), 2, (int, k, 0, <, n, + 1), (const int at = x + k * n; const float* to = b + at;), (#, a[at], #, *to)
// expect: CUI_LOOP_BY_ROW(#, (0, (const decltype(y) y = (threadIdx.x); (void)(y)), (true), ()), 1, (int, k, 0, <, n, + 1), (const int at = ::cui::cuiAhead(y, n, cuiTime) + k;), (#, b[at])
// expect: CUI_LOOP(#, 1, (int, k, n, >, 0, - 1), (), (#, b[k * x])
// expect: CUI_LOOP_BY_ROW(#, (0, (), (true), ()), 4, (int, k, 0, <, n, + 1)
// expect: CUI_FIXED_LOOP_BY_ROW(#, (0, (), (true), ()), 1, (int, k, 0, <, 4, + 1)
// expect: CUI_LOOP(#, 9, (int, k, 0, <, n, + 1)
// expect: CUI_LOOP(#, 1, (int, k, 0, <, times, + 1)
// expect: CUI_LOOP(#, 1, (int, k, 0, <, n, + x)
// expect: CUI_LOOP(#, 1, (int, k, 0, !=, n, + 1)
__global__ void alike(const float* a, float* b, float* c, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  for (int k = threadIdx.y; k < 32; k += blockDim.y) {
    const int at = k * n;
    c[at + threadIdx.x] = sum;
  }
  if (x < n) {
    for (int k = 0; k < n; ++k) sum += a[x + k];
  }
  for (int k = threadIdx.x + threadIdx.y; k <= n; ++k) sum += a[k];
  for (int step = 1; step < n; step *= 2) {
    for (int k = 0; k < step; ++k) sum += a[k];
    __syncthreads();
  }
  for (int k = 0; k < n; ++k) b[k] = a[k] + a[k + 1] + a[k + 2];
  for (int k = 0; k < 4; ++k) sum += b[k];
  c[0] = sum;
}

// What the body declares is made of what differs from thread to thread.
__global__ void ofLocals(const float* a, float* b, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = threadIdx.x;
  for (int k = 0; k < n; ++k) {
    const int at = x + k * n;
    const float* to = b + at;
    if (a[at] > *to) ++y;
  }
  y = threadIdx.x;
  for (int k = 0; k < n; ++k) {
    const int at = y + k;
    b[at] = 1;
    y += n;
  }
}

__global__ void notAlike(const float* a, float* b, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, times = a[x];
  float sum = 0;
  for (int k = n; k > 0; --k) b[k * x] = 1;  // each thread by a step of its own
  for (int k = 0; k < n; ++k) sum += a[k] + a[k + 1] + a[k + 2] + a[k + 3] + a[k + 4] + a[k + 5] + a[k + 6] + a[k + 7] + a[k + 8];  // too much code
  for (int k = 0; k < times; ++k) sum += b[k];
  for (int k = 0; k < n; k += x) sum += b[k];
  for (int k = 0; k != n; ++k) sum += b[k];  // might miss its end
  b[0] = sum;
}
