// Divisions of integers that trap on this processor: they give what a GPU gives, and the kernel goes on.
#include "cuinstrument/instrument.h"
CUI_UNIT(0x21, 12)

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "fake_host.h"

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool underSanitizer = true;
#else
constexpr bool underSanitizer = false;
#endif

#define RUN(kernel, grid, block, ...)                         \
  CUI_LAUNCH(0, kernel CUI_LAUNCH_OPEN(< < <) CUI_GRID(grid), \
             CUI_BLOCK(block) CUI_LAUNCH_CLOSE(>>>)(__VA_ARGS__))

template <class T>
__global__ void divide(const T* numbers, T* results) {
  const T *pair = numbers + 2 * threadIdx.x, divisor = pair[1];
  results[4 * threadIdx.x] = static_cast<T>(pair[0] / divisor);
  results[4 * threadIdx.x + 1] = static_cast<T>(pair[0] % divisor);
  // What follows has its registers as they were.
  results[4 * threadIdx.x + 2] = divisor;
  results[4 * threadIdx.x + 3] = static_cast<T>(pair[0] / (divisor == 0 ? 2 : divisor));
}

template <class T>
void checkDivisions() {
  if (underSanitizer) GTEST_SKIP() << "the sanitizer has its own handler";
  constexpr T least = std::numeric_limits<T>::min(), ones = static_cast<T>(-1);
  const std::vector<T> numbers{7, 0, 0, 0, least, 0, 100, 7, least, ones};
  std::vector<T> results(4 * numbers.size() / 2);
  RUN(divide, 1, 5, numbers.data(), results.data());
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(results[4 * i], ones);
    EXPECT_EQ(results[4 * i + 1], ones);
    EXPECT_EQ(results[4 * i + 2], T(0));
    EXPECT_EQ(results[4 * i + 3], static_cast<T>(numbers[2 * i] / 2));
  }
  EXPECT_EQ(results[12], T(14));
  EXPECT_EQ(results[13], T(2));
  EXPECT_EQ(results[16], std::is_signed<T>::value ? least : T(0));
  EXPECT_EQ(results[17], T(0));
  EXPECT_EQ(results[18], ones);
}
TEST(Division, OfNumbersOf32Bits) {
  checkDivisions<std::int32_t>();
  checkDivisions<std::uint32_t>();
}
TEST(Division, OfNumbersOf64Bits) {
  checkDivisions<std::int64_t>();
  checkDivisions<std::uint64_t>();
}

#if defined(__x86_64__)
thread_local int ofThread = 0;
// Operands in registers and memory, however they are addressed.
__global__ void operands(const int* zeros, int i, std::uint64_t* results) {
  const auto check = [&](std::uint64_t quotient, std::uint64_t remainder, std::uint64_t ones) {
    *results++ = quotient == ones && remainder == ones;
  };
#define DIVIDE(operation, T, constraint, ...)                  \
  {                                                            \
    T quotient = 5, remainder = 0;                             \
    __asm__ volatile(operation " %2"                           \
                     : "+a"(quotient), "+d"(remainder)         \
                     : constraint(static_cast<T>(__VA_ARGS__)) \
                     : "cc");                                  \
    check(quotient, remainder, static_cast<T>(-1));            \
  }
#define DIVIDE_BY(operation, T, place)                 \
  {                                                    \
    T quotient = 5, remainder = 0;                     \
    __asm__ volatile(operation " " place               \
                     : "+a"(quotient), "+d"(remainder) \
                     : "S"(zeros), "c"(long{i})        \
                     : "cc");                          \
    check(quotient, remainder, static_cast<T>(-1));    \
  }
  DIVIDE("divl", std::uint32_t, "r", zeros[0])
  DIVIDE("idivl", std::uint32_t, "r", zeros[1])
  DIVIDE("divq", std::uint64_t, "r", zeros[0])
  DIVIDE("idivw", std::uint16_t, "r", zeros[0])
  DIVIDE_BY("divl", std::uint32_t, "(%%rsi)")
  DIVIDE_BY("idivl", std::uint32_t, "8(%%rsi)")
  DIVIDE_BY("divl", std::uint32_t, "(%%rsi,%%rcx,4)")
  DIVIDE_BY("divq", std::uint64_t, "-8(%%rsi,%%rcx,8)")
  DIVIDE_BY("idivw", std::uint16_t, "300(%%rsi,%%rcx,2)") {
    std::uint32_t quotient = 5, remainder = 0;
    __asm__ volatile("divl %2" : "+a"(quotient), "+d"(remainder) : "m"(ofThread) : "cc");
    check(quotient, remainder, 0xFFFFFFFF);
  }
  {
    static int beside = 0;
    std::uint64_t quotient = 5;
    __asm__ volatile("divb %1" : "+a"(quotient) : "m"(beside) : "cc");
    check(quotient, 0xFFFF, 0xFFFF);
  }
}
TEST(Division, ByOperandsOfAllKinds) {
  if (underSanitizer) GTEST_SKIP() << "the sanitizer has its own handler";
  const std::vector<int> zeros(200, 0);
  std::vector<std::uint64_t> results(12, 0);
  RUN(operands, 1, 1, zeros.data(), 3, results.data());
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  for (std::size_t i = 0; i < 11; ++i) EXPECT_EQ(results[i], 1U) << i;
  EXPECT_EQ(results[11], 0U);
}
#endif

}  // namespace
#include "test_tables.h"
