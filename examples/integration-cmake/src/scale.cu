#include "scale.h"

#include "element.h"

__global__ void scaleKernel(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) scaleElement(data, i);
}

bool scale(float* data, int n) {
  float* device = nullptr;
  if (cudaMalloc(&device, n * sizeof(float)) != cudaSuccess) return false;
  cudaMemcpy(device, data, n * sizeof(float), cudaMemcpyHostToDevice);
  scaleKernel<<<(n + 127) / 128, 128>>>(device, n);
  cudaMemcpy(data, device, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(device);
  return cudaGetLastError() == cudaSuccess;
}
