// Which lanes share a warp record: the merge rule on control flow whose warp accesses are counted by hand.
#include "cuinstrument/instrument.h"
CUI_UNIT(0x2, 12)

#include <gtest/gtest.h>

#include "fake_host.h"

namespace {

using cui::test::host;

/// Sites and masks of all accesses, in order.
std::vector<std::pair<unsigned, unsigned>> records() {
  std::vector<std::pair<unsigned, unsigned>> all;
  for (const auto& a : host().accesses()) all.push_back({a.site - cui::unitState.firstSite, a.mask});
  return all;
}
unsigned countOf(unsigned site) {
  return host().accesses(cui::unitState.firstSite + site).size();
}
using Expected = std::vector<std::pair<unsigned, unsigned>>;

struct Memory {
  int a[4096] = {};
};
Memory memory;

#define RUN(kernel, threads) \
  host().clear();            \
  CUI_LAUNCH(0, kernel CUI_LAUNCH_OPEN(< < <) CUI_GRID(1), CUI_BLOCK(threads) CUI_LAUNCH_CLOSE(>>>)(memory.a))

__global__ void ifElse(int* a) {
  int i = threadIdx.x;
  if (i < 16)
    CUI_ACCESS(0, a[i]) = 1;
  else
    CUI_ACCESS(1, a[i]) = 2;
  CUI_ACCESS(2, a[i]) += 3;
}
TEST(Merge, BothSidesOfAnIfThenTogether) {
  RUN(ifElse, 32);
  EXPECT_EQ(records(), (Expected{{0, 0xffffu}, {1, 0xffff0000u}, {2, ~0u}}));
}

__global__ void fourWays(int* a) {
  int i = threadIdx.x;
  switch (i % 4) {
    case 0:
      CUI_ACCESS(0, a[i]) = 1;
      break;
    case 1:
      CUI_ACCESS(1, a[i]) = 1;  // falls through
    case 2:
      CUI_ACCESS(2, a[i]) = 1;
      break;
    default:
      break;
  }
  CUI_ACCESS(3, a[i]) = 1;
}
TEST(Merge, SwitchWithFallThrough) {
  RUN(fourWays, 32);
  EXPECT_EQ(records(), (Expected{{0, 0x11111111u}, {1, 0x22222222u}, {2, 0x66666666u}, {3, ~0u}}));
}

__global__ void tripCounts(int* a) {
  int i = threadIdx.x;
  for (int j = 0; j < i % 4; ++j) CUI_ACCESS(0, a[i]) += 1;
  CUI_ACCESS(1, a[i]) += 1;
}
TEST(Merge, LanesLeaveALoopAndWaitForTheOthers) {
  RUN(tripCounts, 32);
  // Trip j is made by the lanes with i % 4 > j.
  EXPECT_EQ(records(), (Expected{{0, 0xeeeeeeeeu}, {0, 0xccccccccu}, {0, 0x88888888u}, {1, ~0u}}));
}

__global__ void longLoop(int* a) {
  int i = threadIdx.x;
  for (int j = 0; j < (i == 0 ? 1000 : 10); ++j) CUI_ACCESS(0, a[i + j]) += 1;
  CUI_ACCESS(1, a[i]) += 1;
}
TEST(Merge, OneLaneLoopsForLongerThanALogHolds) {
  RUN(longLoop, 32);
  const auto all = records();
  ASSERT_EQ(all.size(), 1001u);
  for (int j = 0; j < 1000; ++j) EXPECT_EQ(all[j], std::make_pair(0u, j < 10 ? ~0u : 1u));
  EXPECT_EQ(all[1000], std::make_pair(1u, ~0u));
}

__global__ void branchInLoop(int* a) {
  int i = threadIdx.x;
  for (int j = 0; j < 200; ++j) {
    CUI_ACCESS(0, a[i]) += 1;
    if ((i + j) % 2) {
      CUI_ACCESS(1, a[i]) += 1;
      CUI_ACCESS(2, a[i + 1]) = 1;
    }
    CUI_ACCESS(3, a[i]) += 1;
  }
}
TEST(Merge, ABranchInALoopReconvergesInEveryTrip) {
  RUN(branchInLoop, 32);
  const auto all = records();
  ASSERT_EQ(all.size(), 800u);
  for (int j = 0; j < 200; ++j) {
    const unsigned odd = j % 2 ? 0x55555555u : 0xaaaaaaaau;
    EXPECT_EQ(all[4 * j], std::make_pair(0u, ~0u));
    EXPECT_EQ(all[4 * j + 1], std::make_pair(1u, odd));
    EXPECT_EQ(all[4 * j + 2], std::make_pair(2u, odd));
    EXPECT_EQ(all[4 * j + 3], std::make_pair(3u, ~0u));
  }
}

__global__ void nestedLoops(int* a) {
  int i = threadIdx.x;
  for (int j = 0; j < 100; ++j) {
    CUI_ACCESS(0, a[j]) += 1;
    for (int k = 0; k < (i + j) % 3; ++k) CUI_ACCESS(1, a[i]) += 1;
    CUI_ACCESS(2, a[i]) += 1;
  }
}
TEST(Merge, InnerLoopsOfDifferentLengthStayInTheirTrip) {
  RUN(nestedLoops, 32);
  // The longest inner loop of a warp makes 2 trips.
  EXPECT_EQ(countOf(0), 100u);
  EXPECT_EQ(countOf(1), 200u);
  EXPECT_EQ(countOf(2), 100u);
  for (const auto& r : records())
    if (r.first != 1) EXPECT_EQ(r.second, ~0u);
}

__attribute__((noinline)) __device__ void descend(int* a, int depth) {
  if (depth == 0) return;
  CUI_ACCESS(0, a[depth]) += 1;
  descend(a, depth - 1);
  CUI_ACCESS(1, a[depth]) += 1;
}
__global__ void recursion(int* a) {
  descend(a, threadIdx.x % 4);
}
TEST(Merge, ActivationsOfARecursiveFunctionAreToldApart) {
  RUN(recursion, 32);
  // Going down, activation d is entered by lanes with i % 4 >= d (d = 1, 2, 3); coming back up the
  // deepest activation returns first, and shallower ones wait for it.
  EXPECT_EQ(records(), (Expected{{0, 0xeeeeeeeeu},
                                 {0, 0xccccccccu},
                                 {0, 0x88888888u},
                                 {1, 0x88888888u},
                                 {1, 0xccccccccu},
                                 {1, 0xeeeeeeeeu}}));
}

__global__ void earlyReturn(int* a) {
  int i = threadIdx.x;
  CUI_ACCESS(0, a[i]) += 1;
  if (i % 2) return;
  CUI_ACCESS(1, a[i]) += 1;
}
TEST(Merge, LanesThatReturnedAreNotWaitedFor) {
  RUN(earlyReturn, 40);
  EXPECT_EQ(records(), (Expected{{0, ~0u}, {1, 0x55555555u}, {0, 0xffu}, {1, 0x55u}}));
}

__global__ void callInBranch(int* a);
__attribute__((noinline)) __device__ void callee(int* a) {
  CUI_ACCESS(5, a[threadIdx.x]) += 1;
}
__global__ void callInBranch(int* a) {
  int i = threadIdx.x;
  for (int j = 0; j < 10; ++j) {
    if ((i + j) % 2) callee(a);
    CUI_ACCESS(2, a[i]) += 1;
  }
}
TEST(Merge, ACalleeFurtherDownTheFileGoesBeforeItsCaller) {
  RUN(callInBranch, 32);
  EXPECT_EQ(countOf(5), 10u);
  EXPECT_EQ(countOf(2), 10u);
}

__global__ void flagInWarp(volatile int* a) {
  // Lane 1 spins for lane 0, which has more to do than a log holds before it sets the flag.
  if (threadIdx.x == 0) {
    for (int j = 0; j < 300; ++j) CUI_ACCESS(1, a[j + 1]) = j;
    CUI_ACCESS(2, a[0]) = 1;
  } else if (threadIdx.x == 1) {
    while (CUI_ACCESS(0, a[0]) == 0) {
    }
  }
}
TEST(Merge, ASpinningLaneDoesNotStarveTheLaneItWaitsFor) {
  memory.a[0] = 0;
  RUN(flagInWarp, 32);
  EXPECT_EQ(memory.a[0], 1);
  EXPECT_EQ(countOf(1), 300u);
}

}  // namespace
#include "test_tables.h"
