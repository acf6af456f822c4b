// Functions that only nvcc calls again and again, and those that call themselves but that no kernel calls (without a row: nothing is given to them):
// the stack is known.
// expect-not: CUI_RECURSIVE
constexpr __host__ __device__ int bits(int n) {
  return n <= 1 ? 0 : 1 + bits(n / 2);
}
__device__ int unused(const int* a, int n) {
  return n <= 0 ? a[0] : unused(a, n - 1);
}
__device__ int once(const int* a, int n) {
  return a[n];
}
__global__ void known(int* a) {
  a[threadIdx.x] = once(a, bits(32)) + once(a, 1);
}
