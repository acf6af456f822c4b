__global__ void clear(float* p) {
  int i = threadIdx.x;
  p[i] = 0;
}
