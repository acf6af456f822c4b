// Accesses that cannot be instrumented, each for its own reason. The program works all the same, and the
// trace says what it lacks.
#include <cassert>

#include "check.h"

#define HOLDS(condition) assert(condition)

struct Flags {
  unsigned low : 4;
  unsigned high : 4;
  unsigned whole;
  __device__ unsigned next() const { return low + 1; }
};

struct Tagged : Flags {};

__global__ void skipped(Tagged* flags, int* out) {
  const int i = threadIdx.x;
  flags[i].high = flags[i].next();
  flags[i].whole = 7;
  HOLDS(out[i] == 0);
  out[i] = 3;
}

int main() {
  Tagged* flags = nullptr;
  int* out = nullptr;
  CUDA_CHECK(cudaMalloc(&flags, 4 * sizeof(Flags)));
  CUDA_CHECK(cudaMalloc(&out, 4 * sizeof(int)));
  Flags hostFlags[4] = {{1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}};
  CUDA_CHECK(cudaMemcpy(flags, hostFlags, sizeof hostFlags, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(out, 0, 4 * sizeof(int)));
  skipped<<<1, 4>>>(flags, out);
  int result[4];
  CUDA_CHECK(cudaMemcpy(hostFlags, flags, sizeof hostFlags, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < 4; ++i)
    EXPECT(hostFlags[i].low == i + 1 && hostFlags[i].high == i + 2 && hostFlags[i].whole == 7 &&
           result[i] == 3);
  CUDA_CHECK(cudaFree(flags));
  CUDA_CHECK(cudaFree(out));
  return verdict();
}
