// cuda::barrier and cuda::pipeline beyond what tests/e2e/programs/pipelines.cu does: completions, threads
// that leave, roles by number.
#include <cooperative_groups.h>
#include <gtest/gtest.h>

#include <cuda/barrier>
#include <cuda/pipeline>
#include <vector>

namespace cg = cooperative_groups;

namespace {

/// What `kernel(out)` with one block of `threads` leaves in out[0 … threads).
template <class Kernel>
std::vector<int> answersOf(Kernel* kernel, unsigned threads) {
  int* out = nullptr;
  EXPECT_EQ(cudaMallocManaged(reinterpret_cast<void**>(&out), threads * sizeof(int), cudaMemAttachGlobal),
            cudaSuccess);
  void* arguments[] = {&out};
  EXPECT_EQ(cudaLaunchKernel(kernel, dim3(1), dim3(threads), arguments), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  std::vector<int> result(out, out + threads);
  EXPECT_EQ(cudaFree(out), cudaSuccess);
  return result;
}

struct Count {
  int* phases;
  __device__ void operator()() const { ++*phases; }
};
__global__ void completion(int* out) {
  __shared__ int phases;
  using Barrier = cuda::barrier<cuda::thread_scope_block, Count>;
  __shared__ unsigned char memory[sizeof(Barrier)] __attribute__((aligned(16)));
  auto* barrier = reinterpret_cast<Barrier*>(memory);
  if (threadIdx.x == 0) {
    phases = 0;
    init(barrier, blockDim.x, Count{&phases});
  }
  __syncthreads();
  for (int i = 0; i < 4; ++i) barrier->arrive_and_wait();
  out[threadIdx.x] = phases;
}
TEST(Barrier, CompletionRunsOnceAPhase) {
  EXPECT_EQ(answersOf(completion, 96), std::vector<int>(96, 4));
}

__global__ void dropping(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  out[threadIdx.x] = 1;
  if (threadIdx.x % 2 != 0) return barrier.arrive_and_drop();
  barrier.arrive_and_wait();
  // Phase 0 has ended; from now on the even threads suffice.
  barrier.wait_parity(false);
  barrier.arrive_and_wait();
  out[threadIdx.x] = 2;
}
TEST(Barrier, WhoDropsIsNotWaitedFor) {
  const std::vector<int> out = answersOf(dropping, 64);
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(out[i], i % 2 == 0 ? 2 : 1);
}

__global__ void several(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, 2 * blockDim.x);
  __syncthreads();
  barrier.wait(barrier.arrive(2));
  out[threadIdx.x] = 1;
}
TEST(Barrier, OneThreadMayArriveForSeveral) {
  EXPECT_EQ(answersOf(several, 33), std::vector<int>(33, 1));
}

constexpr unsigned char stages = 3;
__global__ void fromFirstWarp(int* out) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  __shared__ int tile[stages][32];
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state, 32);
  const unsigned lane = threadIdx.x % 32;
  int sum = 0;
  for (int i = 0; i < 7; ++i) {
    if (threadIdx.x < 32) {
      pipe.producer_acquire();
      tile[i % stages][lane] = 10 * i + static_cast<int>(lane);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      sum += tile[i % stages][31 - lane];
      pipe.consumer_release();
    }
  }
  pipe.quit();
  out[threadIdx.x] = sum;
}
TEST(Pipeline, TheFirstThreadsProduce) {
  const std::vector<int> out = answersOf(fromFirstWarp, 96);
  // 0 + 10 + … + 60 and 7 times the other end's lane.
  for (std::size_t i = 0; i < 96; ++i)
    EXPECT_EQ(out[i], i < 32 ? 0 : 210 + 7 * (31 - static_cast<int>(i % 32)));
}

__global__ void unified(int* out) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int tile[2][64];
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    pipe.producer_acquire();
    const int value = static_cast<int>(threadIdx.x) + 100 * i;
    cuda::memcpy_async(&tile[i % 2][threadIdx.x], &value, sizeof value, pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    sum += tile[i % 2][63 - threadIdx.x];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}
TEST(Pipeline, EveryThreadMayBeBoth) {
  const std::vector<int> out = answersOf(unified, 64);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], 600 + 4 * (63 - i));
}

__global__ void grouped(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int tile[70];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  int own[70];
  for (int i = 0; i < 70; ++i) own[i] = i;
  cuda::memcpy_async(cg::this_thread_block(), tile, own, cuda::aligned_size_t<4>(sizeof own), barrier);
  barrier.arrive_and_wait();
  out[threadIdx.x] = tile[threadIdx.x + 38];
}
TEST(Barrier, AGroupCopiesTogether) {
  const std::vector<int> out = answersOf(grouped, 32);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], i + 38);
}

}  // namespace
