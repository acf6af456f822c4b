// Half precision and cooperative groups: types and functions from the toolkit's further headers.
#include <cooperative_groups.h>
#include <cuda_fp16.h>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void halves(const __half* in, __half* out, __half2* pairs) {
  const int i = threadIdx.x;
  out[i] = __hadd(in[i], __float2half(1.0f));
  pairs[i] = __floats2half2_rn(__half2float(in[i]), 0.5f);
}

__global__ void groups(int* out) {
  __shared__ int values[64];
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  values[block.thread_rank()] = block.thread_rank();
  block.sync();
  int sum = values[63 - block.thread_rank()];
  for (int offset = 8; offset > 0; offset /= 2) sum += tile.shfl_down(sum, offset);
  if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = sum;
}

int main() {
  __half hostIn[32], hostOut[32];
  __half2 hostPairs[32];
  for (int i = 0; i < 32; ++i) hostIn[i] = __float2half(0.25f * i);
  __half *in = nullptr, *out = nullptr;
  __half2* pairs = nullptr;
  int* sums = nullptr;
  CUDA_CHECK(cudaMalloc(&in, sizeof hostIn));
  CUDA_CHECK(cudaMalloc(&out, sizeof hostOut));
  CUDA_CHECK(cudaMalloc(&pairs, sizeof hostPairs));
  CUDA_CHECK(cudaMalloc(&sums, 4 * sizeof(int)));
  CUDA_CHECK(cudaMemcpy(in, hostIn, sizeof hostIn, cudaMemcpyHostToDevice));
  halves<<<1, 32>>>(in, out, pairs);
  CUDA_CHECK(cudaMemcpy(hostOut, out, sizeof hostOut, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(hostPairs, pairs, sizeof hostPairs, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) {
    EXPECT(__half2float(hostOut[i]) == 0.25f * i + 1);
    EXPECT(__low2float(hostPairs[i]) == 0.25f * i && __high2float(hostPairs[i]) == 0.5f);
  }

  groups<<<1, 64>>>(sums);
  int result[4];
  CUDA_CHECK(cudaMemcpy(result, sums, sizeof result, cudaMemcpyDeviceToHost));
  for (int tile = 0; tile < 4; ++tile) EXPECT(result[tile] == 16 * (63 - 16 * tile) - 120);
  for (void* p : {(void*)in, (void*)out, (void*)pairs, (void*)sums}) CUDA_CHECK(cudaFree(p));
  return verdict();
}
