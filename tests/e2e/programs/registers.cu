// Arrays and objects of a thread's own, and what works on them by pointers, references and methods, some of which
// work on memory as well. tests/gpu/registers.py sees to it that `tiles` keeps them in registers.
#include "check.h"

constexpr int size = 8, threads = 32;

struct alignas(16) Tile {
  float own[size];
  __device__ float total() const {
    float sum = 0;
#pragma unroll
    for (int i = 0; i < size; ++i) sum += own[i];
    return sum;
  }
};

__device__ void load(float (&to)[size], const float* from) {
#pragma unroll
  for (int i = 0; i < size; ++i) to[i] = from[i];
}

__device__ float ends(const float* of) {
  return of[0] + of[size - 1];
}

__global__ void tiles(const float* in, float* out) {
  Tile tile;
  load(tile.own, in + threadIdx.x * size);
  const float4* const quarters = reinterpret_cast<const float4*>(tile.own);
  out[threadIdx.x] = tile.total() + ends(tile.own) + quarters[1].x;
}

__global__ void stored(const Tile* in, float* out) {
  out[threadIdx.x] = in[threadIdx.x].total() + ends(in[threadIdx.x].own);
}

int main() {
  float numbers[threads * size];
  for (int i = 0; i < threads * size; ++i) numbers[i] = static_cast<float>(i);
  float *in = nullptr, *out = nullptr;
  CUDA_CHECK(cudaMalloc(&in, sizeof numbers));
  CUDA_CHECK(cudaMalloc(&out, 2 * threads * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice));
  tiles<<<1, threads>>>(in, out);
  stored<<<1, threads>>>(reinterpret_cast<const Tile*>(in), out + threads);
  CUDA_CHECK(cudaGetLastError());
  float sums[2 * threads];
  CUDA_CHECK(cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(in));
  CUDA_CHECK(cudaFree(out));
  // Of 8t to 8t + 7: the sum is 64t + 28, the ends are 16t + 7, the fifth is 8t + 4.
  for (int t = 0; t < threads; ++t)
    EXPECT(sums[t] == static_cast<float>(88 * t + 39) && sums[threads + t] == static_cast<float>(80 * t + 35));
  return verdict();
}
