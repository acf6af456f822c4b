// 4 sites in step(), 8 * 8 calls of it in each of four instances: 1,024 in all kernels together. None has many by itself: compactly, but
// for the branch in front of each call.
// nvcc: no, it takes seconds
// expect: #define CUI_MANY_SITES
// expect: #define CUI_MANY_REGISTERS
__device__ void step(unsigned* x) {
  x[0] += x[1];
  x[2] ^= x[3];
}
template <int First>
__global__ void mix(unsigned* x) {
#pragma unroll
  for (int i = First; i < First + 8; ++i)
    for (int j = 1; j <= 8; ++j) step(x);
}
void run(unsigned* x) {
  mix<0><<<1, 1>>>(x);
  mix<1><<<1, 1>>>(x);
  mix<2><<<1, 1>>>(x);
  mix<3><<<1, 1>>>(x);
}
