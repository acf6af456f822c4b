// half and bfloat16: conversions of every pattern, and arithmetic that rounds once.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <gtest/gtest.h>

#include <cmath>

namespace {

/// The value of a pattern by the format's definition.
double valueOf(unsigned bits, int mantissaBits, int bias) {
  const int exponent = static_cast<int>(bits & 0x7fffu) >> mantissaBits;
  const double mantissa = bits & ((1u << mantissaBits) - 1);
  const double magnitude = exponent == 0
                               ? std::ldexp(mantissa, 1 - bias - mantissaBits)
                               : std::ldexp(mantissa + (1 << mantissaBits), exponent - bias - mantissaBits);
  return (bits & 0x8000u) != 0 ? -magnitude : magnitude;
}

TEST(Half, EveryPatternConvertsToFloatAndBack) {
  for (unsigned bits = 0; bits < 0x10000u; ++bits) {
    const half h = __ushort_as_half(static_cast<unsigned short>(bits));
    const float f = __half2float(h);
    if ((bits & 0x7fffu) > 0x7c00u) {
      ASSERT_TRUE(std::isnan(f)) << bits;
      ASSERT_EQ(__half_as_ushort(__float2half(f)), 0x7fff);
    } else {
      if ((bits & 0x7fffu) == 0x7c00u)
        ASSERT_EQ(f, (bits & 0x8000u) != 0 ? -INFINITY : INFINITY);
      else
        ASSERT_EQ(f, static_cast<float>(valueOf(bits, 10, 15))) << bits;
      ASSERT_EQ(__half_as_ushort(__float2half(f)), bits);
      ASSERT_EQ(__half_as_ushort(__double2half(f)), bits);
    }
  }
}

// Between each positive finite pattern and the next one: the midpoint and its neighbours, in all modes.
TEST(Half, EveryRoundingBetweenNeighbours) {
  for (unsigned low = 0; low < 0x7c00u; ++low) {
    const unsigned high = low + 1;  // 0x7c00 is infinity, where 65536 would be
    const double a = valueOf(low, 10, 15), b = high == 0x7c00u ? 65536.0 : valueOf(high, 10, 15);
    const float middle = static_cast<float>((a + b) / 2);  // exact: one bit more
    const unsigned even = low % 2 == 0 ? low : high;
    ASSERT_EQ(__half_as_ushort(__float2half_rn(middle)), even) << low;
    ASSERT_EQ(__half_as_ushort(__float2half_rn(std::nextafter(middle, 0.0f))), low) << low;
    ASSERT_EQ(__half_as_ushort(__float2half_rn(std::nextafter(middle, 1e9f))), high) << low;
    ASSERT_EQ(__half_as_ushort(__float2half_rz(middle)), low);
    ASSERT_EQ(__half_as_ushort(__float2half_rd(middle)), low);
    ASSERT_EQ(__half_as_ushort(__float2half_ru(middle)), high);
    ASSERT_EQ(__half_as_ushort(__float2half_ru(-middle)), low | 0x8000u);
    ASSERT_EQ(__half_as_ushort(__float2half_rd(-middle)), high | 0x8000u);
  }
}

TEST(Half, DoubleRoundsOnce) {
  // Just above the midpoint of 1 and its successor: through float it would become the midpoint, then 1.
  EXPECT_EQ(__half_as_ushort(__double2half(1.0 + 0x1p-11 + 0x1p-40)), 0x3c01);
  EXPECT_EQ(__half_as_ushort(__ll2half_rn(2049LL)), __half_as_ushort(__float2half(2048.0f)));
  EXPECT_EQ(__half_as_ushort(__ull2half_rn(~0ull)), 0x7c00);
  EXPECT_EQ(__half2int_rn(__float2half(2.5f)), 2);
  EXPECT_EQ(__half2short_rz(__float2half(60000.0f)), 32767);
}

TEST(Half, Arithmetic) {
  const half three = 3.0f, half1 = 0.5f;
  EXPECT_EQ(static_cast<float>(three + half1), 3.5f);
  EXPECT_EQ(static_cast<float>(three * three - half1), 8.5f);
  EXPECT_EQ(static_cast<float>(__hdiv(half(1.0f), three)), 0.333251953125f);
  EXPECT_EQ(__half_as_ushort(CUDART_MAX_NORMAL_FP16 + CUDART_MAX_NORMAL_FP16), 0x7c00);
  // (1 + 2^-10)^2 - (1 + 2^-9) is 2^-20; a product rounded first would leave 0.
  const half a = 1.0f + 0x1p-10f;
  EXPECT_EQ(static_cast<float>(__hfma(a, a, half(-1.0f - 0x1p-9f))), 0x1p-20f);
  EXPECT_EQ(static_cast<float>(__hadd_sat(three, three)), 1.0f);
  EXPECT_TRUE(__hlt(half1, three));
  EXPECT_FALSE(__heq(CUDART_NAN_FP16, CUDART_NAN_FP16));
  EXPECT_TRUE(__hequ(CUDART_NAN_FP16, three));
  EXPECT_FALSE(__hne(CUDART_NAN_FP16, three));
  EXPECT_EQ(static_cast<float>(__hmax(CUDART_NAN_FP16, three)), 3.0f);
  EXPECT_TRUE(__hisnan(__hmax_nan(CUDART_NAN_FP16, three)));
  EXPECT_EQ(static_cast<float>(hsqrt(half(2.0f))), 1.4140625f);
}

TEST(Half, Pairs) {
  const half2 a = __floats2half2_rn(1.0f, 2.0f), b = __float2half2_rn(3.0f);
  const float2 sum = __half22float2(__hadd2(a, b)), product = __half22float2(a * b);
  EXPECT_EQ(sum.x, 4.0f);
  EXPECT_EQ(sum.y, 5.0f);
  EXPECT_EQ(product.y, 6.0f);
  EXPECT_EQ(__low2float(__lowhigh2highlow(a)), 2.0f);
  EXPECT_TRUE(__hblt2(a, b));
  EXPECT_EQ(__half2char_rz(__float2half(-300.0f)), -128);
  EXPECT_EQ(__bfloat162uchar_rz(__float2bfloat16(-2.5f)), 0);
  const half2 c = __floats2half2_rn(1.0f, 5.0f);
  EXPECT_FALSE(a != c);  // unless both differ
  EXPECT_TRUE(a != b);
  EXPECT_FALSE(__hbneu2(a, c));
  EXPECT_EQ(__hne2_mask(a, c), 0xffff0000u);
  EXPECT_EQ(__hltu2_mask(a, c), 0xffff0000u);
  const float2 complex = __half22float2(__hcmadd(a, c, b));  // (1 + 2i) * (1 + 5i) + 3 + 3i
  EXPECT_EQ(complex.x, -6.0f);
  EXPECT_EQ(complex.y, 10.0f);
  EXPECT_EQ(__high2float(__hgt2(a, __float2half2_rn(1.5f))), 1.0f);
}

TEST(Bfloat16, EveryPatternConvertsToFloatAndBack) {
  for (unsigned bits = 0; bits < 0x10000u; ++bits) {
    if ((bits & 0x7fffu) > 0x7f80u) continue;  // NaN
    const float f = __bfloat162float(__ushort_as_bfloat16(static_cast<unsigned short>(bits)));
    if ((bits & 0x7fffu) < 0x7f80u) ASSERT_EQ(f, static_cast<float>(valueOf(bits, 7, 127))) << bits;
    ASSERT_EQ(__bfloat16_as_ushort(__float2bfloat16(f)), bits);
  }
  EXPECT_EQ(__bfloat16_as_ushort(__float2bfloat16(NAN)), 0x7fff);
}

TEST(Bfloat16, RoundsOnce) {
  EXPECT_EQ(__bfloat16_as_ushort(__float2bfloat16(1.0f + 0x1p-8f)), 0x3f80);  // tie to even
  EXPECT_EQ(static_cast<signed char>(half(200.0f)), 127);                     // integers saturate
  EXPECT_EQ(static_cast<signed char>(half(-200.0f)), -128);
  EXPECT_EQ(static_cast<unsigned char>(__nv_bfloat16(300.0f)), 255);
  EXPECT_EQ(static_cast<unsigned char>(__nv_bfloat16(-1.0f)), 0);
  EXPECT_EQ(__half_as_ushort(static_cast<half>(__nv_bfloat16(1.5f))), 0x3e00);
  EXPECT_EQ(__half_as_ushort(static_cast<half>(__nv_bfloat16(0x1p20f))), 0x7c00);  // too large
  EXPECT_EQ(__bfloat16_as_ushort(static_cast<__nv_bfloat16>(half(1.0f + 0x1p-10f))), 0x3f80);
  EXPECT_EQ(__bfloat16_as_ushort(__float2bfloat16(1.0f + 0x1p-8f + 0x1p-20f)), 0x3f81);
  // (1 + 2^-4)^2 = 1 + 2^-3 + 2^-8 is a tie; any positive addend decides it, however small.
  const __nv_bfloat16 a = 1.0f + 0x1p-4f;
  EXPECT_EQ(__bfloat16_as_ushort(__hfma(a, a, __nv_bfloat16(0.0f))), 0x3f90);
  EXPECT_EQ(__bfloat16_as_ushort(__hfma(a, a, __nv_bfloat16(0x1p-100f))), 0x3f91);
}

// By way of the bits, as with CUDA's own: nothing else takes or gives a volatile one.
template <class T>
T throughVolatile(const T& value) {
  volatile T kept = value;
  volatile T other;
  (void)&(other = kept);  // GCC warns where it is dropped
  const T read = other;
  T assigned;
  assigned = other;
  (void)&(other = read);
  return static_cast<float>(assigned) == static_cast<float>(read) ? assigned : T(0.0f);
}
TEST(SmallFloats, AreCopiedThroughVolatileOnes) {
  EXPECT_EQ(__half_as_ushort(throughVolatile(half(1.5f))), 0x3e00);
  EXPECT_EQ(__bfloat16_as_ushort(throughVolatile(__nv_bfloat16(1.5f))), 0x3fc0);
}

}  // namespace
