// Counts byte values with atomics on global memory, and with atomics on a private copy of the bins in
// shared memory that each block adds to the result at its end.
//   histogram [elements]
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../common/example.h"

constexpr int bins = 256;
constexpr int blockSize = 256;
constexpr int maxBlocks = 16;

__global__ void histogramGlobal(const std::uint8_t* __restrict__ data, unsigned* __restrict__ counts, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&counts[data[i]], 1u);
}

__global__ void histogramShared(const std::uint8_t* __restrict__ data, unsigned* __restrict__ counts, int n) {
  __shared__ unsigned blockCounts[bins];
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) blockCounts[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&blockCounts[data[i]], 1u);
  __syncthreads();
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) atomicAdd(&counts[bin], blockCounts[bin]);
}

int main(int argc, char** argv) {
  const int n = sizeArgument(argc, argv, 65536, 1 << 28);

  // The mean of two scattered bytes: as with the brightness of a picture, the middle values are the
  // frequent ones.
  std::vector<std::uint8_t> data(n);
  std::vector<unsigned> expected(bins), result(bins);
  for (int i = 0; i < n; ++i) {
    const std::uint32_t hash = i * 2654435761u;
    data[i] = static_cast<std::uint8_t>(((hash >> 24) + (hash >> 16 & 255)) / 2);
    ++expected[data[i]];
  }

  std::uint8_t* deviceData = nullptr;
  unsigned* deviceCounts = nullptr;
  CUDA_CHECK(cudaMalloc(&deviceData, n));
  CUDA_CHECK(cudaMalloc(&deviceCounts, bins * sizeof(unsigned)));
  CUDA_CHECK(cudaMemcpy(deviceData, data.data(), n, cudaMemcpyHostToDevice));

  const int needed = divideRoundingUp(n, blockSize);
  const int blocks = needed < maxBlocks ? needed : maxBlocks;
  bool correct = true;
  for (const bool inShared : {false, true}) {
    CUDA_CHECK(cudaMemset(deviceCounts, 0, bins * sizeof(unsigned)));
    if (inShared)
      histogramShared<<<blocks, blockSize>>>(deviceData, deviceCounts, n);
    else
      histogramGlobal<<<blocks, blockSize>>>(deviceData, deviceCounts, n);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(result.data(), deviceCounts, bins * sizeof(unsigned), cudaMemcpyDeviceToHost));
    correct = correct && result == expected;
  }

  CUDA_CHECK(cudaFree(deviceData));
  CUDA_CHECK(cudaFree(deviceCounts));
  return report("histogram", n, correct);
}
