// Launches and calls that fail do so as CUDA documents, and the program goes on.
#include <cstring>

#include "check.h"

__global__ void store(int* out, int value) {
  extern __shared__ int unused[];
  out[threadIdx.x] = value;
}

int main() {
  int* out = nullptr;
  CUDA_CHECK(cudaMalloc(&out, 32 * sizeof(int)));

  store<<<1, 2048>>>(out, 1);  // more threads than a block may have
  EXPECT(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
  EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
  EXPECT(cudaGetLastError() == cudaSuccess);
  store<<<0, 32>>>(out, 1);  // no blocks
  EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
  store<<<1, dim3(1, 1, 65)>>>(out, 1);  // z is limited to 64
  EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
  store<<<dim3(1, 65536), 1>>>(out, 1);  // y of a grid to 65535
  EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
  store<<<1, 32, 1 << 20>>>(out, 1);  // more shared memory than a block may have
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);

  int* huge = out;
  EXPECT(cudaMalloc(&huge, size_t{1} << 60) == cudaErrorMemoryAllocation);
  EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation);
  EXPECT(cudaFree(nullptr) == cudaSuccess);
  int local = 0;
  EXPECT(cudaMemcpy(out, &local, sizeof local, static_cast<cudaMemcpyKind>(77)) ==
         cudaErrorInvalidMemcpyDirection);
  EXPECT(cudaSetDevice(4096) == cudaErrorInvalidDevice);
  cudaGetLastError();
  EXPECT(std::strcmp(cudaGetErrorName(cudaErrorInvalidConfiguration), "cudaErrorInvalidConfiguration") == 0);
  EXPECT(std::strcmp(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument") ==
         0);

  store<<<1, 32>>>(out, 7);  // none of it stays
  EXPECT(cudaGetLastError() == cudaSuccess);
  int result[32];
  CUDA_CHECK(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) EXPECT(result[i] == 7);
  CUDA_CHECK(cudaFree(out));
  return verdict();
}
