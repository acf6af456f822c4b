// Squared lengths of vectors.
#include "../common/example.h"
#include "kernels.h"

constexpr int blockSize = 128;

static __global__ void lengths(const Vec3* vectors, float* out, int n) {
  const int i = threadNumber();
  if (i < n) out[i] = lengthSquared(vectors[i]);
}

void squareLengths(const Vec3* vectors, float* lengthsOut, int n) {
  lengths<<<divideRoundingUp(n, blockSize), blockSize>>>(vectors, lengthsOut, n);
  CUDA_CHECK(cudaGetLastError());
}
