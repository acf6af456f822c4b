// A library's header in which Clang has errors that concern neither a kernel nor a launch.
#include <Eigen/Core>

#include "check.h"

__global__ void subtract(const numbers::Half* a, numbers::Half* b) {
  b[threadIdx.x] = a[threadIdx.x] - b[threadIdx.x];
}

int main() {
  numbers::Half *a, *b;
  CUDA_CHECK(cudaMallocManaged(&a, 32 * sizeof *a));
  CUDA_CHECK(cudaMallocManaged(&b, 32 * sizeof *b));
  for (int i = 0; i < 32; ++i) a[i] = numbers::Half(float(3 * i)), b[i] = numbers::Half(float(i));
  subtract<<<1, 32>>>(a, b);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) EXPECT(float(b[i]) == float(2 * i));
  EXPECT(float(numbers::between(a[0], a[2])) == 3);
  return verdict();
}
