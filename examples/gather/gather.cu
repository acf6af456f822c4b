// Gathers table entries through an index array, first scattered over the table, then sorted. The kernel
// and the work are the same; only the order of the indices decides how many sectors a warp touches.
//   gather [elements]
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../common/example.h"

constexpr int blockSize = 256;

__global__ void gather(const float* __restrict__ table, const int* __restrict__ index,
                       float* __restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[index[i]];
}

int main(int argc, char** argv) {
  const int n = sizeArgument(argc, argv, 16384, 1 << 26);
  const std::size_t bytes = n * sizeof(float);

  std::vector<float> table(n), out(n);
  std::vector<int> index(n);
  for (int i = 0; i < n; ++i) {
    table[i] = static_cast<float>(i);
    // Multiples of the golden ratio modulo 1, scaled to the table: scattered and evenly spread.
    index[i] = static_cast<int>(std::uint64_t{i * 2654435761u} * n >> 32);
  }

  float *deviceTable = nullptr, *deviceOut = nullptr;
  int* deviceIndex = nullptr;
  CUDA_CHECK(cudaMalloc(&deviceTable, bytes));
  CUDA_CHECK(cudaMalloc(&deviceIndex, n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&deviceOut, bytes));
  CUDA_CHECK(cudaMemcpy(deviceTable, table.data(), bytes, cudaMemcpyHostToDevice));

  bool correct = true;
  for (const bool sorted : {false, true}) {
    if (sorted) std::sort(index.begin(), index.end());
    CUDA_CHECK(cudaMemcpy(deviceIndex, index.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    gather<<<divideRoundingUp(n, blockSize), blockSize>>>(deviceTable, deviceIndex, deviceOut, n);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(out.data(), deviceOut, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) correct = correct && out[i] == table[index[i]];
  }

  CUDA_CHECK(cudaFree(deviceTable));
  CUDA_CHECK(cudaFree(deviceIndex));
  CUDA_CHECK(cudaFree(deviceOut));
  return report("gather", n, correct);
}
