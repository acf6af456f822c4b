// Where nvcc takes what Clang calls an error, but has the code of, what is private to a thread is known all the same.
// expect: __device__ void mixed(float* t) { t[0] += t[1]; }
// expect: __device__ void again(float* t, int n) { t[0] *= t[n]; }
// expect: __device__ void clocked(float* t) { t[2] -= t[3]; }
// expect: CUI_ACCESS(#, p[2]) = t[2];
// cpu: no, for the inline assembly
__device__ void mixed(float* t) { t[0] += t[1]; }
__device__ void again(float* t, int n) { t[0] *= t[n]; }
__device__ void clocked(float* t) { t[2] -= t[3]; }
__device__ int __clz(int x) {
  float own[2] = {float(x), 2};
  again(own, 1);
  return own[0] > 1;
}
__device__ float chosen(const float* factor, int kind) {
  float own[2] = {factor[0], 2};
  switch (kind) {
    case 0: float scaled = own[0]; mixed(own); return scaled;
    case 1: again(own, 0); return own[1];
  }
  return 0;
}
__global__ void privateBesideErrors(float* p) {
  float t[4] = {p[0], p[1], 2, 3};
  mixed(t);
  unsigned low;
  asm volatile("mov.u32 %0, %globaltimer_lo;" : "=r"(low));
  clocked(t);
  p[2] = t[2];
  p[3] = __clz(low) + chosen(p + 4, low & 1);
}
