// Work for nothing, one kernel or allocation for each kind.
#include <cstdio>

/// Half of each warp takes the branch.
__global__ void halfWarps(int* out) {
  if (threadIdx.x % 2 == 0) out[threadIdx.x] = 1;
}

/// Every thread loads the same 8 coefficients, 4 times each; all blocks do.
__global__ void again(const int* coefficients, int* out) {
  int sum = 0;
  for (int round = 0; round < 4; ++round)
    for (int k = 0; k < 8; ++k) sum += coefficients[k];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/// The first store is overwritten unread.
__global__ void twice(int* out) {
  out[threadIdx.x] = 0;
  out[threadIdx.x] = threadIdx.x;
}

/// What is stored is there already.
__global__ void unchanged(int* out) {
  const int value = out[threadIdx.x];
  out[threadIdx.x] = value;
}

/// All threads count on one word.
__global__ void crowd(int* counter) { atomicAdd(counter, 1); }

/// Thread t of block b writes element t * 8 + b: 8 blocks share each sector.
__global__ void interleaved(int* out) { out[threadIdx.x * 8 + blockIdx.x] = 1; }

/// Small numbers in wide elements, whatever the elements are.
template <class Element>
__global__ void ramp(Element* out) {
  out[threadIdx.x] = static_cast<Element>(threadIdx.x);
}

int main() {
  int *out = nullptr, *coefficients = nullptr, *unused = nullptr, *large = nullptr, *leaked = nullptr;
  int host[256] = {};
  cudaMalloc(&out, 256 * sizeof(int));
  cudaMalloc(&coefficients, 8 * sizeof(int));
  cudaMalloc(&unused, 1 << 20);
  cudaMalloc(&large, 1 << 16);
  cudaMalloc(&leaked, 1 << 12);
  cudaMemcpy(coefficients, host, 8 * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(large, 0, 1024);
  cudaMemset(leaked, 0, 1 << 12);
  halfWarps<<<1, 64>>>(out);
  again<<<2, 32>>>(coefficients, out);
  twice<<<1, 64>>>(out);
  unchanged<<<1, 64>>>(out);
  crowd<<<128, 256>>>(leaked);
  interleaved<<<8, 32>>>(out);
  ramp<<<1, 32>>>(out);
  ramp<<<1, 32>>>(reinterpret_cast<float*>(out));
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(host, coefficients, 8 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(out);
  cudaFree(coefficients);
  cudaFree(unused);
  cudaFree(large);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
