// Of functions that no other unit can call nvcc compiles what is called, in its kernels: `functions` without relocatable code.
// nvcc: no, it takes seconds
// expect-not: CUI_MANY_SITES
__device__ inline void step(unsigned* x) {
  x[0] += x[1];
  x[2] ^= x[3];
}
__device__ void uncalled(unsigned* x) {
#pragma unroll
  for (int i = 0; i < 32; ++i)
    for (int j = 0; j < 32; ++j) step(x);
}
