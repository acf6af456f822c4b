// Launches once, synchronises, then ends as asked: abort, _exit, exit with 3, or run until it is killed.
//   endings abort|quick|three|forever
#include <unistd.h>

#include <cstring>

#include "check.h"

__global__ void increment(int* values) {
  values[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  int* values = nullptr;
  CUDA_CHECK(cudaMalloc(&values, 64 * sizeof(int)));
  CUDA_CHECK(cudaMemset(values, 0, 64 * sizeof(int)));
  increment<<<2, 32>>>(values);
  CUDA_CHECK(cudaDeviceSynchronize());
  std::printf("synchronized\n");
  std::fflush(stdout);
  if (std::strcmp(mode, "abort") == 0) std::abort();
  if (std::strcmp(mode, "quick") == 0) _exit(0);
  if (std::strcmp(mode, "three") == 0) return 3;
  while (std::strcmp(mode, "forever") == 0) {
    increment<<<2, 32>>>(values);
    CUDA_CHECK(cudaDeviceSynchronize());
    usleep(1000);
  }
  int result[64];
  CUDA_CHECK(cudaMemcpy(result, values, sizeof result, cudaMemcpyDeviceToHost));
  for (const int value : result) EXPECT(value == 1);
  CUDA_CHECK(cudaFree(values));
  return verdict();
}
