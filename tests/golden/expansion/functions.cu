// Relocatable code has all functions that other units may call, as well as kernels, inlined or not: 4 sites in step(), 8 * 8 calls of it in
// each of four functions, 1,024 in all of them together.
// compile: -rdc=true
// cpu: no, -rdc is a flag of nvcc's
// nvcc: no, it takes seconds
// expect: #define CUI_MANY_SITES
// expect: #define CUI_MANY_REGISTERS
__device__ inline void step(unsigned* x) {
  x[0] += x[1];
  x[2] ^= x[3];
}
template <int First>
__device__ inline void mix(unsigned* x) {
#pragma unroll
  for (int i = First; i < First + 8; ++i)
    for (int j = 1; j <= 8; ++j) step(x);
}
__device__ void first(unsigned* x) { mix<0>(x); }
__device__ __noinline__ void second(unsigned* x) { mix<1>(x); }
__device__ void third(unsigned* x) { mix<2>(x); }
namespace own {
__device__ void fourth(unsigned* x) { mix<3>(x); }
}  // namespace own
