// Calls that are not inlined, loops that stay loops or have no number of turns, and recursion do not multiply sites.
// expect-not: CUI_MANY_SITES
__device__ void step(unsigned* x) {
  x[0] += x[1];
  x[2] ^= x[3];
}
__device__ __noinline__ void apart(unsigned* x) {
  for (int i = 0; i < 32; ++i)
    for (int j = 0; j < 32; ++j) step(x);
}
__device__ void deeper(unsigned* x, int n) {
  if (n > 0) deeper(x + 1, n - 1);
  step(x);
}
__global__ void mix(unsigned* x, int n) {
  for (int i = 0; i < 1000; ++i) step(x);
  for (int i = 0; i < n; ++i) step(x);
#pragma unroll 1
  for (int i = 0; i < 32; ++i)
    for (int j = 0; j < 31; ++j) step(x);
  apart(x);
  deeper(x, n);
}
void run(unsigned* x) { mix<<<1, 1>>>(x, 4); }
