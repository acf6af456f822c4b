// Objects that are atomic, and references that make others so; a warpSize of the program's own; kernels that say what of
// a grid others depend on.
#include <cuda/atomic>
#include <cuda/std/atomic>

#include "check.h"

constexpr int warpSize = 32;
constexpr int threads = 64;

using Counter = cuda::atomic<int, cuda::thread_scope_device>;

__global__ void objects(Counter* counters, cuda::std::atomic<unsigned>* flags, int* order) {
  const int t = threadIdx.x;
  order[counters[0].fetch_add(1, cuda::memory_order_relaxed)] = t;
  counters[1] += t;
  counters[t / warpSize + 2]++;
  flags[0].fetch_or(1u << t / 2, cuda::std::memory_order_release);
  int expected = 0;
  if (counters[4].compare_exchange_strong(expected, t + 1)) counters[5].store(expected + 7);
}

__global__ void references(int* sums, float* least, double* total) {
  cudaGridDependencySynchronize();
  const int t = threadIdx.x;
  cuda::atomic_ref<int, cuda::thread_scope_block> sum(sums[t % 2]);
  sum.fetch_sub(2);
  ++sum;
  cuda::atomic_ref<float, cuda::thread_scope_device>(least[0]).fetch_min(static_cast<float>(100 - t));
  cuda::atomic_ref<double>(total[0]) += 0.25;
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
  cudaTriggerProgrammaticLaunchCompletion();
}

// One thread waits for what the other writes.
__global__ void handOver(Counter* ready, int* data) {
  if (threadIdx.x == 0) {
    while (ready->load(cuda::memory_order_acquire) == 0) {
    }
    data[1] = data[0] + 1;
  } else if (threadIdx.x == warpSize) {
    data[0] = 41;
    ready->store(1, cuda::memory_order_release);
  }
}

int main() {
  Counter* counters = nullptr;
  cuda::std::atomic<unsigned>* flags = nullptr;
  int *order = nullptr, *sums = nullptr;
  float* least = nullptr;
  double* total = nullptr;
  CUDA_CHECK(cudaMallocManaged(&counters, 7 * sizeof *counters));
  CUDA_CHECK(cudaMallocManaged(&flags, sizeof *flags));
  CUDA_CHECK(cudaMallocManaged(&order, threads * sizeof *order));
  CUDA_CHECK(cudaMallocManaged(&sums, 4 * sizeof *sums));
  CUDA_CHECK(cudaMallocManaged(&least, sizeof *least));
  CUDA_CHECK(cudaMallocManaged(&total, sizeof *total));
  *least = 1000;
  objects<<<1, threads>>>(counters, flags, order);
  references<<<1, threads>>>(sums, least, total);
  handOver<<<1, threads>>>(counters + 6, sums + 2);
  CUDA_CHECK(cudaDeviceSynchronize());

  bool seen[threads] = {};
  for (int i = 0; i < threads; ++i) seen[order[i]] = true;
  for (int i = 0; i < threads; ++i) EXPECT(seen[i]);
  EXPECT(counters[0].load() == 64 && counters[1] == 2016 && counters[2] == 32 && counters[3] == 32);
  EXPECT(counters[4].load() != 0 && counters[5].load() == 7 && flags[0].load() == 0xffffffffu);
  EXPECT(sums[0] == -32 && sums[1] == -32 && *least == 37 && *total == 16);
  EXPECT(sums[3] == 42);
  return 0;
}
