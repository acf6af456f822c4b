#include <cstdio>

__global__ void square(int* data) { data[threadIdx.x] *= data[threadIdx.x]; }

int main() {
  int host[64];
  for (int i = 0; i < 64; ++i) host[i] = i;
  int* device = nullptr;
  if (cudaMalloc(&device, sizeof host) != cudaSuccess) return 1;
  cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
  square<<<1, 64>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(device);
  for (int i = 0; i < 64; ++i)
    if (host[i] != i * i) return 1;
  std::printf("square: correct\n");
  return 0;
}
