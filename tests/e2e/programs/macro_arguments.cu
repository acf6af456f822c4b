// What macros do with their arguments, where uses share a line or are in another macro's text: each place in the
// macro's text is a site, and the argument says which use it is.
#include "check.h"

#define SWAP(x, y) { auto t = x; x = y; y = t; }
#define TAKE(x, y) x = y
#define ROUND(x, y, z) TAKE(x, y), TAKE(y, z), TAKE(z, x)
#define RAISE(x) x = x + 1
#define BOTH(p) RAISE(p[0]); RAISE(p[1])
#define SAID(x) said(#x, x = x + 2)
#define HANDED(x) SAID(x)

__device__ int said(const char* text, int value) {
  return text != nullptr && value > 2;
}

__global__ void exchange(int* p) {
  SWAP(p[0], p[1]); SWAP((p[2]), p[3]);
  int own = 9;
  SWAP(own, p[4]); SWAP(own, own); SWAP(p[5], own);
  ROUND(p[0], p[1], p[2]);
  BOTH(p);
  p[8] = SAID(p[6]) + SAID(p[7]);
  p[9] = HANDED(p[6]) + HANDED(p[7]);
}

int main() {
  int* p = nullptr;
  int values[10] = {10, 11, 12, 13, 14, 15, 16, 17};
  CUDA_CHECK(cudaMalloc(&p, sizeof values));
  CUDA_CHECK(cudaMemcpy(p, values, sizeof values, cudaMemcpyHostToDevice));
  exchange<<<1, 1>>>(p);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(values, p, sizeof values, cudaMemcpyDeviceToHost));
  // 11 10 13 12 9 14 after the swaps; 10 13 10 after the round; each one more for the first two.
  EXPECT(values[0] == 11 && values[1] == 14 && values[2] == 10 && values[3] == 12);
  EXPECT(values[4] == 9 && values[5] == 14 && values[6] == 20 && values[7] == 21);
  EXPECT(values[8] == 2 && values[9] == 2);
  CUDA_CHECK(cudaFree(p));
  return verdict();
}
