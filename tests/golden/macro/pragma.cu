// A macro whose body is a directive: nvcc reads it as a pragma, Clang would see an error of syntax.
// cpu: no, a host compiler sees the # as Clang does
// expect: #define UNROLL #pragma unroll
// expect: for (int i = 0; i < 4; ++i) sum += CUI_ACCESS(#, p[i]);
#define UNROLL #pragma unroll
#define UNROLL_BY_2 # pragma unroll 2
__global__ void sumUnrolled(const float* p, float* out) {
  float sum = 0;
  UNROLL
  for (int i = 0; i < 4; ++i) sum += p[i];
  UNROLL_BY_2
  for (int i = 4; i < 8; ++i) {
    sum += p[i];
  }
  *out = sum;
}
#undef UNROLL
#undef UNROLL_BY_2
