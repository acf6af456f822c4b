// cuda::latch and cuda::counting_semaphore.
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/barrier>
#include <cuda/std/latch>
#include <cuda/std/semaphore>

#include "check.h"

constexpr int threads = 64, seats = 3;

using Latch = cuda::latch<cuda::thread_scope_block>;
using Semaphore = cuda::counting_semaphore<cuda::thread_scope_block, seats>;

// The first warp writes and counts down; the second waits for all of it.
__global__ void passOn(int* out) {
  __shared__ alignas(Latch) char memory[sizeof(Latch)];
  __shared__ int values[threads / 2];
  Latch& latch = *reinterpret_cast<Latch*>(memory);
  if (threadIdx.x == 0) new (memory) Latch(threads / 2);
  __syncthreads();
  if (threadIdx.x < threads / 2) {
    values[threadIdx.x] = 3 * threadIdx.x;
    latch.count_down();
  } else {
    latch.wait();
    out[threadIdx.x] = values[threads - 1 - threadIdx.x];
  }
}

// Never more than three are inside.
__global__ void takeTurns(int* most, int* turns) {
  __shared__ alignas(Semaphore) char memory[sizeof(Semaphore)];
  __shared__ int inside;
  Semaphore& free = *reinterpret_cast<Semaphore*>(memory);
  if (threadIdx.x == 0) {
    new (memory) Semaphore(seats);
    inside = 0;
  }
  __syncthreads();
  free.acquire();
  const int others = atomicAdd(&inside, 1);
  atomicMax(most, others + 1);
  __nanosleep(100);
  atomicAdd(turns, 1);
  atomicSub(&inside, 1);
  free.release();
}

__global__ void tryIt(int* out) {
  cuda::std::binary_semaphore one(1);
  const bool first = one.try_acquire(), second = one.try_acquire();
  one.release();
  cuda::std::latch two(2);
  cuda::std::barrier<> passed(1);
  passed.arrive_and_wait();
  two.count_down();
  const bool early = two.try_wait();
  two.arrive_and_wait();
  out[0] = first + 2 * second + 4 * one.try_acquire() + 8 * early + 16 * two.try_wait();
}

int main() {
  int* out;
  CUDA_CHECK(cudaMallocManaged(&out, threads * sizeof(int)));
  passOn<<<1, threads>>>(out);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = threads / 2; i < threads; ++i) EXPECT(out[i] == 3 * (threads - 1 - i));
  out[0] = out[1] = 0;
  takeTurns<<<1, threads>>>(out, out + 1);
  CUDA_CHECK(cudaDeviceSynchronize());
  EXPECT(out[0] >= 1 && out[0] <= seats);
  EXPECT(out[1] == threads);
  tryIt<<<1, 1>>>(out);
  CUDA_CHECK(cudaDeviceSynchronize());
  EXPECT(out[0] == 21);
  return verdict();
}
