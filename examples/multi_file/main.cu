// A program of three translation units with device code in a shared header: scales vectors, then squares
// their lengths.
//   multi_file [vectors]
#include <cstddef>
#include <vector>

#include "../common/example.h"
#include "kernels.h"

int main(int argc, char** argv) {
  const int n = sizeArgument(argc, argv, 4096, 1 << 24);

  std::vector<Vec3> vectors(n);
  for (int i = 0; i < n; ++i) vectors[i] = {float(i % 8), float(i % 4), float(i % 2)};

  Vec3* deviceVectors = nullptr;
  float* deviceLengths = nullptr;
  CUDA_CHECK(cudaMalloc(&deviceVectors, n * sizeof(Vec3)));
  CUDA_CHECK(cudaMalloc(&deviceLengths, n * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(deviceVectors, vectors.data(), n * sizeof(Vec3), cudaMemcpyHostToDevice));

  scaleVectors(deviceVectors, 2, n);
  squareLengths(deviceVectors, deviceLengths, n);

  std::vector<float> result(n);
  CUDA_CHECK(cudaMemcpy(result.data(), deviceLengths, n * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(deviceVectors));
  CUDA_CHECK(cudaFree(deviceLengths));

  bool correct = true;
  for (int i = 0; i < n; ++i) correct = correct && result[i] == 4 * lengthSquared(vectors[i]);
  return report("multi_file", n, correct);
}
