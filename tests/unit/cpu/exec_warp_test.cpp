// Warp intrinsics against their definitions in the CUDA programming guide.
#include "cuinstrument/instrument.h"
CUI_UNIT(0x3, 12)

#include <gtest/gtest.h>

#include "fake_host.h"

namespace {

#define RUN(kernel, threads, ...)                          \
  CUI_LAUNCH(0, kernel CUI_LAUNCH_OPEN(< < <) CUI_GRID(1), \
             CUI_BLOCK(threads) CUI_LAUNCH_CLOSE(>>>)(__VA_ARGS__))

constexpr unsigned full = 0xffffffffu;

template <class T>
__global__ void shuffles(T* out, int operand, int width) {
  const int i = threadIdx.x;
  const T value = static_cast<T>(100 + i);
  out[i] = __shfl_sync(full, value, operand, width);
  out[32 + i] = __shfl_up_sync(full, value, operand, width);
  out[64 + i] = __shfl_down_sync(full, value, operand, width);
  out[96 + i] = __shfl_xor_sync(full, value, operand, width);
}
template <class T>
void checkShuffles() {
  T out[128];
  for (int width : {1, 2, 8, 32})
    for (int operand : {0, 1, 3, 9, 31}) {
      RUN(shuffles<T>, 32, out, operand, width);
      for (int i = 0; i < 32; ++i) {
        const int first = i / width * width, last = first + width - 1;
        const auto at = [](int lane) { return static_cast<T>(100 + lane); };
        ASSERT_EQ(out[i], at(first + operand % width)) << i << " " << width << " " << operand;
        ASSERT_EQ(out[32 + i], at(i - operand < first ? i : i - operand));
        ASSERT_EQ(out[64 + i], at(i + operand > last ? i : i + operand));
        // A lane of a later segment is out of reach, one of an earlier segment is not.
        ASSERT_EQ(out[96 + i], at((i ^ operand) > last ? i : i ^ operand));
      }
    }
}
TEST(Warp, ShuffleInt) {
  checkShuffles<int>();
}
TEST(Warp, ShuffleDouble) {
  checkShuffles<double>();
}
TEST(Warp, ShuffleUnsignedLongLong) {
  checkShuffles<unsigned long long>();
}

__global__ void reduceSum(int* out) {
  int value = threadIdx.x;
  for (int delta = 16; delta > 0; delta /= 2) value += __shfl_down_sync(full, value, delta);
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = value;
}
TEST(Warp, ShuffleReductionOfEveryWarp) {
  int out[4];
  RUN(reduceSum, 128, out);
  // 32 consecutive numbers from 32 w: 496 + 1024 w.
  for (int w = 0; w < 4; ++w) EXPECT_EQ(out[w], 496 + 1024 * w);
}

__global__ void votes(unsigned* out) {
  const int i = threadIdx.x;
  if (i >= 20) return;  // exited lanes are not waited for
  const unsigned mask = i < 16 ? 0xffffu : 0xffff0000u;
  out[i] = __ballot_sync(mask, i % 3 == 0);
  out[32 + i] = __any_sync(mask, i == 17);
  out[64 + i] = __all_sync(mask, i < 16);
  out[96 + i] = __uni_sync(mask, i < 8);
}
TEST(Warp, VotesOfTwoHalvesWithExitedLanes) {
  unsigned out[128];
  RUN(votes, 32, out);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(out[i], i < 16 ? 0x9249u : 0x40000u);  // multiples of 3: 0..15, 18
    EXPECT_EQ(out[32 + i], i < 16 ? 0u : 1u);
    EXPECT_EQ(out[64 + i], i < 16 ? 1u : 0u);
    EXPECT_EQ(out[96 + i], i < 16 ? 0u : 1u);
  }
}

__global__ void matches(unsigned* out) {
  const int i = threadIdx.x;
  int same;
  out[i] = __match_any_sync(full, i % 4);
  out[32 + i] = __match_all_sync(full, 5.0, &same);
  out[64 + i] = same;
  out[96 + i] = __match_all_sync(full, i < 31, &same);
  out[128 + i] = same;
}
TEST(Warp, Matches) {
  unsigned out[160];
  RUN(matches, 32, out);
  for (int i = 0; i < 32; ++i) {
    EXPECT_EQ(out[i], 0x11111111u << i % 4);
    EXPECT_EQ(out[32 + i], full);
    EXPECT_EQ(out[64 + i], 1u);
    EXPECT_EQ(out[96 + i], 0u);
    EXPECT_EQ(out[128 + i], 0u);
  }
}

__global__ void reductionsOfSix(int* out) {
  const int i = threadIdx.x;
  if (i >= 6) return;
  const unsigned mask = 0x3f;
  out[i] = __reduce_add_sync(mask, i - 3);  // -3-2-1+0+1+2
  out[8 + i] = __reduce_min_sync(mask, i - 3);
  out[16 + i] = __reduce_max_sync(mask, i - 3);
  out[24 + i] = static_cast<int>(__reduce_min_sync(mask, static_cast<unsigned>(i - 3)));
  out[32 + i] = static_cast<int>(__reduce_max_sync(mask, static_cast<unsigned>(i - 3)));
  out[40 + i] = static_cast<int>(__reduce_and_sync(mask, 8u | i));
  out[48 + i] = static_cast<int>(__reduce_or_sync(mask, 1u << i));
  out[56 + i] = static_cast<int>(__reduce_xor_sync(mask, 1u << i / 2));
}
TEST(Warp, Reductions) {
  int out[64];
  RUN(reductionsOfSix, 32, out);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(out[i], -3);
    EXPECT_EQ(out[8 + i], -3);
    EXPECT_EQ(out[16 + i], 2);
    EXPECT_EQ(out[24 + i], 0);
    EXPECT_EQ(out[32 + i], -1);
    EXPECT_EQ(out[40 + i], 8);
    EXPECT_EQ(out[48 + i], 0x3f);
    EXPECT_EQ(out[56 + i], 0);
  }
}

__global__ void active(unsigned* out) {
  const int i = threadIdx.x;
  if (i % 2) {
    out[i] = __activemask();
    if (i < 8) out[32 + i] = __activemask();
  }
  out[64 + i] = __activemask();
}
TEST(Warp, ActivemaskNamesTheLanesOfTheBranch) {
  unsigned out[96] = {};
  RUN(active, 24, out);
  for (int i = 0; i < 24; ++i) {
    EXPECT_EQ(out[i], i % 2 ? 0xaaaaaau : 0u);
    EXPECT_EQ(out[32 + i], i % 2 && i < 8 ? 0xaau : 0u);
    EXPECT_EQ(out[64 + i], 0xffffffu);
  }
}

// The programming guide's warp-aggregated increment.
__global__ void aggregated(int* counter, int* slot) {
  const int i = threadIdx.x;
  if (i % 3 == 0) {
    const unsigned mask = __activemask();
    const int leader = __ffs(mask) - 1;
    int base;
    if (i % 32 == leader) base = atomicAdd(counter, __popc(mask));
    base = __shfl_sync(mask, base, leader);
    slot[i] = base + __popc(mask & ((1u << i % 32) - 1));
  }
}
TEST(Warp, AggregatedAtomics) {
  int counter = 0, slot[64];
  RUN(aggregated, 64, &counter, slot);
  EXPECT_EQ(counter, 22);  // 0, 3, … 63
  for (int i = 0; i < 64; i += 3) EXPECT_EQ(slot[i], i / 3);
}

__global__ void syncSubsets(int* out) {
  __shared__ int cell[64];
  const int i = threadIdx.x, pair = i / 2;
  cell[i] = i;
  __syncwarp(3u << pair * 2 % 32);
  out[i] = cell[i ^ 1];
}
TEST(Warp, SyncwarpOfPairs) {
  int out[64];
  RUN(syncSubsets, 64, out);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(out[i], i ^ 1);
}

}  // namespace
#include "test_tables.h"
