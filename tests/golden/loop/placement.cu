// Pragmas belong to the loop, so what is new goes in front of them and has them as operators; directives in the loop,
// which other compilations may see otherwise, forbid it. In templates all instantiations must agree.
// expect: CUI_KERNEL(#); CUI_FIXED_LOOP_BY_ROW(#, (0, (), (true), ()), 2, (int, k, 0, <, 16, + 1), (), (#, a[k], #, b[0]), _Pragma("unroll 4") for (int k = 0; k < 16; ++k) b[0] += a[k];)
// expect: float sum = 0; CUI_FIXED_LOOP_BY_ROW(#, (0, (), (true), ()), 1, (int, k, 0, <, N, + 1), (), (#, a[k + N]), _Pragma("unroll") for (int k = 0; k < N; ++k) { sum += a[k + N]; })
// expect:     CUI_BY_ROW_IN_LOOP(((k), ()), (#, b[k]), b[k]) = 0;
// expect: for (int k = 0; k < N; ++k) sum += CUI_BY_ROW_IN_LOOP(((k), ()), (#, table[k]), table[k]);
template <int N, class Table>
__global__ void placed(const float* a, float* b, Table table) {
  float sum = 0;
#pragma unroll
  for (int k = 0; k < N; ++k) {
    sum += a[k + N];
  }
  for (int k = 0; k < N; ++k) {
    b[k] = 0;
#ifdef __CUDA_ARCH__
    sum += 1;
#endif
  }
  for (int k = 0; k < N; ++k) sum += table[k];
  b[0] = sum;
}
struct Squares {
  __device__ float operator[](int i) const { return static_cast<float>(i * i); }
};
template __global__ void placed<8, const float*>(const float*, float*, const float*);
template __global__ void placed<4, Squares>(const float*, float*, Squares);
__global__ void plain(const float* a, float* b) {
#pragma unroll 4
  for (int k = 0; k < 16; ++k) b[0] += a[k];
}
// Whatever macros a program has.
#define first 1 +
#define times 2 *
#define backend 3
__global__ void hostile(float* b) {
  for (int step = 0; step < 4; ++step) b[step] = 0;
}
#undef first
#undef times
#undef backend
