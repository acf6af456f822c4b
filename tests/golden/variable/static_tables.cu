// Constant tables of a file and of a function are memory; constant numbers are folded into the code.
// expect: CUI_ACCESS(#, cubes[i]) + offset;
// expect: CUI_ACCESS(#, weights[i])
// expect: CUI_ACCESS(#, primes[i])
__device__ const float weights[4] = {1, 2, 3, 4};
__global__ void staticTables(float* out) {
  int i = threadIdx.x;
  static __device__ const int primes[4] = {2, 3, 5, 7};
  static const int cubes[4] = {0, 1, 8, 27};
  static const int offset = 3;
  out[i] = weights[i] * primes[i] + cubes[i] + offset;
}
