// Adds two vectors: the smallest complete program, and the baseline for reading a trace, because every
// access is perfectly coalesced.
//   vector_add [elements]
#include <cstddef>
#include <vector>

#include "../common/example.h"

constexpr int blockSize = 256;

__global__ void vectorAdd(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                          int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
  const int n = sizeArgument(argc, argv, 10000, 1 << 28);
  const std::size_t bytes = n * sizeof(float);

  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) {
    a[i] = static_cast<float>(i % 1000);
    b[i] = static_cast<float>(2 * (i % 777));
  }

  float *deviceA = nullptr, *deviceB = nullptr, *deviceC = nullptr;
  CUDA_CHECK(cudaMalloc(&deviceA, bytes));
  CUDA_CHECK(cudaMalloc(&deviceB, bytes));
  CUDA_CHECK(cudaMalloc(&deviceC, bytes));
  CUDA_CHECK(cudaMemcpy(deviceA, a.data(), bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(deviceB, b.data(), bytes, cudaMemcpyHostToDevice));

  vectorAdd<<<divideRoundingUp(n, blockSize), blockSize>>>(deviceA, deviceB, deviceC, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(c.data(), deviceC, bytes, cudaMemcpyDeviceToHost));

  CUDA_CHECK(cudaFree(deviceA));
  CUDA_CHECK(cudaFree(deviceB));
  CUDA_CHECK(cudaFree(deviceC));

  bool correct = true;
  for (int i = 0; i < n; ++i) correct = correct && c[i] == a[i] + b[i];
  return report("vector_add", n, correct);
}
