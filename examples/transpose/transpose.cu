// Transposes a square matrix in three ways: straight from global to global memory, through a shared tile,
// and through a tile whose rows are padded by one element. The first wastes sectors, the second has bank
// conflicts, the third has neither.
//   transpose [n]
#include <cstddef>
#include <vector>

#include "../common/example.h"

constexpr int tileSize = 32;
constexpr int blockRows = 8;  // each thread moves tileSize / blockRows elements

__global__ void transposeNaive(const float* __restrict__ in, float* __restrict__ out, int n) {
  const int x = blockIdx.x * tileSize + threadIdx.x;
  const int y = blockIdx.y * tileSize + threadIdx.y;
  for (int row = 0; row < tileSize; row += blockRows)
    if (x < n && y + row < n) out[x * n + y + row] = in[(y + row) * n + x];
}

__global__ void transposeTiled(const float* __restrict__ in, float* __restrict__ out, int n) {
  __shared__ float tile[tileSize][tileSize];
  int x = blockIdx.x * tileSize + threadIdx.x;
  int y = blockIdx.y * tileSize + threadIdx.y;
  for (int row = 0; row < tileSize; row += blockRows)
    if (x < n && y + row < n) tile[threadIdx.y + row][threadIdx.x] = in[(y + row) * n + x];
  __syncthreads();
  x = blockIdx.y * tileSize + threadIdx.x;
  y = blockIdx.x * tileSize + threadIdx.y;
  for (int row = 0; row < tileSize; row += blockRows)
    if (x < n && y + row < n) out[(y + row) * n + x] = tile[threadIdx.x][threadIdx.y + row];
}

__global__ void transposePadded(const float* __restrict__ in, float* __restrict__ out, int n) {
  __shared__ float tile[tileSize][tileSize + 1];
  int x = blockIdx.x * tileSize + threadIdx.x;
  int y = blockIdx.y * tileSize + threadIdx.y;
  for (int row = 0; row < tileSize; row += blockRows)
    if (x < n && y + row < n) tile[threadIdx.y + row][threadIdx.x] = in[(y + row) * n + x];
  __syncthreads();
  x = blockIdx.y * tileSize + threadIdx.x;
  y = blockIdx.x * tileSize + threadIdx.y;
  for (int row = 0; row < tileSize; row += blockRows)
    if (x < n && y + row < n) out[(y + row) * n + x] = tile[threadIdx.x][threadIdx.y + row];
}

bool isTransposed(const std::vector<float>& in, const std::vector<float>& out, int n) {
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x)
      if (out[static_cast<std::size_t>(x) * n + y] != in[static_cast<std::size_t>(y) * n + x]) return false;
  return true;
}

int main(int argc, char** argv) {
  const int n = sizeArgument(argc, argv, 256, 16384);
  const std::size_t elements = static_cast<std::size_t>(n) * n;
  const std::size_t bytes = elements * sizeof(float);

  std::vector<float> input(elements), output(elements);
  for (std::size_t i = 0; i < elements; ++i) input[i] = static_cast<float>(i % 65521);

  float *deviceIn = nullptr, *deviceOut = nullptr;
  CUDA_CHECK(cudaMalloc(&deviceIn, bytes));
  CUDA_CHECK(cudaMalloc(&deviceOut, bytes));
  CUDA_CHECK(cudaMemcpy(deviceIn, input.data(), bytes, cudaMemcpyHostToDevice));

  const dim3 block(tileSize, blockRows);
  const dim3 grid(divideRoundingUp(n, tileSize), divideRoundingUp(n, tileSize));
  const auto isCorrect = [&] {
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(output.data(), deviceOut, bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemset(deviceOut, 0, bytes));
    return isTransposed(input, output, n);
  };

  transposeNaive<<<grid, block>>>(deviceIn, deviceOut, n);
  bool correct = isCorrect();
  transposeTiled<<<grid, block>>>(deviceIn, deviceOut, n);
  correct = isCorrect() && correct;
  transposePadded<<<grid, block>>>(deviceIn, deviceOut, n);
  correct = isCorrect() && correct;

  CUDA_CHECK(cudaFree(deviceIn));
  CUDA_CHECK(cudaFree(deviceOut));
  return report("transpose", n, correct);
}
