// Several contexts of one device at once, each in a host thread of its own: the device's primary one, and others that the program
// makes and destroys again.
#include <cuda.h>

#include <cstdio>
#include <thread>
#include <vector>

#include "check.h"

constexpr int n = 1 << 14, launches = 20, rounds = 3;

__global__ void fill(int* out, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value + i;
}

static bool work(int number) {
  cudaStream_t streams[2];
  int* out[2];
  for (int s = 0; s < 2; ++s) {
    CHECK(cudaStreamCreate(&streams[s]));
    CHECK(cudaMalloc(&out[s], n * sizeof(int)));
  }
  for (int k = 0; k < launches; ++k) fill<<<n / 256, 256, 0, streams[k % 2]>>>(out[k % 2], number + k);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  std::vector<int> host(n);
  bool right = true;
  for (int s = 0; s < 2; ++s) {
    CHECK(cudaMemcpy(host.data(), out[s], n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) right &= host[i] == number + launches - 2 + s + i;
    CHECK(cudaFree(out[s]));
    CHECK(cudaStreamDestroy(streams[s]));
  }
  return right;
}

static bool inNewContext(int number) {
  CUcontext context;
#if CUDA_VERSION >= 13000
  if (cuCtxCreate(&context, nullptr, 0, 0) != CUDA_SUCCESS) return false;
#else
  if (cuCtxCreate(&context, 0, 0) != CUDA_SUCCESS) return false;
#endif
  const bool right = work(number);
  return cuCtxDestroy(context) == CUDA_SUCCESS && right;
}

int main() {
  CHECK(cudaFree(nullptr));
  bool right = true;
  for (int round = 0; round < rounds; ++round) {
    bool first = false, second = false;
    std::thread one([&] { first = inNewContext(1); }), other([&] { second = inNewContext(2); });
    const bool primary = work(0);
    one.join();
    other.join();
    right = right && first && second && primary;
  }
  std::puts(right ? "right" : "wrong");
  return right ? 0 : 1;
}
