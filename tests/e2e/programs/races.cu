// Threads that get in each other's way, and threads that only seem to.
#include <cooperative_groups.h>

#include <cstdio>

/// Two warps, no barrier: each thread reads what a thread of the other warp writes.
__global__ void hasty(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

/// The same with a barrier, twice: what is read before the second is overwritten after it.
__global__ void patient(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const int mirrored = tile[63 - threadIdx.x];
  __syncthreads();
  tile[threadIdx.x] = mirrored;
  out[threadIdx.x] = tile[threadIdx.x];
}

/// Four blocks write the same 32 words.
__global__ void crowded(int* result) { result[threadIdx.x] = blockIdx.x; }

/// Each block's last thread reads the first element of the next block, which that one writes.
__global__ void inPlace(int* chain) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  chain[i] = chain[i] + chain[i + 1];
}

/// Neighbouring bytes of one word, and a common counter: both are fine.
__global__ void apart(char* flags, int* counter) {
  flags[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  atomicAdd(counter, 1);
}

/// Each block writes its half, all blocks meet, and each reads the other's.
__global__ void meeting(int* halves) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  halves[i] = i;
  cooperative_groups::this_grid().sync();
  halves[64 + i] = halves[63 - i];
}

int main() {
  int* words = nullptr;
  char* bytes = nullptr;
  cudaMalloc(&words, 129 * sizeof(int));
  cudaMalloc(&bytes, 64);
  cudaMemset(words, 0, 129 * sizeof(int));
  hasty<<<1, 64>>>(words);
  patient<<<1, 64>>>(words);
  crowded<<<4, 32>>>(words);
  inPlace<<<4, 32>>>(words);
  apart<<<32, 2>>>(bytes, words);
  void* arguments[] = {&words};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(meeting), dim3(2), dim3(32), arguments, 0, nullptr);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
