// Constant tables: of a function, of a file, and constexpr ones used with a run-time index.
// expect: CUI_ACCESS(#, weights[i])
// expect: CUI_ACCESS(#, primes[i])
__device__ const float weights[4] = {1, 2, 3, 4};
__global__ void staticTables(float* out) {
  int i = threadIdx.x;
  static __device__ const int primes[4] = {2, 3, 5, 7};
  out[i] = weights[i] * primes[i];
}
