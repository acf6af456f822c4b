// Barriers of blocks and of the grid, with and without a defect: barriers.py compares what the two backends' traces say of
// them. Every barrier has accesses of its block before the next one.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

/// A tree in shared memory; `enough` barriers, or none after the first.
template <bool enough>
__global__ void reduce(const int* in, int* out) {
  __shared__ int sums[256];
  sums[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (unsigned half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    if (enough) cg::this_thread_block().sync();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

/// Blocks of 40 threads go round until all agree, in the fifth round.
__global__ void agree(int* votes) {
  __shared__ int round;
  if (threadIdx.x == 0) round = 0;
  while (!__syncthreads_and(votes[blockIdx.x * 40 + threadIdx.x] == 4)) {
    votes[blockIdx.x * 40 + threadIdx.x] = round;
    if (__syncthreads_or(threadIdx.x == 39) && threadIdx.x == 0) ++round;
  }
}

/// Each block writes its cell and reads its neighbour's; `twice`: all meet again before they write the next time.
template <bool twice>
__global__ void rounds(int* cells) {
  cg::grid_group grid = cg::this_grid();
  for (int i = 0; i < 3; ++i) {
    if (threadIdx.x == 0) cells[blockIdx.x] = i;
    grid.sync();
    if (threadIdx.x == 0) cells[16 + blockIdx.x] = cells[(blockIdx.x + 1) % gridDim.x];
    if (twice) grid.sync();
  }
}

int main() {
  int *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 8 * 256 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(in, 0, 8 * 256 * sizeof(int));
  reduce<true><<<8, 256>>>(in, out);
  reduce<false><<<8, 256>>>(in, out);
  agree<<<8, 40>>>(in);
  void* arguments[] = {&out};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(rounds<true>), dim3(4), dim3(64), arguments, 0, nullptr);
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(rounds<false>), dim3(4), dim3(64), arguments, 0, nullptr);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
