// Device code chosen by __CUDA_ARCH__ is instrumented; the host's branch is not parsed and stays.
// expect: CUI_ACCESS(#, p[0]) = 1;
// expect: p[0] = 2;
__host__ __device__ void side(int* p) {
#ifdef __CUDA_ARCH__
  p[0] = 1;
#else
  p[0] = 2;
#endif
}
__global__ void run(int* p) { side(p); }
