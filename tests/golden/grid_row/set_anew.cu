// Variables that are set anew: what they are where the accesses are made is what the last statement in front of them has
// set them to, if all threads have come by it.
// expect: CUI_LOOP_BY_ROW(#, (0, (const decltype(y) y = (blockIdx.y * 32 + threadIdx.y); (void)(y); const decltype(x) x = (blockIdx.x * 32 + threadIdx.x); (void)(x)), (true), ()), 2,
// expect: CUI_LOOP_BY_ROW(#, (0, (const decltype(y) y = (blockIdx.x * 32 + threadIdx.y); (void)(y); const decltype(x) x = (blockIdx.y * 32 + threadIdx.x); (void)(x)), (true), ()), 2,
// expect: CUI_BEGIN_ROW((0, 2, (const decltype(p) p = (in + threadIdx.x); (void)(p)), ((threadIdx.x <= n))), (#, *p), *p)
// expect: CUI_BY_ROW((0, (const decltype(p) p = (in + blockIdx.x); (void)(p)), (true)), (#, p[1], #, out[1]), out[1] = p[1])
// expect: CUI_TOGETHER((#, in[i], #, out[0]),
// expect: CUI_TOGETHER((#, in[j], #, out[1]),
// expect: CUI_TOGETHER((#, in[k], #, out[2]),
// expect: CUI_TOGETHER((#, in[l], #, out[4]),
// expect: CUI_TOGETHER((#, in[m], #, out[5]),
// expect: CUI_TOGETHER((#, in[o], #, out[6]),
// expect: CUI_TOGETHER((#, in[earlier], #, out[7]),
__global__ void transpose(const float* in, float* out, int width) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void pointers(const float* in, float* out, int n) {
  const float* p = in + threadIdx.x;
  if (threadIdx.x <= n) {
    float sum = *p;
    out[0] = sum;
  }
  p = in + blockIdx.x;
  out[1] = p[1];
}

// By some threads only, in a loop, by what they were themselves, in another expression, by who has their address, where
// the loop comes back to what is behind it, and what was made of them before.
__global__ void refused(const float* in, float* out, int n) {
  int i = threadIdx.x, j = threadIdx.x, k = threadIdx.x, l = threadIdx.x, m = threadIdx.x, o = threadIdx.x, q = threadIdx.x;
  if (threadIdx.x < n) i = 2 * threadIdx.x;
  out[0] = in[i];
  for (int times = 0; times < n; ++times) j = times + threadIdx.y;
  out[1] = in[j];
  k = k + threadIdx.y;
  out[2] = in[k];
  out[(l = threadIdx.y) + 3] = 0;
  out[4] = in[l];
  int* const known = &m;
  m = threadIdx.y;
  *known = 5;
  out[5] = in[m];
  for (int times = 0; times < n; ++times) {
    out[6] = in[o];
    o = threadIdx.y;
  }
  const int earlier = q + 1;
  q = threadIdx.y;
  out[7] = in[earlier];
}
