// 4 sites in step() and 32 * 8 calls of it, once nvcc has unrolled the loops: 1,024 in the kernel, from 1,000 on they are spelled
// compactly.
// nvcc: no, it takes seconds
// expect: #define CUI_MANY_SITES
__device__ void step(unsigned* x) {
  x[0] += x[1];
  x[2] ^= x[3];
}
template <int Turns>
__global__ void mix(unsigned* x) {
#pragma unroll
  for (int i = 0; i < Turns; ++i)
    for (int j = 1; j <= 8; ++j) step(x);
}
void run(unsigned* x) { mix<32><<<1, 1>>>(x); }
