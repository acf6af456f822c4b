// Device functions that need the execution model: cooperative groups, half exchanges, clock().
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_fp16.h>
#include <gtest/gtest.h>

#include <ctime>
#include <vector>

namespace cg = cooperative_groups;

namespace {

/// What `kernel(out, …)` with one block of `threads` leaves in `out`, one value per thread.
template <class T, class... Arguments>
std::vector<T> resultsIn(void (*kernel)(T*, Arguments...), unsigned threads, Arguments... arguments) {
  T* out = nullptr;
  EXPECT_EQ(cudaMalloc(&out, threads * sizeof(T)), cudaSuccess);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(threads);
  EXPECT_EQ(cudaLaunchKernelEx(&config, kernel, out, arguments...), cudaSuccess);
  std::vector<T> result(out, out + threads);
  cudaFree(out);
  return result;
}

__global__ void reduceQuads(int* out) {
  const auto quad = cg::tiled_partition<4>(cg::this_thread_block());
  out[threadIdx.x] = cg::reduce(quad, static_cast<int>(threadIdx.x), cg::plus<int>()) * 100 +
                     static_cast<int>(quad.meta_group_rank() * 10 + quad.thread_rank());
}
// Tiles of two and four warps at the same time; the last quarter of the block does something else meanwhile.
__global__ void reduceWideTiles(long long* out) {
  __shared__ int order;
  const int own = static_cast<int>(threadIdx.x);
  const auto pair = cg::tiled_partition<64>(cg::this_thread_block());
  long long result = cg::reduce(pair, own, cg::plus<int>());
  if (own < 192) {
    result = result * 100 + pair.shfl(own, 70) % 64;
    result = result * 10 + pair.any(own == 65) * 2 + pair.all(own >= 64);
    result = result * 100 + pair.meta_group_rank() * 10 + pair.meta_group_size();
  }
  if (own == 0) order = 0;
  __syncthreads();
  const auto four = cg::tiled_partition<128>(cg::this_thread_block());
  if (own >= 128) {
    if (own == 255) order = 1;
    four.sync();
    result = result * 10 + order;
  }
  const auto half = cg::tiled_partition<32>(four);
  out[threadIdx.x] = result * 10 + half.meta_group_rank();
}
TEST(Groups, TilesMaySpanWarps) {
  const std::vector<long long> out = resultsIn(reduceWideTiles, 256);
  const auto sum = [](int first) { return 64 * first + 64 * 63 / 2; };  // of 64 numbers
  EXPECT_EQ(out[0], ((sum(0) * 100 + 6) * 10 + 0) * 1000LL + 4 * 10 + 0);
  EXPECT_EQ(out[127], ((sum(64) * 100 + 6) * 10 + 3) * 1000LL + 140 + 3);
  EXPECT_EQ(out[190], (((sum(128) * 100 + 6) * 10 + 1) * 100LL + 24) * 100 + 1 * 10 + 1);
  EXPECT_EQ(out[192], (sum(192) * 10 + 1) * 10LL + 2);
}

TEST(Groups, TilesReduceAmongThemselves) {
  const std::vector<int> out = resultsIn(reduceQuads, 64);
  EXPECT_EQ(out[5], (4 + 5 + 6 + 7) * 100 + 1 * 10 + 1);
  EXPECT_EQ(out[63], (60 + 61 + 62 + 63) * 100 + 15 * 10 + 3);
}

__global__ void scanWarp(int* out, int exclusive) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int value = static_cast<int>(threadIdx.x) + 1;
  out[threadIdx.x] = exclusive ? cg::exclusive_scan(warp, value) : cg::inclusive_scan(warp, value);
}
TEST(Groups, Scans) {
  EXPECT_EQ(resultsIn(scanWarp, 32, 0)[31], 32 * 33 / 2);
  EXPECT_EQ(resultsIn(scanWarp, 32, 1)[31], 31 * 32 / 2);
  EXPECT_EQ(resultsIn(scanWarp, 32, 1)[0], 0);
}

__global__ void oddThreads(int* out) {
  out[threadIdx.x] = -1;
  if (threadIdx.x % 2 == 1) {
    const cg::coalesced_group odd = cg::coalesced_threads();
    const int sum = cg::reduce(odd, 1, cg::plus<int>());
    out[threadIdx.x] = sum * 1000 + static_cast<int>(odd.thread_rank()) * 10 + odd.shfl(threadIdx.x == 3, 1);
  }
}
TEST(Groups, CoalescedThreadsAreThoseOfTheBranch) {
  const std::vector<int> out = resultsIn(oddThreads, 32);
  EXPECT_EQ(out[0], -1);
  EXPECT_EQ(out[1], 16 * 1000 + 0 * 10 + 1);
  EXPECT_EQ(out[31], 16 * 1000 + 15 * 10 + 1);
}

__global__ void partition(int* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto part = cg::binary_partition(warp, threadIdx.x < 10);
  const auto label = cg::labeled_partition(warp, static_cast<int>(threadIdx.x / 12));
  out[threadIdx.x] = static_cast<int>(part.size() * 100 + label.size());
}
TEST(Groups, Partitions) {
  const std::vector<int> out = resultsIn(partition, 32);
  EXPECT_EQ(out[0], 10 * 100 + 12);
  EXPECT_EQ(out[31], 22 * 100 + 8);
}

struct Wide {
  double a;
  int b[3];
};
__global__ void exchangeWide(int* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const Wide mine = {threadIdx.x * 0.5, {1, 2, static_cast<int>(threadIdx.x)}};
  const Wide other = warp.shfl(mine, 31 - static_cast<int>(threadIdx.x));
  out[threadIdx.x] = static_cast<int>(other.a * 2) * 100 + other.b[2];
}
TEST(Groups, ShuffleAnyTriviallyCopyableType) {
  EXPECT_EQ(resultsIn(exchangeWide, 32)[4], 27 * 100 + 27);
}

__global__ void stage(int* out, const int* in) {
  __shared__ int staged[64];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, staged, in, sizeof staged);
  cg::wait(block);
  out[threadIdx.x] = staged[63 - threadIdx.x];
}
TEST(Groups, AsynchronousCopyIsThereAfterWait) {
  int* in = nullptr;
  ASSERT_EQ(cudaMalloc(&in, 64 * sizeof(int)), cudaSuccess);
  for (int i = 0; i < 64; ++i) in[i] = i * i;
  const std::vector<int> out = resultsIn<int, const int*>(stage, 64, in);
  EXPECT_EQ(out[60], 9);
}

__global__ void gridSync(int* out) {
  cg::this_grid().sync();
  out[threadIdx.x] = 1;
}
TEST(Groups, GridSyncOfALaunchThatWasNotCooperativeTraps) {
  int* out = nullptr;
  ASSERT_EQ(cudaMalloc(&out, 128), cudaSuccess);
  void* arguments[] = {&out};
  EXPECT_EQ(cudaLaunchKernel(gridSync, dim3(2), dim3(32), arguments), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
}

constexpr int gridBlocks = 40;
// Every block reads what its neighbour has written, and says so to the one after: three times round.
__global__ void passOn(int* cell) {
  const cg::grid_group grid = cg::this_grid();
  for (int round = 0; round < 3; ++round) {
    const int seen = cell[(blockIdx.x + 1) % gridDim.x];
    grid.sync();
    if (threadIdx.x == 0) cell[blockIdx.x] = seen + (grid.is_valid() ? 100 : 0);
    grid.sync();
  }
}
TEST(Groups, AllBlocksOfACooperativeGridMeet) {
  int *cell = nullptr, host[gridBlocks];
  ASSERT_EQ(cudaMalloc(&cell, sizeof host), cudaSuccess);
  for (int i = 0; i < gridBlocks; ++i) host[i] = i;
  ASSERT_EQ(cudaMemcpy(cell, host, sizeof host, cudaMemcpyHostToDevice), cudaSuccess);
  void* arguments[] = {&cell};
  ASSERT_EQ(cudaLaunchCooperativeKernel(passOn, dim3(gridBlocks), dim3(64), arguments), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(host, cell, sizeof host, cudaMemcpyDeviceToHost), cudaSuccess);
  for (int i = 0; i < gridBlocks; ++i) EXPECT_EQ(host[i], 300 + (i + 3) % gridBlocks);
  cudaFree(cell);
}

__global__ void leaveOrMeet(int* out) {
  if (blockIdx.x % 2 == 0) return;
  cg::this_grid().sync();
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}
TEST(Groups, BlocksThatEndedAreNotWaitedFor) {
  int *out = nullptr, host[8] = {};
  ASSERT_EQ(cudaMalloc(&out, sizeof host), cudaSuccess);
  ASSERT_EQ(cudaMemset(out, 0, sizeof host), cudaSuccess);
  void* arguments[] = {&out};
  ASSERT_EQ(cudaLaunchCooperativeKernel(leaveOrMeet, dim3(8), dim3(32), arguments), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost), cudaSuccess);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(host[i], i % 2);
  cudaFree(out);
}

__global__ void failOrMeet(int*) {
  if (blockIdx.x == 3) __trap();
  cg::this_grid().sync();
}
TEST(Groups, ABlockThatFailsEndsTheWaitOfTheOthers) {
  int* none = nullptr;
  void* arguments[] = {&none};
  cudaLaunchCooperativeKernel(failOrMeet, dim3(8), dim3(32), arguments);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
}

// 2,048 threads a multiprocessor: two blocks of 1,024.
TEST(Groups, ACooperativeGridMustFitTheDevice) {
  cudaDeviceProp properties;
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  EXPECT_EQ(properties.cooperativeLaunch, 1);
  const unsigned fitting = 2 * static_cast<unsigned>(properties.multiProcessorCount);
  int* none = nullptr;
  void* arguments[] = {&none};
  EXPECT_EQ(cudaLaunchCooperativeKernel(leaveOrMeet, dim3(fitting + 1), dim3(1024), arguments),
            cudaErrorCooperativeLaunchTooLarge);
  EXPECT_EQ(cudaGetLastError(), cudaErrorCooperativeLaunchTooLarge);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

__global__ void sumHalves(float* out) {
  half value = __float2half(static_cast<float>(threadIdx.x));
  for (int offset = 16; offset > 0; offset /= 2) value = value + __shfl_xor_sync(~0u, value, offset);
  out[threadIdx.x] = __half2float(value);
}
TEST(Groups, HalvesAreExchanged) {
  EXPECT_EQ(resultsIn(sumHalves, 32)[7], 496.0f);
}

__global__ void deviceClock(long long* out) {
  out[threadIdx.x] = clock();
}
TEST(Clock, CountsNanosecondsInKernelsAndProcessTimeOutside) {
  timespec before{}, after{};
  clock_gettime(CLOCK_MONOTONIC, &before);
  const long long inKernel = resultsIn(deviceClock, 1)[0];
  clock_gettime(CLOCK_MONOTONIC, &after);
  EXPECT_GE(inKernel, before.tv_sec * 1000000000LL + before.tv_nsec);
  EXPECT_LE(inKernel, after.tv_sec * 1000000000LL + after.tv_nsec);
  EXPECT_LT(std::clock(), 60 * CLOCKS_PER_SEC);  // the test's own processor time, not the time since boot
}

}  // namespace
