// Each device in a host thread of its own, two streams each, all at once.
#include <cstdio>
#include <thread>
#include <vector>

__global__ void fill(int* out, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value + i;
}

static bool work(int device, int launches) {
  constexpr int n = 1 << 14;
  if (cudaSetDevice(device) != cudaSuccess) return false;
  cudaStream_t streams[2];
  int* out[2];
  for (int s = 0; s < 2; ++s) {
    cudaStreamCreate(&streams[s]);
    cudaMalloc(&out[s], n * sizeof(int));
  }
  for (int k = 0; k < launches; ++k) fill<<<n / 256, 256, 0, streams[k % 2]>>>(out[k % 2], n, device + k);
  if (cudaDeviceSynchronize() != cudaSuccess) return false;
  std::vector<int> host(n);
  bool right = true;
  for (int s = 0; s < 2; ++s) {
    cudaMemcpy(host.data(), out[s], n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) right &= host[i] == device + launches - 2 + s + i;
    cudaFree(out[s]);
    cudaStreamDestroy(streams[s]);
  }
  return right && cudaGetLastError() == cudaSuccess;
}

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess) return 1;
  std::vector<int> right(devices);
  for (int round = 0; round < 3; ++round) {
    std::vector<std::thread> threads;
    for (int d = 0; d < devices; ++d) threads.emplace_back([&right, d] { right[d] = work(d, 20); });
    for (std::thread& thread : threads) thread.join();
    for (int d = 0; d < devices; ++d)
      if (!right[d]) return std::printf("device %d: wrong\n", d), 1;
  }
  std::printf("%d devices: right\n", devices);
}
