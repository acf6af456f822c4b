// Scales vectors in place, but not those that are zero.
#include "../common/example.h"
#include "kernels.h"

constexpr int blockSize = 128;

static __global__ void scale(Vec3* vectors, float factor, int n) {
  const int i = threadNumber();
  if (i >= n || lengthSquared(vectors[i]) == 0) return;
  vectors[i].x *= factor;
  vectors[i].y *= factor;
  vectors[i].z *= factor;
}

void scaleVectors(Vec3* vectors, float factor, int n) {
  scale<<<divideRoundingUp(n, blockSize), blockSize>>>(vectors, factor, n);
  CUDA_CHECK(cudaGetLastError());
}
