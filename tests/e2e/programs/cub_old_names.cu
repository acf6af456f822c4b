// Names that CUB had until its version 3, for programs that were written for CUDA 12 and before.
#include <cub/cub.cuh>

#include "check.h"

constexpr int threads = 64;

struct Square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};

__global__ void fold(const int* in, int* out) {
  using Reduce = cub::BlockReduce<int, threads>;
  using Scan = cub::BlockScan<int, threads>;
  using Difference = cub::BlockAdjacentDifference<int, threads>;
  __shared__ union {
    Reduce::TempStorage reduce;
    Scan::TempStorage scan;
    Difference::TempStorage difference;
  } shared;
  int own[1] = {in[threadIdx.x]};
  const int largest = Reduce(shared.reduce).Reduce(own[0], cub::Max());
  __syncthreads();
  int least[1], step[1];
  Scan(shared.scan).InclusiveScan(own[0], least[0], cub::Min());
  __syncthreads();
  Difference(shared.difference).SubtractLeft(own, step, cub::Difference());
  if (threadIdx.x == 0) out[0] = largest;
  out[1 + threadIdx.x] = least[0];
  out[1 + threads + threadIdx.x] = step[0];
}

int main() {
  int *in, *out;
  CUDA_CHECK(cudaMallocManaged(&in, threads * sizeof(int)));
  CUDA_CHECK(cudaMallocManaged(&out, (1 + 2 * threads) * sizeof(int)));
  for (int i = 0; i < threads; ++i) in[i] = 30 - 7 * i + i * i / 4;
  fold<<<1, threads>>>(in, out);
  CUDA_CHECK(cudaDeviceSynchronize());
  int largest = in[0], least = in[0], squares = 0;
  for (int i = 0; i < threads; ++i) {
    if (in[i] > largest) largest = in[i];
    if (in[i] < least) least = in[i];
    EXPECT(out[1 + i] == least && out[1 + threads + i] == (i == 0 ? in[0] : in[i] - in[i - 1]));
    squares += in[i] * in[i];
  }
  EXPECT(out[0] == largest);

  cub::TransformInputIterator<int, Square, const int*> squared(in, Square());
  size_t bytes = 0;
  void* memory = nullptr;
  CUDA_CHECK(cub::DeviceReduce::Sum(memory, bytes, squared, out, threads));
  CUDA_CHECK(cudaMalloc(&memory, bytes > 0 ? bytes : 1));
  CUDA_CHECK(cub::DeviceReduce::Sum(memory, bytes, squared, out, threads));
  CUDA_CHECK(cudaDeviceSynchronize());
  EXPECT(out[0] == squares);
  return verdict();
}
