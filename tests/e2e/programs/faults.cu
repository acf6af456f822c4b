// Accesses that should not be, one kernel for each kind. None of them ends in an error.
#include <cstdio>

/// 64 threads, 50 elements.
__global__ void beyond(const float* values, float* sums) { sums[threadIdx.x] = values[threadIdx.x]; }

/// The last thread reads the first element of the other array.
__global__ void neighbour(float* out) {
  __shared__ float left[32];
  __shared__ float right[32];
  left[threadIdx.x] = 1;
  right[threadIdx.x] = 2;
  __syncthreads();
  out[threadIdx.x] = left[threadIdx.x + 1];
}

/// Odd elements are never written.
__global__ void forgotten(float* out) {
  __shared__ float half[32];
  if (threadIdx.x % 2 == 0) half[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = half[threadIdx.x];
}

/// Only the first 16 of 32 elements were filled.
__global__ void unfilled(const float* partly, float* out) { out[threadIdx.x] = partly[threadIdx.x]; }

/// 33 threads, from the 992nd element of 1,024, which fill a page: the last one is on the page behind.
__global__ void behindPage(const float* page, float* out) { out[threadIdx.x] = page[threadIdx.x]; }

int main() {
  float *values = nullptr, *out = nullptr, *partly = nullptr, *page = nullptr;
  cudaMalloc(&values, 50 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMalloc(&partly, 32 * sizeof(float));
  cudaMemset(values, 0, 50 * sizeof(float));
  cudaMemset(partly, 0, 16 * sizeof(float));
  cudaMalloc(&page, 1024 * sizeof(float));
  cudaMemset(page, 0, 1024 * sizeof(float));
  beyond<<<1, 64>>>(values, out);
  neighbour<<<1, 32>>>(out);
  forgotten<<<1, 32>>>(out);
  unfilled<<<1, 32>>>(partly, out);
  behindPage<<<1, 33>>>(page + 992, out);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
