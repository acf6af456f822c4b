// Multiplies two square matrices twice: with every operand fetched from global memory for every product,
// and with tiles staged in shared memory, each element of which serves a whole row or column of the block.
//   matrix_multiply [n]
#include <cstddef>
#include <vector>

#include "../common/example.h"

constexpr int tileSize = 16;

__global__ void multiplyNaive(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                              int n) {
  const int column = blockIdx.x * tileSize + threadIdx.x;
  const int row = blockIdx.y * tileSize + threadIdx.y;
  if (column >= n || row >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

__global__ void multiplyTiled(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                              int n) {
  __shared__ float tileA[tileSize][tileSize];
  __shared__ float tileB[tileSize][tileSize];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int column = blockIdx.x * tileSize + x;
  const int row = blockIdx.y * tileSize + y;

  float sum = 0;
  for (int start = 0; start < n; start += tileSize) {
    tileA[y][x] = row < n && start + x < n ? a[row * n + start + x] : 0.0f;
    tileB[y][x] = column < n && start + y < n ? b[(start + y) * n + column] : 0.0f;
    __syncthreads();
    for (int k = 0; k < tileSize; ++k) sum += tileA[y][k] * tileB[k][x];
    __syncthreads();
  }
  if (column < n && row < n) c[row * n + column] = sum;
}

int main(int argc, char** argv) {
  const int n = sizeArgument(argc, argv, 64, 8192);
  const std::size_t elements = static_cast<std::size_t>(n) * n;
  const std::size_t bytes = elements * sizeof(float);

  // Small integers: every partial sum is exact, so any order of summation gives the same float.
  std::vector<float> a(elements), b(elements), expected(elements), result(elements);
  for (std::size_t i = 0; i < elements; ++i) {
    a[i] = static_cast<float>(i % 13);
    b[i] = static_cast<float>(i % 7) - 3;
  }
  for (int row = 0; row < n; ++row)
    for (int k = 0; k < n; ++k)
      for (int column = 0; column < n; ++column)
        expected[row * n + column] += a[row * n + k] * b[k * n + column];

  float *deviceA = nullptr, *deviceB = nullptr, *deviceC = nullptr;
  CUDA_CHECK(cudaMalloc(&deviceA, bytes));
  CUDA_CHECK(cudaMalloc(&deviceB, bytes));
  CUDA_CHECK(cudaMalloc(&deviceC, bytes));
  CUDA_CHECK(cudaMemcpy(deviceA, a.data(), bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(deviceB, b.data(), bytes, cudaMemcpyHostToDevice));

  const dim3 block(tileSize, tileSize);
  const dim3 grid(divideRoundingUp(n, tileSize), divideRoundingUp(n, tileSize));
  const auto isCorrect = [&] {
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(result.data(), deviceC, bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemset(deviceC, 0, bytes));
    return result == expected;
  };

  multiplyNaive<<<grid, block>>>(deviceA, deviceB, deviceC, n);
  bool correct = isCorrect();
  multiplyTiled<<<grid, block>>>(deviceA, deviceB, deviceC, n);
  correct = isCorrect() && correct;

  CUDA_CHECK(cudaFree(deviceA));
  CUDA_CHECK(cudaFree(deviceB));
  CUDA_CHECK(cudaFree(deviceC));
  return report("matrix_multiply", n, correct);
}
