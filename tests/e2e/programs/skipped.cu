// Accesses that cannot be instrumented, each for its own reason. The program works all the same, and the
// trace says what it lacks.
#include <cstddef>

#include "check.h"

#define HOLDS(condition) holds(condition, sizeof(#condition " in " __FILE__))

struct Flags {
  unsigned low : 4;
  unsigned high : 4;
  unsigned whole;
};

struct Handle {
  Flags* flags;
  __device__ Flags* operator->() const { return flags; }
};
struct Holder {
  Handle handle;
  __device__ Handle operator->() const { return handle; }
};

__device__ int holds(bool condition, std::size_t length) { return condition && length > 0 ? 3 : 4; }

__global__ void skipped(Flags* flags, int* out) {
  const int i = threadIdx.x;
  const Holder holder = {{flags + i}};
  holder->high = flags[i].low + 1;
  flags[i].whole = 7;
  out[i] = HOLDS(out[i] == 0);
}

int main() {
  Flags* flags = nullptr;
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
