// Functions for both sides are instrumented; on the host side the wrapper does nothing. Host functions
// and host lambdas are not.
// expect: inline float at(const float* a, int i) { return CUI_ACCESS(#, a[i]); }
// expect: float hostOnly(const float* a, int i) { return a[i]; }
// expect: [a](int i) { return a[i]; }
__host__ __device__ inline float at(const float* a, int i) { return a[i]; }
float hostOnly(const float* a, int i) { return a[i]; }
__global__ void run(float* a) { a[0] = at(a, 1); }
float both(const float* a) {
  auto f = [a](int i) { return a[i]; };
  return at(a, 0) + hostOnly(a, 1) + f(2);
}
