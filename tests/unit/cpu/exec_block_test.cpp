// Blocks: indices, barriers, spinning, deadlocks, traps, assertions, stacks, refused launches.
#include "cuinstrument/instrument.h"
CUI_UNIT(0x4, 12)

#include <gtest/gtest.h>

#undef NDEBUG
#include <cassert>
#include <cstdlib>
#include <set>
#include <tuple>
#include <vector>

#include "fake_host.h"

namespace {

using cui::test::host;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool underSanitizer = true;
#else
constexpr bool underSanitizer = false;
#endif

#define RUN(kernel, grid, block, ...)                         \
  CUI_LAUNCH(0, kernel CUI_LAUNCH_OPEN(< < <) CUI_GRID(grid), \
             CUI_BLOCK(block) CUI_LAUNCH_CLOSE(>>>)(__VA_ARGS__))
#define RUN_SHARED(kernel, grid, block, bytes, ...)                             \
  CUI_LAUNCH(0, kernel CUI_LAUNCH_OPEN(< < <) CUI_GRID(grid), CUI_BLOCK(block), \
             CUI_SHARED_BYTES(bytes) CUI_LAUNCH_CLOSE(>>>)(__VA_ARGS__))

__global__ void indices(unsigned* count) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
                 z = blockIdx.z * blockDim.z + threadIdx.z;
  const unsigned width = gridDim.x * blockDim.x, height = gridDim.y * blockDim.y;
  count[(z * height + y) * width + x] += 1 + (warpSize == 32);
}
TEST(Block, ThreeDimensionalIndicesVisitEveryCellOnce) {
  std::vector<unsigned> count(2 * 5 * 3 * 3 * 4 * 2, 0);
  RUN(indices, dim3(2, 3, 4), dim3(5, 3, 2), count.data());
  for (unsigned c : count) EXPECT_EQ(c, 2u);
}

__global__ void earlyExit(int* out, int leavers) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  if (threadIdx.x >= static_cast<unsigned>(100 - leavers)) return;
  for (int round = 0; round < 3; ++round) {
    atomicAdd(&sum, 1);
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = sum;
}
TEST(Block, ExitedThreadsCountAsArrivedAtBarriers) {
  for (int leavers : {0, 1, 37, 99}) {
    int out = 0;
    RUN(earlyExit, 1, 100, &out, leavers);
    EXPECT_EQ(out, 3 * (100 - leavers));
  }
}

__global__ void predicates(int* out) {
  const int i = threadIdx.x;
  out[i] = __syncthreads_count(i % 3 == 0);
  out[100 + i] = __syncthreads_and(i < 100);
  out[200 + i] = __syncthreads_and(i < 99);
  out[300 + i] = __syncthreads_or(i == 99);
  out[400 + i] = __syncthreads_or(i == 100);
}
TEST(Block, BarriersWithPredicates) {
  int out[500];
  RUN(predicates, 1, 100, out);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(out[i], 34);
    EXPECT_EQ(out[100 + i], 1);
    EXPECT_EQ(out[200 + i], 0);
    EXPECT_EQ(out[300 + i], 1);
    EXPECT_EQ(out[400 + i], 0);
  }
}

__global__ void blockSum(const int* in, int* out) {
  extern __shared__ int partial[] CUI_DYNAMIC_SHARED;
  CUI_SHARED_DYNAMIC(2, partial);
  const int i = threadIdx.x;
  partial[i] = in[blockIdx.x * blockDim.x + i];
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (i < static_cast<int>(stride)) partial[i] += partial[i + stride];
    __syncthreads();
  }
  if (i == 0) out[blockIdx.x] = partial[0];
}
TEST(Block, ReductionWithMoreThreadsThanAWarp) {
  std::vector<int> in(8 * 1024), out(8);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i % 7);
  RUN_SHARED(blockSum, 8, 1024, 4096, in.data(), out.data());
  for (int b = 0; b < 8; ++b) {
    int sum = 0;
    for (int i = 0; i < 1024; ++i) sum += in[b * 1024 + i];
    EXPECT_EQ(out[b], sum);
  }
}

__global__ void flagBetweenWarps(volatile int* flag, int* out) {
  if (threadIdx.x == 0)
    while (CUI_ACCESS(0, *flag) == 0) {
    }
  if (threadIdx.x == 63) CUI_ACCESS(1, *flag) = 1;
  out[threadIdx.x] = 1;
}
TEST(Block, AWarpMaySpinForAnotherWarp) {
  int flag = 0, out[64] = {};
  RUN(flagBetweenWarps, 1, 64, &flag, out);
  for (int o : out) EXPECT_EQ(o, 1);
}

__global__ void lock(int* mutex, int* counter) {
  while (atomicCAS(mutex, 0, 1) != 0) {
  }
  *counter += 1;
  __threadfence();
  atomicExch(mutex, 0);
}
TEST(Block, SpinLocksNeedNoInstrumentedAccess) {
  int mutex = 0, counter = 0;
  RUN(lock, 4, 96, &mutex, &counter);
  EXPECT_EQ(counter, 4 * 96);
}

/// Runs in a process of its own: a failed kernel's error stays with the process.
template <class Function>
void inChild(Function function) {
  function();
  std::exit(static_cast<int>(cudaDeviceSynchronize()) & 0xff);
}

__global__ void someSkipBarrier() {
  if (threadIdx.x < 40) __syncthreads();
  if (threadIdx.x == 50) __shfl_sync(0xffffffffu, 1, 0);
}
TEST(BlockDeathTest, DeadlockIsReportedWithItsThreads) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      inChild([] { RUN(someSkipBarrier, dim3(2, 1), 64); }), testing::ExitedWithCode(702 & 0xff),
      "cuinstrument: kernel kernel: block \\(0,0,0\\): deadlock, .*32 of warp 0 at __syncthreads "
      "\\(first: thread \\(0,0,0\\)\\); 8 of warp 1 at __syncthreads \\(first: thread \\(32,0,0\\)\\); "
      "1 of warp 1 at __shfl_sync mask 0xffffffff \\(first: thread \\(50,0,0\\)\\)");
}

__global__ void waitsForLaterBlock(int* flag) {
  if (blockIdx.x == 0) {
    while (atomicAdd(CUI_POINTER(0, flag), 0) == 0) {
    }
  } else {
    atomicExch(CUI_POINTER(1, flag), 1);
  }
}
TEST(BlockDeathTest, WaitingForALaterBlockEnds) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  setenv("CUINSTRUMENT_CPU_SPIN_MS", "50", 1);
  static int flag = 0;
  EXPECT_EXIT(inChild([] { RUN(waitsForLaterBlock, 2, 32, &flag); }), testing::ExitedWithCode(702 & 0xff),
              "kernel kernel: block \\(0,0,0\\): its threads wait for memory .*CUINSTRUMENT_CPU_THREADS");
}
TEST(Block, WithTwoWorkersABlockMayWaitForTheNext) {
  host().options.cpuThreads = 2;
  static int flag = 0;
  RUN(waitsForLaterBlock, 2, 32, &flag);
  host().options.cpuThreads = 1;
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

__global__ void traps(int* out) {
  if (threadIdx.x == 5) __trap();
  out[threadIdx.x] = 1;
}
TEST(BlockDeathTest, TrapFailsTheGridAndStays) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  static int out[32];
  EXPECT_EXIT(inChild([] {
                RUN(traps, 1, 32, out);
                if (cudaGetLastError() != cudaErrorLaunchFailure) std::exit(1);
                out[0] = 0;
                RUN(traps, 1, 4, out);  // would not trap, but nothing runs any more
                if (out[0] != 0) std::exit(2);
              }),
              testing::ExitedWithCode(719 & 0xff),
              "kernel kernel: block \\(0,0,0\\), thread \\(5,0,0\\): __trap");
}

__global__ void wild(int* p) {
  __syncthreads();
  CUI_ACCESS(7, p[threadIdx.x == 3 ? 1l << 50 : 0]) += 1;
}
TEST(BlockDeathTest, IllegalAddressFailsTheGridAndNamesTheAccess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  if (underSanitizer) GTEST_SKIP() << "the sanitizer reports the fault itself";
  static int cell = 0;
  EXPECT_EXIT(inChild([] { RUN(wild, 1, 32, &cell); }), testing::ExitedWithCode(700 & 0xff),
              "kernel kernel: block \\(0,0,0\\), thread \\(3,0,0\\): illegal address 0x[0-9a-f]+ at or after "
              "test.cu:1:1: a\\[i\\]");
}

__attribute__((noinline)) __device__ int bottomless(volatile int* p, int n) {
  volatile int frame[64];
  frame[n % 64] = n;
  return *p == 0 ? bottomless(p, n + 1) + frame[n % 64] : n;
}
__global__ void overflows(int* p) {
  *p = bottomless(p, 0);
}
TEST(BlockDeathTest, StackOverflowIsNamed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  if (underSanitizer) GTEST_SKIP() << "the sanitizer reports the fault itself";
  static int cell = 0;
  EXPECT_EXIT(inChild([] { RUN(overflows, 1, 1, &cell); }), testing::ExitedWithCode(700 & 0xff),
              "thread \\(0,0,0\\): stack overflow .*CUINSTRUMENT_CPU_STACK_KB");
}

// Warp-synchronous code from before __syncwarp: right only if the lanes of a warp go in step.
__global__ void warpSynchronous(volatile int* s) {
  const int i = threadIdx.x;
  for (int d = 16; d > 0; d /= 2)
    if (i < d) CUI_ACCESS(0, s[i]) = s[i] + CUI_ACCESS(1, s[i + d]);
}
TEST(BlockDeathTest, LockstepRunsWarpSynchronousCode) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        setenv("CUINSTRUMENT_CPU_LOCKSTEP", "1", 1);
        static int s[64];
        for (int i = 0; i < 32; ++i) s[i] = i;
        RUN(warpSynchronous, 1, 32, s);
        std::exit(s[0] == 496 ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

__global__ void asserts(int limit) {
  assert(static_cast<int>(threadIdx.x) < limit);
}
TEST(BlockDeathTest, AssertFailsTheGrid) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(inChild([] { RUN(asserts, 1, 32, 9); }), testing::ExitedWithCode(710 & 0xff),
              "exec_block_test.cpp:[0-9]+: .*block \\(0,0,0\\), thread \\(9,0,0\\) Assertion "
              "`static_cast<int>\\(threadIdx.x\\) < limit` failed");
}
TEST(BlockDeathTest, AssertOnTheHostAborts) {
  EXPECT_EXIT(asserts(-1000000000), testing::KilledBySignal(SIGABRT), "Assertion `.*' failed");
}

__global__ void nested() {
  RUN(nested, 1, 1);
}
TEST(BlockDeathTest, KernelsThatLaunchThemselvesForEverEnd) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(inChild([] { RUN(nested, 1, 1); }), testing::ExitedWithCode(65), "more than 24 deep");
}

__global__ void nestedByCall() {
  cui::backend::launch(nullptr, 0, cui::cuiLaunchShape(1, 1), [](void*) {}, nullptr);
}
TEST(BlockDeathTest, ALaunchFromDeviceCodeByACallIsRefused) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(inChild([] { RUN(nestedByCall, 1, 1); }), testing::ExitedWithCode(801 & 0xff),
              "launched from device code by a call");
}

__attribute__((noinline)) __device__ int deep(int n, volatile int* touch) {
  volatile int frame[16];
  frame[n % 16] = n;
  if (n == 0) return *touch;
  return deep(n - 1, touch) + (frame[n % 16] - n);
}
__global__ void recursion(int* out, int* in) {
  const int depth = underSanitizer ? 200 : 800;  // about 100 KB of stack in every thread
  const int value = deep(depth, in);
  __syncthreads();
  out[threadIdx.x] = deep(depth, in) + value;
}
TEST(Block, DeepStacksInEveryThread) {
  int in = 21, out[256];
  RUN(recursion, 1, 256, out, &in);
  for (int o : out) EXPECT_EQ(o, 42);
}

__global__ void noThreads(int* out) {
  *out = 1;
}
TEST(Launch, ImpossibleShapesFailAsInCuda) {
  int out = 0;
  const auto expect = [&](dim3 grid, dim3 block, std::size_t bytes, cudaError_t error) {
    host().clear();
    RUN_SHARED(noThreads, grid, block, bytes, &out);
    EXPECT_EQ(cudaPeekAtLastError(), error);
    EXPECT_EQ(cudaGetLastError(), error);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);  // not sticky
    ASSERT_EQ(host().ended.size(), 1u);
    EXPECT_EQ(host().ended[0].error, error);
    EXPECT_EQ(host().ended[0].name, cudaGetErrorName(error));
    EXPECT_EQ(out, 0);
  };
  expect(1, 1025, 0, cudaErrorInvalidConfiguration);
  expect(1, 2048, 0, cudaErrorInvalidConfiguration);
  expect(1, dim3(32, 33), 0, cudaErrorInvalidConfiguration);
  expect(1, dim3(1, 1, 65), 0, cudaErrorInvalidConfiguration);
  expect(1, 0, 0, cudaErrorInvalidConfiguration);
  expect(0, 1, 0, cudaErrorInvalidConfiguration);
  expect(dim3(1, 65536), 1, 0, cudaErrorInvalidConfiguration);
  expect(dim3(1, 1, 65536), 1, 0, cudaErrorInvalidConfiguration);
  expect(2147483648u, 1, 0, cudaErrorInvalidConfiguration);
  // The unit's table gives "kernel" 164 bytes of static shared memory, of the 48 KB.
  expect(1, 1, 49152 - 163, cudaErrorInvalidValue);
  expect(1, 1, 49153, cudaErrorInvalidValue);
  RUN_SHARED(noThreads, 1, 1, 49152 - 164, &out);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(out, 1);
}

TEST(Launch, MoreSharedMemoryAfterOptingIn) {
  int out = 0;
  ASSERT_EQ(cudaFuncSetAttribute(noThreads, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000),
            cudaSuccess);
  RUN_SHARED(noThreads, 1, 1, 100001, &out);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  RUN_SHARED(noThreads, 1, 1, 100000, &out);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(out, 1);
}

template <class T, int N>
__global__ void typed(T* out, const T* in, float scale) {
  *out = static_cast<T>(*in * N * scale);
}
template <class T>
__global__ void deduced(T* out, void* nothing) {
  *out += nothing == nullptr;
}
TEST(Launch, IsOneExpressionWithTemplateCommasAndDeduction) {
  int out = 0;
  const int in = 3;
  int evaluated = 0;
  for (int pass = 0; pass < 2; ++pass)
    if (pass == 0)
      CUI_LAUNCH(0, typed<int, 5> CUI_LAUNCH_OPEN(< < <) CUI_GRID(dim3(1, 1)), CUI_BLOCK(1),
                 CUI_SHARED_BYTES(0), CUI_STREAM(0) CUI_LAUNCH_CLOSE(>>>)((++evaluated, &out), &in, 2));
    else
      CUI_LAUNCH(0, deduced CUI_LAUNCH_OPEN(< < <) CUI_GRID(1),
                 CUI_BLOCK(1) CUI_LAUNCH_CLOSE(>>>)(&out, CUI_NULL(0)));
  EXPECT_EQ(out, 31);
  EXPECT_EQ(evaluated, 1);
}

__global__ void prints() {
  printf("thread %d\n", threadIdx.x);
}
TEST(Launch, PrintfComesInOrder) {
  testing::internal::CaptureStdout();
  RUN(prints, 1, 3);
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "thread 0\nthread 1\nthread 2\n");
}

TEST(Launch, NothingIsToldWhenRecordingIsOff) {
  host().clear();
  host().recording = 0;
  int flag = 0, out[64] = {};
  RUN(flagBetweenWarps, 1, 64, &flag, out);
  host().recording = 1;
  for (int o : out) EXPECT_EQ(o, 1);
  EXPECT_TRUE(host().slots.empty());
  EXPECT_TRUE(host().begun.empty());
  EXPECT_TRUE(host().ended.empty());
}

// Lanes that nobody records are not interrupted unless they spin.
__global__ void flagAfterMuchWork(volatile int* flag, volatile int* work, int* order) {
  if (threadIdx.x == 0)
    while (CUI_ACCESS(0, *flag) == 0) {
    }
  else
    for (int i = 0; i < 5000; ++i) CUI_ACCESS(1, work[i % 100]) = i;
  if (threadIdx.x == 31) CUI_ACCESS(2, *flag) = 1;
  order[threadIdx.x] = order[32]++;
}
TEST(Launch, LanesGoOnUnlessTheySpinWhenRecordingIsOff) {
  host().recording = 0;
  int flag = 0, work[100] = {}, order[33] = {};
  RUN(flagAfterMuchWork, 1, 32, &flag, work, order);
  host().recording = 1;
  for (int lane = 1; lane < 32; ++lane) EXPECT_EQ(order[lane], lane - 1);
  EXPECT_EQ(order[0], 31);
}

// A fence makes the compiler read memory again that is not volatile.
__global__ void flagBehindFences(int* flag, int* seen) {
  if (threadIdx.x == 0)
    while (CUI_ACCESS(0, *flag) == 0) __threadfence();
  if (threadIdx.x == 31) CUI_ACCESS(2, *flag) = 1;
  *seen += 1;
}
TEST(Launch, ALaneMaySpinBehindFencesWhenRecordingIsOff) {
  host().recording = 0;
  int flag = 0, seen = 0;
  RUN(flagBehindFences, 1, 32, &flag, &seen);
  host().recording = 1;
  EXPECT_EQ(seen, 32);
}

__global__ void spinsForLaterBlock(volatile int* flag) {
  if (blockIdx.x == 0)
    while (CUI_ACCESS(0, *flag) == 0) {
    }
  else
    CUI_ACCESS(1, *flag) = 1;
}
TEST(BlockDeathTest, WaitingInVainEndsWhenRecordingIsOff) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  setenv("CUINSTRUMENT_CPU_SPIN_MS", "50", 1);
  static int flag = 0;
  EXPECT_EXIT(inChild([] {
                host().recording = 0;
                RUN(spinsForLaterBlock, 2, 32, &flag);
              }),
              testing::ExitedWithCode(702 & 0xff), "its threads wait for memory");
}

}  // namespace
#include "test_tables.h"
