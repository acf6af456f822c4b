// A line of nvcc's that names no architecture is for nvcc's own, sm_75 of CUDA 13: its text is what is read.
// compile: -arch=default
// cpu: no, an option of nvcc's
// expect: CUI_ACCESS(0, p[threadIdx.x]) = 75;
// expect-not: 80)
__global__ void store(int* p) {
#if __CUDA_ARCH__ >= 800
  p[threadIdx.x + 1] = 80;
#else
  p[threadIdx.x] = 75;
#endif
}
