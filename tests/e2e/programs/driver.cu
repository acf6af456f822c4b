// Memory of the driver API, used by kernels of the runtime API.
#include <cuda.h>

#include "check.h"

#define DRIVER_CHECK(call) EXPECT((call) == CUDA_SUCCESS)

__global__ void addOne(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += 1;
}

int main() {
  constexpr int n = 100, width = 5, height = 3;
  CUDA_CHECK(cudaFree(nullptr));  // the primary context is the driver's current one from here on
  CUdeviceptr numbers = 0, rows = 0;
  int* host = nullptr;
  std::size_t pitch = 0;
  DRIVER_CHECK(cuMemAlloc(&numbers, n * sizeof(int)));
  DRIVER_CHECK(cuMemAllocHost((void**)&host, n * sizeof(int)));
  DRIVER_CHECK(::cuMemAllocPitch(&rows, &pitch, width * sizeof(float), height, 4));
  EXPECT(pitch >= width * sizeof(float));
  for (int i = 0; i < n; ++i) host[i] = i;
  DRIVER_CHECK(cuMemcpyHtoD(numbers, host, n * sizeof(int)));
  addOne<<<1, 128>>>(reinterpret_cast<int*>(numbers), n);
  DRIVER_CHECK(cuCtxSynchronize());
  DRIVER_CHECK(cuMemsetD32(numbers, 7, 2));
  DRIVER_CHECK(cuMemcpyDtoD(numbers + 8, numbers, 4));
  DRIVER_CHECK(cuMemcpyDtoHAsync(host, numbers, n * sizeof(int), nullptr));
  DRIVER_CHECK(cuStreamSynchronize(nullptr));
  EXPECT(host[0] == 7 && host[1] == 7 && host[2] == 7 && host[3] == 4 && host[99] == 100);
  // What fails is not an allocation, and is told as it was.
  CUdeviceptr none = 0;
  EXPECT(cuMemAlloc(&none, 0) == CUDA_ERROR_INVALID_VALUE);
  DRIVER_CHECK(cuMemFree(rows));
  DRIVER_CHECK(cuMemFree(numbers));
  DRIVER_CHECK(cuMemFreeHost(host));
  return verdict();
}
