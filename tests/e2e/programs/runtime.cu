// The runtime's memory kinds, copies, streams and events.
#include <cstring>

#include "check.h"

__global__ void addOne(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += 1;
}

__global__ void fillRows(char* rows, size_t pitch, int width) {
  float* row = reinterpret_cast<float*>(rows + blockIdx.x * pitch);
  if (threadIdx.x < width) row[threadIdx.x] = blockIdx.x * 100.0f + threadIdx.x;
}

int main() {
  constexpr int n = 100;
  int devices = 0, device = -1;
  CUDA_CHECK(cudaGetDeviceCount(&devices));
  CUDA_CHECK(cudaGetDevice(&device));
  EXPECT(devices >= 1 && device == 0);
  cudaDeviceProp properties;
  CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
  EXPECT(properties.warpSize == 32 && properties.maxThreadsPerBlock == 1024);
  EXPECT(properties.sharedMemPerBlock == 49152 && properties.major >= 3);

  // Managed memory: one pointer for both sides.
  int* managed = nullptr;
  CUDA_CHECK(cudaMallocManaged(&managed, n * sizeof(int)));
  for (int i = 0; i < n; ++i) managed[i] = i;
  addOne<<<2, 64>>>(managed, n);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) EXPECT(managed[i] == i + 1);

  // Pinned host memory, two streams and an event between them.
  int *pinned = nullptr, *mapped = nullptr, *asynchronous = nullptr;
  CUDA_CHECK(cudaMallocHost(&pinned, n * sizeof(int)));
  CUDA_CHECK(cudaHostAlloc(&mapped, n * sizeof(int), cudaHostAllocDefault));
  std::memset(mapped, 0, n * sizeof(int));
  for (int i = 0; i < n; ++i) pinned[i] = 10 * i;
  cudaStream_t first, second;
  cudaEvent_t copied, done;
  CUDA_CHECK(cudaStreamCreate(&first));
  CUDA_CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CUDA_CHECK(cudaEventCreate(&copied));
  CUDA_CHECK(cudaEventCreate(&done));
  CUDA_CHECK(cudaMallocAsync(&asynchronous, n * sizeof(int), first));
  CUDA_CHECK(cudaMemcpyAsync(asynchronous, pinned, n * sizeof(int), cudaMemcpyHostToDevice, first));
  CUDA_CHECK(cudaEventRecord(copied, first));
  CUDA_CHECK(cudaStreamWaitEvent(second, copied, 0));
  addOne<<<1, 128, 0, second>>>(asynchronous, n);
  CUDA_CHECK(cudaMemcpyAsync(mapped, asynchronous, n * sizeof(int), cudaMemcpyDeviceToHost, second));
  CUDA_CHECK(cudaEventRecord(done, second));
  CUDA_CHECK(cudaEventSynchronize(done));
  CUDA_CHECK(cudaEventQuery(done));
  float milliseconds = -1;
  CUDA_CHECK(cudaEventElapsedTime(&milliseconds, copied, done));
  EXPECT(milliseconds >= 0);
  for (int i = 0; i < n; ++i) EXPECT(mapped[i] == 10 * i + 1);
  CUDA_CHECK(cudaStreamQuery(second));
  CUDA_CHECK(cudaFreeAsync(asynchronous, first));
  CUDA_CHECK(cudaStreamSynchronize(first));

  // Pitched rows, copied back without their padding; a fill; a copy on the device.
  char* rows = nullptr;
  size_t pitch = 0;
  constexpr int width = 5, height = 3;
  CUDA_CHECK(cudaMallocPitch(&rows, &pitch, width * sizeof(float), height));
  EXPECT(pitch >= width * sizeof(float) && pitch % 32 == 0);
  fillRows<<<height, 32>>>(rows, pitch, width);
  float dense[height][width];
  CUDA_CHECK(cudaMemcpy2D(dense, width * sizeof(float), rows, pitch, width * sizeof(float), height,
                          cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) EXPECT(dense[y][x] == y * 100.0f + x);
  CUDA_CHECK(cudaMemset(managed, 0xff, 2 * sizeof(int)));
  CUDA_CHECK(cudaMemcpy(managed + 2, managed, 2 * sizeof(int), cudaMemcpyDefault));
  CUDA_CHECK(cudaDeviceSynchronize());
  EXPECT(managed[0] == -1 && managed[3] == -1 && managed[4] == 5);

  CUDA_CHECK(cudaFree(rows));
  CUDA_CHECK(cudaFree(managed));
  CUDA_CHECK(cudaFreeHost(pinned));
  CUDA_CHECK(cudaFreeHost(mapped));
  CUDA_CHECK(cudaEventDestroy(copied));
  CUDA_CHECK(cudaEventDestroy(done));
  CUDA_CHECK(cudaStreamDestroy(first));
  CUDA_CHECK(cudaStreamDestroy(second));
  return verdict();
}
