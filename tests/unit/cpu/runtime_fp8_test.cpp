// 8-bit floating point: every pattern by the format's definition, and rounding between each two of them.
#include <cuda_fp8.h>
#include <gtest/gtest.h>

#include <cmath>

namespace {

struct Format {
  __nv_fp8_interpretation_t kind;
  int mantissaBits, bias;
  unsigned largest;   ///< pattern of the largest finite number
  unsigned overflow;  ///< of what is too large, without saturation
};
constexpr Format e4m3{__NV_E4M3, 3, 7, 0x7e, 0x7f}, e5m2{__NV_E5M2, 2, 15, 0x7b, 0x7c};

double valueOf(unsigned bits, const Format& format) {
  const int exponent = static_cast<int>(bits >> format.mantissaBits);
  const double mantissa = bits & ((1u << format.mantissaBits) - 1);
  return exponent == 0 ? std::ldexp(mantissa, 1 - format.bias - format.mantissaBits)
                       : std::ldexp(mantissa + (1 << format.mantissaBits),
                                    exponent - format.bias - format.mantissaBits);
}

class Fp8 : public testing::TestWithParam<Format> {};
INSTANTIATE_TEST_SUITE_P(Formats, Fp8, testing::Values(e4m3, e5m2));

TEST_P(Fp8, EveryNumberConvertsThereAndBack) {
  const Format& format = GetParam();
  for (unsigned bits = 0; bits <= format.largest; ++bits) {
    const auto f = static_cast<float>(valueOf(bits, format));
    ASSERT_EQ(static_cast<float>(half(__nv_cvt_fp8_to_halfraw(bits, format.kind))), f) << bits;
    ASSERT_EQ(static_cast<float>(half(__nv_cvt_fp8_to_halfraw(bits | 0x80, format.kind))), -f) << bits;
    ASSERT_EQ(__nv_cvt_float_to_fp8(f, __NV_NOSAT, format.kind), bits);
    ASSERT_EQ(__nv_cvt_float_to_fp8(-f, __NV_NOSAT, format.kind), bits | 0x80);
    ASSERT_EQ(__nv_cvt_halfraw_to_fp8(half(f), __NV_SATFINITE, format.kind), bits);
  }
}

TEST_P(Fp8, RoundsToTheNearestAndTiesToEven) {
  const Format& format = GetParam();
  for (unsigned bits = 0; bits < format.largest; ++bits) {
    const double middle = (valueOf(bits, format) + valueOf(bits + 1, format)) / 2;
    ASSERT_EQ(__nv_cvt_double_to_fp8(middle, __NV_NOSAT, format.kind), bits + (bits & 1u)) << bits;
    ASSERT_EQ(__nv_cvt_double_to_fp8(std::nextafter(middle, 0), __NV_NOSAT, format.kind), bits);
    ASSERT_EQ(__nv_cvt_double_to_fp8(std::nextafter(middle, INFINITY), __NV_NOSAT, format.kind), bits + 1);
  }
}

TEST_P(Fp8, WhatIsTooLargeSaturatesOrNot) {
  const Format& format = GetParam();
  for (const float f : {1e5f, INFINITY}) {
    EXPECT_EQ(__nv_cvt_float_to_fp8(f, __NV_SATFINITE, format.kind), format.largest);
    EXPECT_EQ(__nv_cvt_float_to_fp8(f, __NV_NOSAT, format.kind), format.overflow);
    EXPECT_EQ(__nv_cvt_float_to_fp8(-f, __NV_SATFINITE, format.kind), format.largest | 0x80);
  }
  EXPECT_EQ(__nv_cvt_float_to_fp8(-NAN, __NV_SATFINITE, format.kind), 0x7f);
  EXPECT_TRUE(std::isnan(static_cast<float>(half(__nv_cvt_fp8_to_halfraw(0x7f, format.kind)))));
}

TEST(Fp8Types, PairsAndFoursHoldTheirPartsFromTheLowestByte) {
  // e4m3: 1 is 7 << 3, -2 is 8 << 3 with a sign, 300 is nearer to 288 than to 320, 448 is the largest.
  const __nv_fp8x4_e4m3 four(make_float4(1, -2, 300, 1000));
  EXPECT_EQ(four.__x, 0x7e79c038u);
  const auto back = static_cast<float4>(four);
  EXPECT_EQ(back.x, 1);
  EXPECT_EQ(back.y, -2);
  EXPECT_EQ(back.z, 288);
  EXPECT_EQ(back.w, 448);
  // e5m2: 0.1 lies between 0.09375 and 0.109375.
  const __nv_fp8x2_e5m2 two(make_float2(0.1f, -7));
  EXPECT_EQ(static_cast<float2>(two).x, 0.09375f);
  EXPECT_EQ(static_cast<float2>(two).y, -7);
  EXPECT_EQ(static_cast<int>(__nv_fp8_e4m3(-17)), -16);
  EXPECT_EQ(static_cast<unsigned char>(__nv_fp8_e4m3(400.0)), 255);
}

}  // namespace
