// What the PTX ISA says of the interpreter's corner cases: fields that reach beyond the word, NaN, numbers
// below the normal range, ties, saturation. Expected values are worked out from its definitions.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ptx_statement.h"

namespace {

using namespace ptxtest;

constexpr unsigned oneNan = 0x7fffffff;  // that operations in single precision make
const float tiny = 0x1p-140f;
const float infinity = std::numeric_limits<float>::infinity();

TEST(PtxEdges, FieldsBeyondTheWord) {
  EXPECT_EQ(u("bfe.u32 %0, %1, 40, 8;", ~0u), 0u);
  EXPECT_EQ(s("bfe.s32 %0, %1, 40, 8;", std::numeric_limits<int>::min()), -1);  // nothing but the sign
  EXPECT_EQ(s("bfe.s32 %0, %1, 4, 0;", -1), 0);
  EXPECT_EQ(u("bfe.u32 %0, %1, 0, 255;", 0x12345678), 0x12345678u);
  EXPECT_EQ(run<unsigned long long>("bfe.u64 %0, %1, 60, 8;", 0xf000000000000000ull), 0xfull);
  EXPECT_EQ(u("bfi.b32 %0, %1, %2, 28, 8;", 0xff, 0), 0xf0000000u);
  EXPECT_EQ(u("bfi.b32 %0, %1, %2, 32, 8;", 0xff, 7), 7u);
  EXPECT_EQ(u("bfi.b32 %0, %1, %2, 8, 0;", 0xff, 7), 7u);
  EXPECT_EQ(u("shl.b32 %0, %1, %2;", 1, 0x80000001), 0u);  // the amount is no more than clamped
  EXPECT_EQ(s("shr.s32 %0, %1, %2;", -1, -1), -1);
  EXPECT_EQ(u("shf.l.clamp.b32 %0, %1, %2, 32;", 0xabcd, 1), 0xabcdu);
  EXPECT_EQ(u("shf.r.wrap.b32 %0, %1, %2, 32;", 0xabcd, 1), 0xabcdu);
  EXPECT_EQ(u("szext.wrap.u32 %0, %1, 32;", ~0u), 0u);
  EXPECT_EQ(u("szext.clamp.u32 %0, %1, 32;", ~0u), ~0u);
  EXPECT_EQ(u("bmsk.clamp.b32 %0, 28, 8;"), 0xf0000000u);
  EXPECT_EQ(u("bmsk.clamp.b32 %0, 32, 8;"), 0u);
  EXPECT_EQ(u("bfind.shiftamt.s32 %0, %1;", 0xffff0000), 16u);  // bit 15 is the highest unlike the sign
}

TEST(PtxEdges, PermutationsByMode) {
  const unsigned low = 0x33221100, high = 0x77665544;
  EXPECT_EQ(u("prmt.b32.f4e %0, %1, %2, 3;", low, high), 0x66554433u);
  EXPECT_EQ(u("prmt.b32.b4e %0, %1, %2, 0;", low, high), 0x55667700u);
  EXPECT_EQ(u("prmt.b32.rc8 %0, %1, %2, 2;", low, high), 0x22222222u);
  EXPECT_EQ(u("prmt.b32.ecl %0, %1, %2, 1;", low, high), 0x33221111u);
  EXPECT_EQ(u("prmt.b32.ecr %0, %1, %2, 2;", low, high), 0x22221100u);
  EXPECT_EQ(u("prmt.b32.rc16 %0, %1, %2, 1;", low, high), 0x33223322u);
}

TEST(PtxEdges, TableAndPredicate) {
  const char* const either =
      "{ .reg .pred p, q; setp.ne.u32 q, %4, 0; lop3.or.b32 %0|p, %1, %2, %3, 0x80, q;"
      " @p add.u32 %0, %0, 100; }";
  EXPECT_EQ(u(either, 7, 6, 4, 0), 104u);
  EXPECT_EQ(u(either, 1, 2, 4, 0), 0u);
  EXPECT_EQ(u(either, 1, 2, 4, 1), 100u);
}

TEST(PtxEdges, Integers) {
  EXPECT_EQ(s("abs.s32 %0, %1;", std::numeric_limits<int>::min()), std::numeric_limits<int>::min());
  EXPECT_EQ(s("mul.hi.s32 %0, %1, %2;", std::numeric_limits<int>::min(), std::numeric_limits<int>::min()),
            1 << 30);
  EXPECT_EQ(run<long long>("mul.hi.s64 %0, %1, %2;", ~0ull, 1), -1);
  EXPECT_EQ(run<unsigned long long>("mad.wide.s32 %0, %1, %2, %3;", ~0u, 5, 5), 0ull);
  EXPECT_EQ(s("mad.hi.sat.s32 %0, %1, %2, %3;", 1 << 30, 1 << 30, std::numeric_limits<int>::max()),
            std::numeric_limits<int>::max());
  EXPECT_EQ(s("rem.s32 %0, %1, %2;", 7, -2), 1);
  EXPECT_EQ(s("cvt.pack.sat.s8.s32.b32 %0, %1, %2, %3;", 300, -300, 0x1234), 0x12347f80);
  EXPECT_EQ(u("cvt.pack.sat.u16.s32 %0, %1, %2;", 70000, ~0u), 0xffff0000u);
  EXPECT_EQ(u("mov.b32 %0, -1;"), ~0u);
  EXPECT_EQ(u("mov.b32 %0, -1.5;"), 0xbfc00000u);
}

TEST(PtxEdges, NotANumber) {
  EXPECT_EQ(u("add.f32 %0, %1, %2;", bits(infinity), bits(-infinity)), oneNan);
  EXPECT_EQ(u("max.f32 %0, %1, %2;", 0x7fc00001, 0xffc00000), oneNan);
  EXPECT_EQ(f("max.f32 %0, %1, 0f7f800001;", 2), 2.0f);  // one that signals
  EXPECT_EQ(u("min.NaN.f32 %0, %1, %2;", 0x7fc00001, bits(1)), oneNan);
  EXPECT_EQ(u("min.f32 %0, %1, %2;", bits(0.0f), bits(-0.0f)), bits(-0.0f));
  EXPECT_EQ(u("max.f32 %0, %1, %2;", bits(-0.0f), bits(0.0f)), bits(0.0f));
  EXPECT_EQ(u("neg.f32 %0, %1;", 0x7fc00001), 0xffc00001u);
  EXPECT_EQ(f("add.sat.f32 %0, %1, %2;", NAN, 1), 0.0f);
  EXPECT_EQ(u("fma.rn.relu.f16 %0, %1, %2, %3;", 0xbc00, 0x3c00, 0), 0u);
  EXPECT_EQ(u("add.f16 %0, %1, %2;", 0x7c00, 0xfc00), 0x7fffu);
  EXPECT_EQ(u("{ .reg .pred p; setp.ne.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }", oneNan, oneNan), 0u);
  EXPECT_EQ(u("{ .reg .pred p; setp.neu.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }", oneNan, oneNan), 1u);
  EXPECT_EQ(u("slct.u32.f32 %0, 1, 2, %1;", oneNan), 2u);
  EXPECT_EQ(u("slct.u32.f32 %0, 1, 2, %1;", bits(-0.0f)), 1u);
}

TEST(PtxEdges, BelowTheNormalRange) {
  EXPECT_EQ(u("add.ftz.f32 %0, %1, %2;", bits(-tiny), bits(-tiny)), bits(-0.0f));
  EXPECT_EQ(u("mul.ftz.f32 %0, %1, %2;", bits(0x1p-100f), bits(0x1p-40f)), 0u);
  EXPECT_EQ(u("{ .reg .pred p; setp.gt.ftz.f32 p, %1, 0f00000000; selp.u32 %0, 1, 0, p; }", bits(tiny)), 0u);
  EXPECT_EQ(u("slct.ftz.u32.f32 %0, 1, 2, %1;", bits(-tiny)), 1u);
  EXPECT_EQ(u("cvt.rn.ftz.f16.f32 %0, %1;", bits(-tiny)), 0x8000u);
  EXPECT_EQ(u("mul.ftz.f16 %0, %1, %2;", 0x0001, 0x3c00), 0u);
  EXPECT_EQ(u("mul.f16 %0, %1, %2;", 0x0001, 0x3c00), 1u);
  const auto test = [](const char* text, float x) { return u(text, bits(x)); };
  EXPECT_EQ(test("{ .reg .pred p; testp.normal.f32 p, %1; selp.u32 %0, 1, 0, p; }", 0), 1u);
  EXPECT_EQ(test("{ .reg .pred p; testp.subnormal.f32 p, %1; selp.u32 %0, 1, 0, p; }", 0), 0u);
  EXPECT_EQ(test("{ .reg .pred p; testp.subnormal.f32 p, %1; selp.u32 %0, 1, 0, p; }", tiny), 1u);
}

TEST(PtxEdges, Conversions) {
  EXPECT_EQ(s("cvt.rzi.s32.f32 %0, %1;", static_cast<int>(oneNan)), 0);
  EXPECT_EQ(run<long long>("cvt.rzi.s64.f32 %0, %1;", oneNan), std::numeric_limits<long long>::min());
  EXPECT_EQ(run<unsigned>("cvt.rzi.u32.f64 %0, %1;", 0x7ff8000000000000ull), 0x80000000u);
  EXPECT_EQ(s("cvt.rni.s32.f32 %0, %1;", static_cast<int>(bits(-3.5f))), -4);
  EXPECT_EQ(s("cvt.rpi.s32.f32 %0, %1;", static_cast<int>(bits(-3.5f))), -3);
  EXPECT_EQ(u("cvt.rzi.u8.f32 %0, %1;", bits(300)), 255u);
  EXPECT_EQ(u("cvt.rz.f16.f32 %0, %1;", bits(1e6f)), 0x7bffu);
  EXPECT_EQ(u("cvt.rn.f16.f32 %0, %1;", bits(1e6f)), 0x7c00u);
  EXPECT_EQ(u("cvt.rn.satfinite.bf16x2.f32 %0, %1, %2;", bits(infinity), bits(1)), 0x7f7f3f80u);
  // 2^63 + 2^55 + 1 is above the middle of two bfloat16, which double precision would not show.
  EXPECT_EQ(run<unsigned short>("cvt.rn.bf16.u64 %0, %1;", 0x8080000000000001ull), 0x5f01u);
  EXPECT_EQ(u("cvt.rn.tf32.f32 %0, %1;", 0x3f801000), 0x3f800000u);  // the middle, to even
  EXPECT_EQ(u("cvt.rna.tf32.f32 %0, %1;", 0x7f800001), oneNan);
  EXPECT_EQ(u("cvt.sat.f32.f32 %0, %1;", oneNan), 0u);
  EXPECT_EQ(u("cvt.rni.f32.f32 %0, %1;", bits(-0.25f)), bits(-0.0f));
}

TEST(PtxEdges, EightBitFloatingPoint) {
  // e4m3: 1 is 0x38, the largest 448 is 0x7e; e5m2: 1 is 0x3c, the largest 57344 is 0x7b.
  EXPECT_EQ(u("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;", bits(1), bits(-1000)), 0x38feu);
  EXPECT_EQ(u("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;", bits(1e6f), bits(NAN)), 0x7b7fu);
  EXPECT_EQ(u("cvt.rn.satfinite.relu.e4m3x2.f16x2 %0, %1;", 0x3c00bc00), 0x3800u);
  EXPECT_EQ(u("cvt.rn.f16x2.e4m3x2 %0, %1;", 0x7e38), 0x5f003c00u);
  EXPECT_EQ(u("cvt.rn.f16x2.e5m2x2 %0, %1;", 0x7c3c), 0x7c003c00u);
  EXPECT_EQ(u("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;", bits(1.0625f), bits(1.1875f)),
            0x383au);  // ties to even
}

TEST(PtxEdges, PhasesOfABarrierInMemory) {
  alignas(8) unsigned long long object = ~0ull;
  const auto at = reinterpret_cast<unsigned long long>(&object);
  const auto isOver = [&](unsigned parity) {
    return run<unsigned>("{ .reg .pred p; mbarrier.test_wait.parity.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }",
                         at, parity);
  };
  run<int>("mbarrier.init.b64 [%1], 3;", at);
  const auto state = run<unsigned long long>("mbarrier.arrive.b64 %0, [%1];", at);
  EXPECT_EQ(run<unsigned>("mbarrier.pending_count.b64 %0, %1;", state), 3u);
  EXPECT_EQ(isOver(0), 0u);
  EXPECT_EQ(isOver(1), 1u);  // the phase before the first one
  run<int>("mbarrier.arrive.expect_tx.b64 _, [%1], 16;", at);
  run<int>("mbarrier.arrive_drop.b64 _, [%1];", at);  // two threads from now on
  EXPECT_EQ(isOver(0), 0u);                           // bytes are missing
  run<int>("mbarrier.complete_tx.relaxed.cta.b64 [%1], 16;", at);
  EXPECT_EQ(isOver(0), 1u);
  EXPECT_EQ(
      run<unsigned>("{ .reg .pred p; mbarrier.try_wait.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }", at, state),
      1u);
  run<int>("mbarrier.arrive.noComplete.b64 _, [%1], 1;", at);
  EXPECT_EQ(isOver(1), 0u);
  run<int>("cp.async.mbarrier.arrive.b64 [%1];", at);  // adds what it takes
  EXPECT_EQ(isOver(1), 0u);
  run<int>("cp.async.mbarrier.arrive.noinc.b64 [%1];", at);
  EXPECT_EQ(isOver(1), 1u);
}

TEST(PtxEdgesDeathTest, WhatIsNotThereIsNamed) {
  EXPECT_DEATH(u("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%1], %2, [%3];"),
               "ptx_statement.h:[0-9]+: `st.async.*\\(.async\\).*not supported");
  EXPECT_DEATH(u("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%1], "
                 "[%2, {%3}], [%4];"),
               "`cp.async.bulk.tensor.*\\(.bulk\\).*not supported");
}

}  // namespace
