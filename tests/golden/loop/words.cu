// Macros named like words of the language that other forms need in their own text: those of loops, and of places that
// a row of the grid comes to alike, have none of these.
// expect: CUI_LOOP(3, 2, (int, i, 0, <, n, + 1)
// expect: CUI_LOOP_BY_ROW(#, (2,
// expect: CUI_BEGIN_ROW((0, 0, (
#define long int
#define unsigned
#define static_cast static cast
struct Pair {
  int x, y;
  __device__ Pair(int v) : x(v), y(v) {}
};
__global__ void loops(float* a, const float* b, int n) {
  for (int i = 0; i < n; ++i) a[n * n + i] = b[threadIdx.x * n * i];
  for (int i = threadIdx.x; i < 100; i += blockDim.x) a[blockIdx.x * 100 + i] = 1.0f;
}
__global__ void row(float* a, const float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = b[i] + 1;
  a[i + 1] = b[i + 1];
}
#undef long
#undef unsigned
#undef static_cast
