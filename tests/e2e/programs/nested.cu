// Kernels that launch kernels, and blocks that meet each other.
#include <cooperative_groups.h>

#include "check.h"

constexpr int blocks = 2, children = 8;

__global__ void collect(const int* parts, int* sum) {
  atomicAdd(sum, parts[threadIdx.x]);
}

template <class T>
__global__ void fill(T* part, T first) {
  part[threadIdx.x] = first + threadIdx.x;
}

__global__ void parent(int* parts, int* sum) {
  int* mine = parts + blockIdx.x * children;
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) collect<<<1, blocks * children, 0, cudaStreamTailLaunch>>>(parts, sum);
    fill<int><<<1, children>>>(mine, mine[children - 1]);
  }
}

__global__ void rotate(int* cell) {
  const int next = cell[(blockIdx.x + 1) % gridDim.x];
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) cell[blockIdx.x] = next;
}

int main() {
  int host[blocks * children] = {};
  host[children - 1] = 100;
  host[2 * children - 1] = 200;
  int *parts = nullptr, *sum = nullptr;
  CUDA_CHECK(cudaMalloc(&parts, sizeof host));
  CUDA_CHECK(cudaMalloc(&sum, sizeof(int)));
  CUDA_CHECK(cudaMemcpy(parts, host, sizeof host, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(sum, 0, sizeof(int)));
  parent<<<blocks, 32>>>(parts, sum);
  CUDA_CHECK(cudaDeviceSynchronize());
  int total = 0;
  CUDA_CHECK(cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost));
  // The tail launch has seen what the others wrote: 8 * 100 + 8 * 200 + 2 * (0 + … + 7).
  EXPECT(total == 2456);

  void* arguments[] = {&parts};
  CUDA_CHECK(cudaLaunchCooperativeKernel((const void*)rotate, dim3(4), dim3(32), arguments));
  CUDA_CHECK(cudaMemcpy(host, parts, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i) EXPECT(host[i] == 100 + (i + 1) % 4);
  CUDA_CHECK(cudaFree(parts));
  CUDA_CHECK(cudaFree(sum));
  return verdict();
}
