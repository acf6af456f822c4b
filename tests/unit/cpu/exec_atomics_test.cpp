// Atomics: every function and type against its definition, and many workers against one counter.
#include "cuinstrument/instrument.h"
CUI_UNIT(0x6, 12)

#include <gtest/gtest.h>

#include "fake_host.h"

namespace {

#define RUN(kernel, grid, block, ...)                         \
  CUI_LAUNCH(0, kernel CUI_LAUNCH_OPEN(< < <) CUI_GRID(grid), \
             CUI_BLOCK(block) CUI_LAUNCH_CLOSE(>>>)(__VA_ARGS__))

// Each function returns the old value and leaves the new one.
#define CHECK(function, T, before, operand, after)                                          \
  do {                                                                                      \
    for (T(*scope)(T*, T) :                                                                 \
         {static_cast<T (*)(T*, T)>(function), static_cast<T (*)(T*, T)>(function##_block), \
          static_cast<T (*)(T*, T)>(function##_system)}) {                                  \
      T cell = before;                                                                      \
      EXPECT_EQ(scope(&cell, operand), static_cast<T>(before));                             \
      EXPECT_EQ(cell, static_cast<T>(after));                                               \
    }                                                                                       \
  } while (0)

template <class T>
void integers() {
  CHECK(atomicAdd, T, 5, 7, 12);
  CHECK(atomicExch, T, 5, 7, 7);
  CHECK(atomicMin, T, 5, 7, 5);
  CHECK(atomicMin, T, 7, 5, 5);
  CHECK(atomicMax, T, 5, 7, 7);
  CHECK(atomicAnd, T, 12, 10, 8);
  CHECK(atomicOr, T, 12, 10, 14);
  CHECK(atomicXor, T, 12, 10, 6);
  T cell = 5;
  EXPECT_EQ(atomicCAS(&cell, T(4), T(9)), T(5));
  EXPECT_EQ(cell, T(5));
  EXPECT_EQ(atomicCAS(&cell, T(5), T(9)), T(5));
  EXPECT_EQ(atomicCAS_block(&cell, T(9), T(1)), T(9));
  EXPECT_EQ(atomicCAS_system(&cell, T(1), T(2)), T(1));
  EXPECT_EQ(cell, T(2));
}
TEST(Atomics, Integers) {
  integers<int>();
  integers<unsigned>();
  integers<unsigned long long>();
  CHECK(atomicSub, int, 5, 7, -2);
  CHECK(atomicSub, unsigned, 7, 5, 2);
  CHECK(atomicMin, int, -5, 3, -5);
  CHECK(atomicMax, int, -5, 3, 3);
  CHECK(atomicMin, long long, -5, 3, -5);
  CHECK(atomicMax, long long, -5, 3, 3);
  unsigned short half = 3;
  EXPECT_EQ(atomicCAS(&half, static_cast<unsigned short>(3), static_cast<unsigned short>(4)), 3);
  EXPECT_EQ(half, 4);
}
TEST(Atomics, IncrementAndDecrementWrap) {
  unsigned cell = 3;
  EXPECT_EQ(atomicInc(&cell, 4u), 3u);
  EXPECT_EQ(atomicInc(&cell, 4u), 4u);
  EXPECT_EQ(cell, 0u);
  EXPECT_EQ(atomicDec(&cell, 4u), 0u);
  EXPECT_EQ(cell, 4u);
  cell = 9;
  EXPECT_EQ(atomicDec(&cell, 4u), 9u);
  EXPECT_EQ(cell, 4u);
}
TEST(Atomics, FloatingPoint) {
  CHECK(atomicAdd, float, 1.5f, 2.25f, 3.75f);
  CHECK(atomicAdd, double, 1.5, 2.25, 3.75);
  CHECK(atomicExch, float, 1.5f, 2.25f, 2.25f);
  float4 four = {1, 2, 3, 4};
  const float4 old = atomicAdd(&four, float4{1, 1, 1, 1});
  EXPECT_EQ(old.w, 4);
  EXPECT_EQ(four.w, 5);
  EXPECT_EQ(four.x, 2);
}

__global__ void count(int* i, unsigned long long* u, float* f, double* d, int* extremes) {
  const int me = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(CUI_POINTER(0, i), 1);
  atomicAdd(u, 3ull);
  atomicAdd(f, 1.0f);
  atomicAdd(d, 0.5);
  atomicMin(&extremes[0], me);
  atomicMax(&extremes[1], me);
}
TEST(Atomics, ManyWorkersLoseNothing) {
  cui::test::host().options.cpuThreads = 4;
  int i = 0, extremes[2] = {1000000, -1};
  unsigned long long u = 0;
  float f = 0;
  double d = 0;
  RUN(count, 100, 128, &i, &u, &f, &d, extremes);
  cui::test::host().options.cpuThreads = 1;
  EXPECT_EQ(i, 12800);
  EXPECT_EQ(u, 38400u);
  EXPECT_EQ(f, 12800.0f);
  EXPECT_EQ(d, 6400.0);
  EXPECT_EQ(extremes[0], 0);
  EXPECT_EQ(extremes[1], 12799);
}

}  // namespace
#include "test_tables.h"
