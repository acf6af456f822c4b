// File-scope variables: __constant__, __device__ and __managed__, copied to and from by symbol.
#include "check.h"

struct Limits {
  int low, high;
  float weight[2];
};

namespace settings {
__constant__ Limits limits;
}  // namespace settings
__constant__ int table[8] = {1, 2, 4, 8, 16, 32, 64, 128};
__device__ int counter = 5;
__device__ float grid[4][8];
__managed__ int shared = 0;
static const int hostTable[3] = {7, 8, 9};  // a constant, but no device variable

__global__ void useGlobals(int* out) {
  const int t = threadIdx.x;
  out[t] = table[t] + settings::limits.high - settings::limits.low;
  grid[t / 8][t % 8] = settings::limits.weight[t & 1];
  if (t == 0) {
    counter += 1;
    ++shared;
  }
}

int main() {
  const Limits limits{10, 30, {0.5f, 1.5f}};
  CUDA_CHECK(cudaMemcpyToSymbol(settings::limits, &limits, sizeof limits));
  const int first = 100;
  CUDA_CHECK(cudaMemcpyToSymbol(table, &first, sizeof first, 2 * sizeof(int)));
  shared = hostTable[1];

  int* out = nullptr;
  CUDA_CHECK(cudaMalloc(&out, 8 * sizeof(int)));
  useGlobals<<<1, 8>>>(out);
  CUDA_CHECK(cudaDeviceSynchronize());
  EXPECT(shared == 9);

  int result[8], counted = 0;
  float row[8];
  CUDA_CHECK(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpyFromSymbol(&counted, counter, sizeof counted));
  CUDA_CHECK(cudaMemcpyFromSymbol(row, grid, sizeof row));
  for (int i = 0; i < 8; ++i) EXPECT(result[i] == (i == 2 ? 100 : 1 << i) + 20);
  EXPECT(counted == 6);
  for (int i = 0; i < 8; ++i) EXPECT(row[i] == (i % 2 ? 1.5f : 0.5f));

  void* address = nullptr;
  CUDA_CHECK(cudaGetSymbolAddress(&address, counter));
  const int seven = 7;
  CUDA_CHECK(cudaMemcpy(address, &seven, sizeof seven, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpyFromSymbol(&counted, counter, sizeof counted));
  EXPECT(counted == 7);
  CUDA_CHECK(cudaFree(out));
  return verdict();
}
