// Blocks of memory copied by device code: by a thread, by a group, and set to a value.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include "check.h"

constexpr int bytesOfThread = 48;

__global__ void copyBlocks(char* to, const char* from, const int* sizes) {
  const int i = threadIdx.x;
  memcpy(to + 64 * i, from + 64 * i, bytesOfThread);
  memset(to + 64 * i + 48, i, sizes[i]);
  int local;
  memcpy(&local, from + 64 * i, sizeof local);
  to[64 * i + 63] = static_cast<char>(local);
}

__global__ void stage(float* out, const float* in) {
  __shared__ float tile[640];
  auto block = cooperative_groups::this_thread_block();
  cooperative_groups::memcpy_async(block, tile, in, sizeof tile);
  cooperative_groups::wait(block);
  out[threadIdx.x] = tile[639 - threadIdx.x];
}

__global__ void stageElements(float* out, const float* in) {
  __shared__ float tile[40];
  auto block = cooperative_groups::this_thread_block();
  cooperative_groups::memcpy_async(block, tile, 40u, in, 48u);
  cooperative_groups::wait(block);
  out[threadIdx.x] = tile[39 - threadIdx.x];
}

int main() {
  char hostFrom[4 * 64];
  for (int i = 0; i < 4 * 64; ++i) hostFrom[i] = static_cast<char>(i % 100);
  const int hostSizes[4] = {4, 12, 4, 12};
  char *to = nullptr, *from = nullptr;
  int* sizes = nullptr;
  CUDA_CHECK(cudaMalloc(&to, sizeof hostFrom));
  CUDA_CHECK(cudaMalloc(&from, sizeof hostFrom));
  CUDA_CHECK(cudaMalloc(&sizes, sizeof hostSizes));
  CUDA_CHECK(cudaMemcpy(from, hostFrom, sizeof hostFrom, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(sizes, hostSizes, sizeof hostSizes, cudaMemcpyHostToDevice));
  copyBlocks<<<1, 4>>>(to, from, sizes);
  char result[4 * 64];
  CUDA_CHECK(cudaMemcpy(result, to, sizeof result, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i)
    EXPECT(result[64 * i] == hostFrom[64 * i] && result[64 * i + 47] == hostFrom[64 * i + 47] &&
           result[64 * i + 48] == i && result[64 * i + 63] == hostFrom[64 * i]);

  float hostIn[640];
  for (int i = 0; i < 640; ++i) hostIn[i] = static_cast<float>(i);
  float *in = nullptr, *out = nullptr;
  CUDA_CHECK(cudaMalloc(&in, sizeof hostIn));
  CUDA_CHECK(cudaMalloc(&out, 32 * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(in, hostIn, sizeof hostIn, cudaMemcpyHostToDevice));
  stage<<<1, 32>>>(out, in);
  float reversed[32];
  CUDA_CHECK(cudaMemcpy(reversed, out, sizeof reversed, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) EXPECT(reversed[i] == 639 - i);
  stageElements<<<1, 32>>>(out, in);
  CUDA_CHECK(cudaMemcpy(reversed, out, sizeof reversed, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) EXPECT(reversed[i] == 39 - i);
  for (void* memory : {static_cast<void*>(to), static_cast<void*>(from), static_cast<void*>(sizes),
                       static_cast<void*>(in), static_cast<void*>(out)})
    CUDA_CHECK(cudaFree(memory));
  return verdict();
}

// A macro's sites that no instantiation reaches: no warning in the instrumented file either.
#define AT(i) from[i]
template <class T>
__device__ T neverInstantiated(const T* from) {
  T sum = AT(0);
  return sum + AT(1);
}
