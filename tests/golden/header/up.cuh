__device__ inline float up(float* p) {
  return p[1];
}
