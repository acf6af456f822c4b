// The interpreter of inline assembly, one instruction at a time, on the host; what lanes do together is in
// tests/e2e/programs/assembly.cu. Expected values are those of the PTX ISA's definitions, worked out here.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ptx_statement.h"

namespace {

using namespace ptxtest;

TEST(Ptx, Products) {
  EXPECT_EQ(u("mul.lo.u32 %0, %1, %2;", 0x10001, 0x10001), 0x20001u);
  EXPECT_EQ(u("mul.hi.u32 %0, %1, %2;", 0xffffffff, 0xffffffff), 0xfffffffeu);
  EXPECT_EQ(s("mul.hi.s32 %0, %1, %2;", -1, 1), -1);
  EXPECT_EQ(run<long long>("mul.wide.s32 %0, %1, %2;", static_cast<unsigned>(-3), 5), -15);
  EXPECT_EQ(run<unsigned long long>("mul.hi.u64 %0, %1, %2;", ~0ull, ~0ull), ~0ull - 1);
  EXPECT_EQ(run<unsigned long long>("mad.wide.u32 %0, %1, %2, %3;", 0x80000000, 4, 7), 0x200000007ull);
  EXPECT_EQ(s("mul24.lo.s32 %0, %1, %2;", 0x01ffffff, 2), -2);  // the low 24 bits are -1
  EXPECT_EQ(u("mul24.hi.u32 %0, %1, %2;", 0x800000, 4), 0x200u);
  EXPECT_EQ(u("dp4a.u32.u32 %0, %1, %2, %3;", 0x01020304, 0x05060708, 10), 4u * 8 + 3 * 7 + 2 * 6 + 5 + 10);
  EXPECT_EQ(s("dp4a.s32.u32 %0, %1, %2, %3;", 0x000000ff, 2, 1), -1);
  EXPECT_EQ(s("dp2a.hi.s32.u32 %0, %1, %2, %3;", static_cast<int>(0xffff0003), 0x02040000, 0), 3 * 4 - 2);
}

TEST(Ptx, CarriesGoFromStatementToStatement) {
  EXPECT_EQ(u("add.cc.u32 %0, %1, %2;", 0xffffffff, 2), 1u);
  EXPECT_EQ(u("addc.u32 %0, %1, %2;", 1, 1), 3u);
  EXPECT_EQ(u("sub.cc.u32 %0, %1, %2;", 1, 2), 0xffffffffu);
  EXPECT_EQ(u("subc.cc.u32 %0, %1, %2;", 0, 0xffffffff), 0u);  // 0 - (2^32 - 1) - 1 borrows again
  EXPECT_EQ(u("subc.u32 %0, %1, %2;", 5, 1), 3u);
  EXPECT_EQ(u("mad.lo.cc.u32 %0, %1, %2, %3;", 0xffffffff, 1, 1), 0u);
  EXPECT_EQ(u("madc.hi.u32 %0, %1, %2, %3;", 0x80000000, 2, 5), 1u + 5 + 1);
}

TEST(Ptx, IntegersOfAllKinds) {
  EXPECT_EQ(s("add.sat.s32 %0, %1, %2;", std::numeric_limits<int>::max(), 1),
            std::numeric_limits<int>::max());
  EXPECT_EQ(s("sub.sat.s32 %0, %1, %2;", std::numeric_limits<int>::min(), 1),
            std::numeric_limits<int>::min());
  EXPECT_EQ(s("div.s32 %0, %1, %2;", -7, 2), -3);
  EXPECT_EQ(s("rem.s32 %0, %1, %2;", -7, 2), -1);
  EXPECT_EQ(u("div.u32 %0, %1, %2;", 7, 0), ~0u);
  EXPECT_EQ(s("min.s32 %0, %1, %2;", -1, 1), -1);
  EXPECT_EQ(u("min.u32 %0, %1, %2;", ~0u, 1), 1u);
  EXPECT_EQ(s("min.relu.s32 %0, %1, %2;", -2, -1), 0);
  EXPECT_EQ(s("max.s32.relu %0, %1, %2;", -2, 7), 7);
  EXPECT_EQ(s("abs.s32 %0, %1;", -5), 5);
  EXPECT_EQ(s("neg.s32 %0, %1;", 5), -5);
  EXPECT_EQ(u("sad.u32 %0, %1, %2, %3;", 3, 10, 1), 8u);
  EXPECT_EQ(u("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;", 0x01ff0310, 0x02000110, 100), 1u + 255 + 2 + 100);
  EXPECT_EQ(u("vavrg4.u32.u32.u32 %0, %1, %2, %3;", 0x01ff0310, 0x02000110, 0), 0x02800210u);
  EXPECT_EQ(u("vavrg2.s32.s32.s32 %0, %1, %2, %3;", 0x0000fffe, 0xffffffff, 0), 0xfffffffeu);
  EXPECT_EQ(u("vadd4.u32.u32.u32.sat %0, %1, %2, %3;", 0x01ff0310, 0x02020110), 0x03ff0420u);
  EXPECT_EQ(u("vshr.u32.u32.u32.clamp.add %0, %1, %2, %3;", 0x100, 40, 7), 7u);
}

TEST(Ptx, Bits) {
  EXPECT_EQ(u("lop3.b32 %0, %1, %2, %3, 0xca;", 0xf0f0f0f0, 0xaaaaaaaa, 0x55555555),
            0xa5a5a5a5u);  // a ? b : c
  EXPECT_EQ(u("shl.b32 %0, %1, %2;", 1, 32), 0u);
  EXPECT_EQ(s("shr.s32 %0, %1, %2;", -8, 40), -1);
  EXPECT_EQ(u("shr.u32 %0, %1, 4;", 0x80000000), 0x08000000u);
  EXPECT_EQ(u("shf.l.wrap.b32 %0, %1, %2, %3;", 0x80000001, 0x2, 33), 5u);
  EXPECT_EQ(u("shf.r.clamp.b32 %0, %1, %2, %3;", 1, 0xabcd, 40), 0xabcdu);
  EXPECT_EQ(u("popc.b64 %0, %1;", 0xff), 8u);
  EXPECT_EQ(u("clz.b32 %0, %1;", 0), 32u);
  EXPECT_EQ(u("brev.b32 %0, %1;", 1), 0x80000000u);
  EXPECT_EQ(u("bfind.u32 %0, %1;", 0x1000), 12u);
  EXPECT_EQ(u("bfind.shiftamt.u32 %0, %1;", 0x1000), 19u);
  EXPECT_EQ(u("bfind.s32 %0, %1;", ~0u), ~0u);
  EXPECT_EQ(u("bfe.u32 %0, %1, 4, 8;", 0x12345), 0x34u);
  EXPECT_EQ(s("bfe.s32 %0, %1, 4, 4;", 0xf0), -1);
  EXPECT_EQ(s("bfe.s32 %0, %1, 28, 8;", static_cast<int>(0xf0000000)), -1);
  EXPECT_EQ(u("bfi.b32 %0, %1, %2, 8, 4;", 0xff, 0x12345678), 0x12345f78u);
  EXPECT_EQ(u("prmt.b32 %0, %1, %2, 0x7610;", 0x33221100, 0x77665544), 0x77661100u);
  EXPECT_EQ(u("prmt.b32 %0, %1, %2, 0xb;", 0x80000000, 0), 0xffu);  // byte 3's sign, then three bytes 0
  EXPECT_EQ(u("prmt.b32.b4e %0, %1, %2, %3;", 0x33221100, 0x77665544, 1), 0x66770011u);
  EXPECT_EQ(u("bmsk.clamp.b32 %0, %1, %2;", 4, 8), 0xff0u);
  EXPECT_EQ(s("szext.clamp.s32 %0, %1, %2;", 0xff, 8), -1);
  EXPECT_EQ(run<unsigned long long>("mov.b64 %0, {%1, %2};", 1, 2), 0x200000001ull);
}

TEST(Ptx, FloatingPoint) {
  EXPECT_EQ(f("fma.rn.f32 %0, %1, %2, %3;", 3, 4, 5), 17.0f);
  EXPECT_EQ(f("add.rz.f32 %0, %1, %2;", 1, 0x1p-30f), 1.0f);
  EXPECT_EQ(f("add.rp.f32 %0, %1, %2;", 1, 0x1p-30f), std::nextafter(1.0f, 2.0f));
  EXPECT_EQ(f("mul.f32 %0, %1, 0f40000000;", 1.5f), 3.0f);
  EXPECT_EQ(f("mul.f32 %0, %1, 0.5;", 3), 1.5f);
  EXPECT_EQ(f("add.ftz.f32 %0, %1, %2;", 0x1p-140f, 0x1p-140f), 0.0f);
  EXPECT_EQ(f("add.sat.f32 %0, %1, %2;", 3, 4), 1.0f);
  EXPECT_EQ(f("max.f32 %0, %1, %2;", NAN, 2), 2.0f);
  EXPECT_TRUE(std::isnan(f("max.NaN.f32 %0, %1, %2;", NAN, 2)));
  EXPECT_EQ(f("ex2.approx.ftz.f32 %0, %1;", 3), 8.0f);
  EXPECT_EQ(f("lg2.approx.f32 %0, %1;", 8), 3.0f);
  EXPECT_EQ(f("rcp.approx.f32 %0, %1;", 4), 0.25f);
  EXPECT_EQ(f("rsqrt.approx.f32 %0, %1;", 4), 0.5f);
  EXPECT_EQ(f("copysign.f32 %0, %1, %2;", -1, 5), -5.0f);
  EXPECT_EQ(u("add.f16x2 %0, %1, %2;", 0x3c004000, 0x3c003c00), 0x40004200u);             // {1, 2} + {1, 1}
  EXPECT_EQ(u("fma.rn.bf16x2 %0, %1, %2, %3;", 0x40003f80, 0x40403f80, 0), 0x40c03f80u);  // {2, 1} * {3, 1}
}

TEST(Ptx, Conversions) {
  EXPECT_EQ(s("cvt.rni.s32.f32 %0, %1;", static_cast<int>(bits(2.5f))), 2);
  EXPECT_EQ(s("cvt.rzi.s32.f32 %0, %1;", static_cast<int>(bits(-2.9f))), -2);
  EXPECT_EQ(s("cvt.rni.sat.s8.f32 %0, %1;", static_cast<int>(bits(300.0f))), 127);
  EXPECT_EQ(u("cvt.rzi.u32.f32 %0, %1;", bits(-1.0f)), 0u);
  EXPECT_EQ(u("cvt.sat.u8.s32 %0, %1;", 300), 255u);
  EXPECT_EQ(s("cvt.s32.s8 %0, %1;", 0x80), -128);
  EXPECT_EQ(u("cvt.rn.f32.u32 %0, %1;", 16777217), bits(16777216.0f));
  EXPECT_EQ(u("cvt.rp.f32.u32 %0, %1;", 16777217), bits(16777218.0f));
  EXPECT_EQ(u("cvt.rn.f16x2.f32 %0, %1, %2;", bits(2.0f), bits(1.0f)), 0x40003c00u);
  EXPECT_EQ(u("cvt.f32.f16 %0, %1;", 0x3c00), bits(1.0f));
  EXPECT_EQ(u("cvt.rna.tf32.f32 %0, %1;", 0x3f801000), 0x3f802000u);
  EXPECT_EQ(u("cvt.rmi.f32.f32 %0, %1;", bits(-1.5f)), bits(-2.0f));
}

TEST(Ptx, PredicatesAndJumps) {
  const char* const between =
      "{ .reg .pred p, q; setp.gt.s32 p, %1, 3; setp.lt.and.s32 p|q, %1, 10, p; selp.u32 %0, 1, 0, p;"
      " @q add.u32 %0, %0, 2; }";
  EXPECT_EQ(u(between, 5), 1u);
  EXPECT_EQ(u(between, 20), 2u);  // q: not less than 10, and more than 3
  EXPECT_EQ(u(between, 2), 0u);
  EXPECT_EQ(u("set.lt.u32.f32 %0, %1, %2;", bits(1), bits(2)), ~0u);
  EXPECT_EQ(u("slct.u32.s32 %0, %1, %2, %3;", 7, 8, ~0u), 8u);
  const char* const sum =
      "{ .reg .pred more; .reg .u32 i; mov.u32 i, %1; mov.u32 %0, 0; again: add.u32 %0, %0, i; sub.u32 i, i, "
      "1;"
      " setp.ne.u32 more, i, 0; @more bra again; }";
  EXPECT_EQ(u(sum, 10), 55u);
}

TEST(Ptx, Memory) {
  unsigned words[4] = {1, 2, 3, 4};
  const auto at = reinterpret_cast<unsigned long long>(words);
  EXPECT_EQ(run<unsigned>("ld.volatile.global.u32 %0, [%1+8];", at), 3u);
  EXPECT_EQ(run<int>("{ .reg .b32 a, b; ld.v2.u32 {a, b}, [%1]; sub.s32 %0, a, b; }", at), -1);
  EXPECT_EQ(run<unsigned>("atom.global.max.u32 %0, [%1], %2;", at, 9), 1u);
  EXPECT_EQ(run<unsigned>("atom.global.cas.b32 %0, [%1+4], %2, %3;", at, 2, 20), 2u);
  EXPECT_EQ(run<unsigned>("red.global.add.u32 [%1+12], %2;", at, 5), 0u);
  run<unsigned>("st.global.v2.u8 [%1+8], {%2, %3};", at, 0x11, 0x22);
  EXPECT_EQ(words[0], 9u);
  EXPECT_EQ(words[1], 20u);
  EXPECT_EQ(words[2], 0x2211u);
  EXPECT_EQ(words[3], 9u);
}

TEST(Ptx, OperandsAsTheyAreDeclared) {
  short narrow = -3;
  int wide;
  CUI_PTX(asm)("cvt.s32.s16 %[to], %[from];", CUI_PTX_OPERAND([to] "=r")(wide),
               CUI_PTX_OPERAND([from] "h")(narrow));
  EXPECT_EQ(wide, -3);
  double half = 0.5;
  float sum = 1;
  CUI_PTX(asm volatile)("{ .reg .f32 t; cvt.rn.f32.f64 t, %1; add.f32 %0, %0, t; } // %2",
                        CUI_PTX_OPERAND("+f")(sum), CUI_PTX_OPERAND("d")(half), CUI_PTX_OPERAND("n")(4),
                        "memory");
  EXPECT_EQ(sum, 1.5f);
  CUI_PTX(asm volatile)("", "memory");
}

TEST(PtxDeathTest, NamesWhatItLacks) {
  EXPECT_DEATH(u("tcgen05.alloc %0, %1;"),
               "ptx_statement.h:[0-9]+: `tcgen05.alloc %0, %1` .*in inline assembly is not supported");
  EXPECT_DEATH(u("add.u32 %0, %1, missing;"), "ptx_statement.h:[0-9]+: `add.u32 .*missing");
}

}  // namespace
