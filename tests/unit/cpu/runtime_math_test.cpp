// Device functions against values from CUDA's documentation or exact arithmetic.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cfenv>
#include <cfloat>
#include <climits>
#include <cmath>

namespace {

// Lanes from the highest: 127 and 1, -128 (128) and -1 (255), -1 (255) and 1, 1 and 3.
TEST(Integers, Packed) {
  constexpr unsigned a = 0x7f80ff01, b = 0x01ff0103;
  EXPECT_EQ(__vadd4(a, b), 0x807f0004u);
  EXPECT_EQ(__vaddss4(a, b), 0x7f800004u);
  EXPECT_EQ(__vaddus4(a, b), 0x80ffff04u);
  EXPECT_EQ(__vsub4(a, b), 0x7e81fefeu);
  EXPECT_EQ(__vsubss4(a, b), 0x7e81fefeu);
  EXPECT_EQ(__vsubus4(a, b), 0x7e00fe00u);
  EXPECT_EQ(__vabsdiffs4(a, b), 0x7e7f0202u);
  EXPECT_EQ(__vabsdiffu4(a, b), 0x7e7ffe02u);
  EXPECT_EQ(__vavgs4(a, b), 0x40bf0002u);
  EXPECT_EQ(__vavgu4(a, b), 0x40c08002u);
  EXPECT_EQ(__vhaddu4(a, b), 0x40bf8002u);
  EXPECT_EQ(__vmaxs4(a, b), 0x7fff0103u);
  EXPECT_EQ(__vminu4(a, b), 0x01800101u);
  EXPECT_EQ(__vcmpgts4(a, b), 0xff000000u);
  EXPECT_EQ(__vsetltu4(a, b), 0x00010001u);
  EXPECT_EQ(__vabs4(a), 0x7f800101u);
  EXPECT_EQ(__vabsss4(a), 0x7f7f0101u);
  EXPECT_EQ(__vneg4(a), 0x818001ffu);
  EXPECT_EQ(__vnegss4(a), 0x817f01ffu);
  EXPECT_EQ(__vsads4(a, b), 257u);
  EXPECT_EQ(__vsadu4(a, b), 509u);
  EXPECT_EQ(__vaddss2(0x7fff8000, 0x0001ffff), 0x7fff8000u);
  EXPECT_EQ(__vcmpeq2(0x00010002, 0x00010003), 0xffff0000u);
}

TEST(Integers, Bits) {
  EXPECT_EQ(__clz(0), 32);
  EXPECT_EQ(__clz(1), 31);
  EXPECT_EQ(__clz(-1), 0);
  EXPECT_EQ(__clzll(1), 63);
  EXPECT_EQ(__ffs(0), 0);
  EXPECT_EQ(__ffs(8), 4);
  EXPECT_EQ(__ffsll(1LL << 40), 41);
  EXPECT_EQ(__popc(0xf0f0u), 8);
  EXPECT_EQ(__popcll(~0ull), 64);
  EXPECT_EQ(__brev(0x00000001u), 0x80000000u);
  EXPECT_EQ(__brev(0x12345678u), 0x1e6a2c48u);
  EXPECT_EQ(__brevll(1ull), 1ull << 63);
  EXPECT_EQ(__byte_perm(0x33221100u, 0x77665544u, 0x7410u), 0x77441100u);
  EXPECT_EQ(__byte_perm(0x33221180u, 0x77665544u, 0x1fc88u), 0x77448080u);  // three bits a byte, and no signs
  EXPECT_EQ(__funnelshift_l(0x80000000u, 1u, 1), 3u);
  EXPECT_EQ(__funnelshift_r(0u, 1u, 1), 0x80000000u);
  EXPECT_EQ(__funnelshift_lc(5u, 1u, 40), 5u);
  EXPECT_EQ(__funnelshift_rc(5u, 1u, 40), 1u);
  EXPECT_EQ(__fns(0b10110u, 0, 2), 2u);
  EXPECT_EQ(__fns(0b10110u, 4, -2), 2u);
  EXPECT_EQ(__fns(0b10110u, 0, 4), ~0u);
}

TEST(Integers, Arithmetic) {
  EXPECT_EQ(__mulhi(INT_MIN, 2), -1);
  EXPECT_EQ(__umulhi(0x80000000u, 2u), 1u);
  EXPECT_EQ(__umul64hi(1ull << 63, 4ull), 2ull);
  EXPECT_EQ(__mul64hi(-1LL, 1LL), -1LL);
  EXPECT_EQ(__mul24(0x00ffffff, 3), -3);  // bit 23 is the sign
  EXPECT_EQ(__umul24(0xff000002u, 3u), 6u);
  EXPECT_EQ(__sad(INT_MIN, INT_MAX, 1u), 0u);
  EXPECT_EQ(__usad(3u, 5u, 10u), 12u);
  EXPECT_EQ(__hadd(INT_MAX, INT_MAX), INT_MAX);
  EXPECT_EQ(__rhadd(-1, 0), 0);
  EXPECT_EQ(__urhadd(~0u, ~0u), ~0u);
  EXPECT_EQ(__dp4a(0x01020304, static_cast<int>(0xff010101u), 5), 5 + 4 + 3 + 2 - 1);
  EXPECT_EQ(__dp2a_lo(0x00020003, 0x00000504, 0), 3 * 4 + 2 * 5);
  EXPECT_EQ(__dp2a_hi(0x00020003, 0x05040000, 0), 3 * 4 + 2 * 5);
}

TEST(Integers, MinAndMaxOfMixedTypesAreUnsigned) {
  EXPECT_EQ(min(-1, 5), -1);
  EXPECT_EQ(max(-1, 5u), ~0u);
  EXPECT_EQ(min(-1LL, 5ull), 5ull);
  EXPECT_EQ(max(1.5f, 2.0), 2.0);
  EXPECT_EQ(max(NAN, 1.0f), 1.0f);
}

TEST(Conversions, RoundAndSaturate) {
  EXPECT_EQ(__float2int_rn(2.5f), 2);
  EXPECT_EQ(__float2int_rn(3.5f), 4);
  EXPECT_EQ(__float2int_rz(-2.9f), -2);
  EXPECT_EQ(__float2int_ru(2.1f), 3);
  EXPECT_EQ(__float2int_rd(-2.1f), -3);
  EXPECT_EQ(__float2int_rz(1e20f), INT_MAX);
  EXPECT_EQ(__float2int_rz(-1e20f), INT_MIN);
  EXPECT_EQ(__float2int_rz(NAN), 0);
  EXPECT_EQ(__float2uint_rz(-5.0f), 0u);
  EXPECT_EQ(__double2ll_rn(1e30), LLONG_MAX);
  EXPECT_EQ(__int2float_rn(16777217), 16777216.0f);
  EXPECT_EQ(__int2float_ru(16777217), 16777218.0f);
  EXPECT_EQ(__int2float_rd(-16777217), -16777218.0f);
  EXPECT_EQ(__ull2double_rz(~0ull), 18446744073709549568.0);
  EXPECT_EQ(__ull2double_ru(~0ull), 18446744073709551616.0);
  EXPECT_EQ(__double2float_rd(0.1), 0.0999999940395355224609375f);
  EXPECT_EQ(__double2float_ru(0.1), 0.100000001490116119384765625f);
  EXPECT_EQ(__float_as_int(-0.0f), INT_MIN);
  EXPECT_EQ(__int_as_float(0x3f800000), 1.0f);
  EXPECT_EQ(__hiloint2double(0x3ff00000, 0), 1.0);
  EXPECT_EQ(__double2hiint(-2.0), static_cast<int>(0xc0000000u));
}

TEST(Rounding, DirectedModesBracketTheResult) {
  // 1 + 2^-30 is between 1 and the next float.
  EXPECT_EQ(__fadd_rn(1.0f, 0x1p-30f), 1.0f);
  EXPECT_EQ(__fadd_ru(1.0f, 0x1p-30f), 1.0f + FLT_EPSILON);
  EXPECT_EQ(__fadd_rz(-1.0f, -0x1p-30f), -1.0f);
  EXPECT_EQ(__fadd_rd(-1.0f, -0x1p-30f), -1.0f - FLT_EPSILON);
  EXPECT_EQ(__fsub_rd(1.0f, 0x1p-30f), 1.0f - FLT_EPSILON / 2);
  EXPECT_EQ(__fmul_ru(1.0f + FLT_EPSILON, 1.0f + FLT_EPSILON), 1.0f + 3 * FLT_EPSILON);
  EXPECT_EQ(__fmul_rz(1.0f + FLT_EPSILON, 1.0f + FLT_EPSILON), 1.0f + 2 * FLT_EPSILON);
  EXPECT_EQ(__fdiv_ru(1.0f, 3.0f), 0.3333333432674407958984375f);
  EXPECT_EQ(__fdiv_rd(1.0f, 3.0f), 0.333333313465118408203125f);
  EXPECT_EQ(__fmaf_rz(1.0f, 1.0f, -0x1p-30f), 1.0f - FLT_EPSILON / 2);
  EXPECT_EQ(__fsqrt_rd(2.0f), 1.41421353816986083984375f);
  EXPECT_EQ(__fsqrt_ru(2.0f), 1.41421365737915039062500f);
  EXPECT_EQ(__dadd_ru(1.0, 0x1p-60), 1.0 + DBL_EPSILON);
  EXPECT_EQ(__drcp_rd(3.0), 0.333333333333333314829616256247);
  EXPECT_EQ(__fma_rd(1.0, 1.0, -0x1p-60), 1.0 - DBL_EPSILON / 2);
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST(Functions, ThoseTheCLibraryLacks) {
  EXPECT_EQ(rsqrtf(4.0f), 0.5f);
  EXPECT_EQ(rsqrt(0.25), 2.0);
  EXPECT_EQ(rcbrtf(8.0f), 0.5f);
  EXPECT_EQ(sinpi(0.5), 1.0);
  EXPECT_EQ(sinpi(1.0), 0.0);
  EXPECT_EQ(cospi(0.5), 0.0);
  EXPECT_EQ(cospif(1.0f), -1.0f);
  EXPECT_EQ(sinpif(0.25f), 0.70710678f);
  EXPECT_EQ(norm3d(2.0, 3.0, 6.0), 7.0);
  EXPECT_EQ(norm4df(1.0f, 1.0f, 1.0f, 1.0f), 2.0f);
  EXPECT_EQ(rnorm3df(0.0f, 3.0f, 4.0f), 0.2f);
  EXPECT_EQ(rhypot(3.0, 4.0), 0.2);
  EXPECT_EQ(__saturatef(-1.0f), 0.0f);
  EXPECT_EQ(__saturatef(2.0f), 1.0f);
  EXPECT_EQ(__saturatef(NAN), 0.0f);
  EXPECT_EQ(__fdividef(1.0f, 4.0f), 0.25f);
  EXPECT_EQ(__fdividef(1.0f, 0x1p127f), 0.0f);  // as documented for divisors above 2^126
  EXPECT_FLOAT_EQ(__expf(1.0f), 2.7182818f);
  EXPECT_FLOAT_EQ(__powf(2.0f, 10.0f), 1024.0f);
  EXPECT_FLOAT_EQ(exp10f(3.0f), 1000.0f);
  float s = 0, c = 0;
  __sincosf(0.0f, &s, &c);
  EXPECT_EQ(s, 0.0f);
  EXPECT_EQ(c, 1.0f);
}

// The inverses against the functions they invert, over their whole range.
TEST(Functions, ErrorFunctionInverses) {
  for (double x = -0.999; x < 1; x += 0.037) EXPECT_NEAR(std::erf(erfinv(x)), x, 4e-16) << x;
  for (double y : {1e-300, 1e-100, 1e-10, 0.3, 1.0, 1.7, 1.9999})
    EXPECT_NEAR(std::erfc(erfcinv(y)) / y, 1.0, 2e-13) << y;
  for (double p : {1e-12, 0.025, 0.5, 0.975}) EXPECT_NEAR(normcdf(normcdfinv(p)) / p, 1.0, 1e-13) << p;
  EXPECT_NEAR(normcdfinv(0.975), 1.959963984540054, 1e-14);
  EXPECT_EQ(erfinv(1.0), INFINITY);
  EXPECT_TRUE(std::isnan(erfinv(1.5)));
  EXPECT_NEAR(erfcx(1.0), 0.42758357615580700442, 1e-16);
  EXPECT_NEAR(erfcx(30.0) / 0.018795888861416750, 1.0, 1e-14);
  EXPECT_NEAR(cyl_bessel_i0(1.0), 1.2660658777520084, 1e-15);
  EXPECT_NEAR(cyl_bessel_i1(-1.0), -0.5651591039924851, 1e-15);
}

}  // namespace
