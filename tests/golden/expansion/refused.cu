// Loops that go round a few times count as one call in front of them only where all of their accesses can be recorded there. Here
// one cannot: the four loops are 4 * 100 * 3 sites.
// nvcc: no, it takes seconds
// expect: #define CUI_MANY_SITES
__device__ void step(float* x, const float* y, const int* z) {
#pragma unroll
  for (size_t i = 0; i < 100; ++i) x[i] += y[z[i]];
}
__global__ void refused(float* x, const float* y, const int* z) {
  step(x, y, z);
  step(x + 1, y, z);
  step(x + 2, y, z);
  step(x + 3, y, z);
}
