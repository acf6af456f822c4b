// Kernels whose stack nobody knows: device functions that call each other in turn. What nvcc evaluates itself is no such call.
// standard: 17 20
// expect: #define CUI_RECURSIVE
__device__ int even(const int* a, int n);
__device__ int odd(const int* a, int n) {
  return n <= 0 ? a[0] : even(a, n - 1);
}
__device__ int even(const int* a, int n) {
  return n <= 0 ? a[1] : odd(a, n - 1);
}
__global__ void alternate(int* a) {
  a[threadIdx.x] = even(a, a[2]);
}
