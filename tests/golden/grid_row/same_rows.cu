// Places of one kernel that the same threads come to: the first finds out about the row, the next are told.
// expect: CUI_KERNEL(#); CUI_ROW(0);
// expect: const float x = CUI_BEGIN_ROW((0, 2, (const decltype(i) i = (blockIdx.x * blockDim.x + threadIdx.x); (void)(i)), (!(i >= n))), (#, in[i]), in[i]);
// expect: CUI_SAME_ROW((0, (const decltype(i) i = (blockIdx.x * blockDim.x + threadIdx.x); (void)(i))), (#, out[i]), out[i]) = x;
// expect: if (i < m) CUI_BY_ROW((2, (
// expect: if (twice) CUI_SAME_ROW((0, (const decltype(i) i = (blockIdx.x * blockDim.x + threadIdx.x); (void)(i))), (#, out[i + 1]), out[i + 1]) = x;
// expect: CUI_BY_ROW((0, (), (true)), (#, out[threadIdx.x]), out[threadIdx.x]) = CUI_BY_ROW((0, (), (true)), (#, in[threadIdx.x]), in[threadIdx.x]) * scaled(
// expect: CUI_KERNEL(#); CUI_ROW(0); CUI_ROW(1);
// expect: if (n > 1) CUI_BEGIN_ROW((0, 0, (), (true)), (#, in[0], #, out[0]), out[0] = in[0]);
// expect: if (n > 1) CUI_SAME_ROW((0, ()), (#, out[1]), out[1]) = 2;
// expect: CUI_BEGIN_ROW((1, 0, (), (true)), (#, out[2]), out[2]) = 3;
// expect: else CUI_SAME_ROW((1, ()), (#, out[3]), out[3]) = 4;
// expect: if (i < n) CUI_BY_ROW((2, (const decltype(i) i = (threadIdx.x); (void)(i)), ((i < n))), (#, out[i]), out[i]) = 1;
// expect: if (i < n) CUI_BY_ROW((2, (const decltype(i) i = (2 * threadIdx.x); (void)(i)), ((i < n))), (#, out[i]), out[i]) = 2;
// expect: if (threadIdx.x < m) CUI_BY_ROW((2, (), ((threadIdx.x < m))), (#, out[threadIdx.x]), out[threadIdx.x]) = 3;
// expect: if (threadIdx.x < m) CUI_BY_ROW((2, (), ((threadIdx.x < m))), (#, out[threadIdx.x]), out[threadIdx.x]) = 4;
// expect: CUI_BY_ROW_IN_LOOP(((k), ()), (#, out[k]), out[k]) = 1;
__device__ float scaled(float value) {
  return value * 2;
}

__global__ void several(const float* in, float* out, int n, int m, bool twice) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  out[i] = x;
  if (i < m) out[i] = 1;  // other threads
  if (twice) out[i + 1] = x;
}

// Which of two accesses inside one expression comes first is not known.
__global__ void inside(const float* in, float* out) {
  out[threadIdx.x] = in[threadIdx.x] * scaled(in[1]);
}

// Where the first may not be come to, another one begins.
__global__ void conditions(const float* in, float* out, int n) {
  if (n > 1) out[0] = in[0];
  if (n > 1) out[1] = 2;
  out[2] = 3;
  if (n > 2) return;
  else out[3] = 4;
}

// Other variables of the same names: these are other threads.
__global__ void variables(float* out, int n) {
  {
    const int i = threadIdx.x;
    if (i < n) out[i] = 1;
  }
  {
    const int i = 2 * threadIdx.x;
    if (i < n) out[i] = 2;
  }
  {
    const unsigned m = n;
    if (threadIdx.x < m) out[threadIdx.x] = 3;
  }
  const unsigned m = n / 2;
  if (threadIdx.x < m) out[threadIdx.x] = 4;
}

// In loops each time is by itself.
__global__ void loops(const float* in, float* out, int n) {
  for (int k = 0; k < n; ++k) {
    if (in[0] > 1) out[threadIdx.x] = scaled(in[k]);
    out[k] = 1;
  }
}
