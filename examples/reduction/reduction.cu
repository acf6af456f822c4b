// Sums an array with a tree in shared memory and with warp shuffles. Both read the input once; what
// differs is how much shared memory traffic a block needs to combine its threads' sums.
//   reduction [elements]
#include <cstddef>
#include <vector>

#include "../common/example.h"

constexpr int blockSize = 256;
constexpr int warpSize32 = 32;
constexpr int warpsPerBlock = blockSize / warpSize32;
constexpr int maxBlocks = 64;  // more input than 64 blocks hold is a loop in every thread

__device__ int sumOfStrided(const int* __restrict__ in, int n) {
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  return sum;
}

__global__ void sumShared(const int* __restrict__ in, int* __restrict__ total, int n) {
  __shared__ int partial[blockSize];
  partial[threadIdx.x] = sumOfStrided(in, n);
  for (int half = blockSize / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
  }
  if (threadIdx.x == 0) atomicAdd(total, partial[0]);
}

/// The sum over the warp, valid in lane 0.
__device__ int sumOfWarp(int value) {
  for (int offset = warpSize32 / 2; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

__global__ void sumShuffle(const int* __restrict__ in, int* __restrict__ total, int n) {
  __shared__ int warpSum[warpsPerBlock];
  const int lane = threadIdx.x % warpSize32;
  const int warp = threadIdx.x / warpSize32;
  int sum = sumOfWarp(sumOfStrided(in, n));
  if (lane == 0) warpSum[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = sumOfWarp(lane < warpsPerBlock ? warpSum[lane] : 0);
    if (lane == 0) atomicAdd(total, sum);
  }
}

int main(int argc, char** argv) {
  const int n = sizeArgument(argc, argv, 100000, 1 << 28);
  const std::size_t bytes = n * sizeof(int);

  std::vector<int> input(n);
  int expected = 0;
  for (int i = 0; i < n; ++i) {
    input[i] = i % 17 - 8;
    expected += input[i];
  }

  int *deviceIn = nullptr, *deviceTotals = nullptr;
  CUDA_CHECK(cudaMalloc(&deviceIn, bytes));
  CUDA_CHECK(cudaMalloc(&deviceTotals, 2 * sizeof(int)));
  CUDA_CHECK(cudaMemcpy(deviceIn, input.data(), bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(deviceTotals, 0, 2 * sizeof(int)));

  const int needed = divideRoundingUp(n, blockSize);
  const int blocks = needed < maxBlocks ? needed : maxBlocks;
  sumShared<<<blocks, blockSize>>>(deviceIn, deviceTotals, n);
  CUDA_CHECK(cudaGetLastError());
  sumShuffle<<<blocks, blockSize>>>(deviceIn, deviceTotals + 1, n);
  CUDA_CHECK(cudaGetLastError());

  int totals[2] = {};
  CUDA_CHECK(cudaMemcpy(totals, deviceTotals, sizeof totals, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(deviceIn));
  CUDA_CHECK(cudaFree(deviceTotals));
  return report("reduction", n, totals[0] == expected && totals[1] == expected);
}
