// PTX without the blocks that are never come to, where branches depend on known numbers.
#include "cli/compile/dead_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace cui::cli {
namespace {

bool hasPart(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A body that goes to a block of `dead` if %p9 holds, which `setting` says, and to one of `live` else.
std::string bodyWith(const std::string& setting, const std::string& branch = "@%p9 bra") {
  return "{\n\t.reg .pred \t%p<10>;\n" + setting + "\n\t" + branch +
         " \t$L__BB0_2;\n\n\tlive.b32 \t%r20, 1;\n\tret;\n$L__BB0_2:\n\tdead.b32 \t%r21, 2;\n\tret;\n\n}";
}
bool findsOut(const std::string& setting) {
  const std::string result = withoutDeadBlocks(bodyWith(setting));
  EXPECT_TRUE(hasPart(result, "live.b32")) << result;
  return !hasPart(result, "dead.b32");
}

TEST(DeadBlocks, BlocksGoBehindBranchesThatAreNeverTaken) {
  EXPECT_EQ(withoutDeadBlocks(bodyWith("\tmov.u32 \t%r1, 0;\n\tsetp.ne.s32 \t%p9, %r1, 0;")),
            "{\n\t.reg .pred \t%p<10>;\n\tmov.u32 \t%r1, 0;\n\tsetp.ne.s32 \t%p9, %r1, 0;\n\n\tlive.b32 "
            "\t%r20, 1;\n\tret;\n}");
}

TEST(DeadBlocks, WhatABranchJumpsOverGoesWhereItIsAlwaysTaken) {
  const std::string result = withoutDeadBlocks(bodyWith("\tmov.pred \t%p9, -1;"));
  EXPECT_TRUE(hasPart(result, "\tbra.uni \t$L__BB0_2;\n$L__BB0_2:\n\tdead.b32")) << result;
  EXPECT_FALSE(hasPart(result, "live.b32"));
  const std::string negated = withoutDeadBlocks(bodyWith("\tmov.pred \t%p9, 0;", "@!%p9 bra"));
  EXPECT_FALSE(hasPart(negated, "live.b32"));
  EXPECT_TRUE(hasPart(negated, "dead.b32"));
}

TEST(DeadBlocks, NumbersAreComputedAsTheMachineDoes) {
  for (const char* setting : {
           "\tmov.u32 \t%r1, 0;\n\tmov.u32 \t%r2, %r1;\n\tand.b32 \t%r3, %r2, %r9;\n\tsetp.ne.u32 \t%p9, "
           "%r3, 0;",
           "\tmov.u32 \t%r1, 4294967295;\n\tsetp.gt.s32 \t%p9, %r1, 0;",
           "\tmov.u32 \t%r1, -1;\n\tsetp.lt.u32 \t%p9, %r1, 5;",
           "\tmov.u16 \t%rs1, -1;\n\tsetp.ne.u16 \t%p9, %rs1, 65535;",
           "\tmov.u64 \t%rd1, -1;\n\tsetp.ge.s64 \t%p9, %rd1, 0;",
           "\tmov.pred \t%p1, 0;\n\tand.pred \t%p9, %p2, %p1;",
           "\tmov.pred \t%p1, -1;\n\tor.pred \t%p3, %p1, %p2;\n\tnot.pred \t%p9, %p3;",
           "\tmov.pred \t%p1, 0;\n\tselp.u32 \t%r1, 1, 0, %p1;\n\tsetp.eq.s32 \t%p9, %r1, 1;",
       })
    EXPECT_TRUE(findsOut(setting)) << setting;
}

TEST(DeadBlocks, WhatMayBeAnotherNumberIsLeft) {
  for (const char* setting : {
           "\tsetp.ne.s32 \t%p9, %r1, 0;",
           "\tmov.u32 \t%r1, 0;\n\tmov.u32 \t%r1, 1;\n\tsetp.ne.s32 \t%p9, %r1, 0;",
           "\tmov.u32 \t%r1, 0;\n\t@%p2 mov.u32 \t%r1, 1;\n\tsetp.ne.s32 \t%p9, %r1, 0;",
           "\tmov.u32 \t%r1, 0;\n\tld.global.v2.u32 \t{%r2, %r1}, [%rd1];\n\tsetp.ne.s32 \t%p9, %r1, 0;",
           "\tmov.u32 \t%r1, 0;\n\t// begin inline asm\n\t{ add.u32 %r2, %r3, 1; mov.u32 %r1, %r2; }\n\t// "
           "end inline "
           "asm\n\tsetp.ne.s32 \t%p9, %r1, 0;",
           "\tmov.u32 \t%r1, 0;\n\tsetp.ne.s32 \t%p8|%p9, %r1, 0;",
           "\tmov.u32 \t%r1, %tid.x;\n\tsetp.ne.s32 \t%p9, %r1, 0;",
           "\tmov.f32 \t%f1, 0f00000000;\n\tsetp.neu.f32 \t%p9, %f1, 0f00000000;",
           "\tmov.u32 \t%r1, 0;\n\tsetp.ne.and.s32 \t%p9, %r1, 0, %p2;",
       })
    EXPECT_FALSE(findsOut(setting)) << setting;
}

TEST(DeadBlocks, BodiesWithOtherBranchesStayAsTheyAre) {
  const std::string setting = "\tmov.pred \t%p9, 0;";
  for (const char* other : {"\n\tts: .branchtargets\n\t\t$L__BB0_2;\n\tbrx.idx \t%r1, ts;",
                            "\n\t// begin inline asm\n\tbra done;\n\t// end inline asm",
                            "\n\t// begin inline asm\n\tdone:\n\t// end inline asm"}) {
    const std::string body = bodyWith(setting + other);
    EXPECT_EQ(withoutDeadBlocks(body), body);
  }
  EXPECT_TRUE(findsOut(
      setting +
      "\n\t// begin inline asm\n\tfence.acquire.sync_restrict::shared::cluster;\n\t// end inline asm"));
}

TEST(DeadBlocks, TrapsAreNoOtherBranches) {
  for (const char* trap : {"trap;", "@%p1 trap;"}) {
    const std::string assembly = std::string("\t// begin inline asm\n\t") + trap + "\n\t// end inline asm\n";
    const std::string result = withoutDeadBlocks(
        "{\n\tmov.pred \t%p9, 0;\n\t@!%p9 bra \t$L__BB0_2;\n\n\tdead.b32 \t%r1, 1;\n$L__BB0_2:\n" + assembly +
        "$L__BB0_3:\n\tret;\n\n}");
    EXPECT_FALSE(hasPart(result, "dead.b32")) << result;
    EXPECT_TRUE(hasPart(result, assembly)) << result;
  }
}

TEST(DeadBlocks, AssemblyGoesWithItsBraces) {
  const std::string result = withoutDeadBlocks(
      "{\n\tmov.pred \t%p9, 0;\n\t@!%p9 bra \t$L__BB0_2;\n\n\t// begin inline asm\n\t{\n\tdead.b32 %r1, "
      "1;\n}\n\t// end inline asm\n$L__BB0_2:\n\tret;\n\n}");
  EXPECT_FALSE(hasPart(result, "dead.b32"));
  EXPECT_EQ(std::count(result.begin(), result.end(), '{'), 1) << result;
  EXPECT_EQ(std::count(result.begin(), result.end(), '}'), 1) << result;
}

TEST(DeadBlocks, WhatLoopsComeBackToStays) {
  const std::string result = withoutDeadBlocks(
      "{\n\tmov.pred \t%p9, 0;\n$L__BB0_1:\n\tadd.s32 \t%r1, %r1, 1;\n\t@%p9 bra "
      "\t$L__BB0_3;\n\n\tsetp.lt.s32 "
      "\t%p1, %r1, %r2;\n\t@%p1 bra \t$L__BB0_1;\n\tret;\n$L__BB0_3:\n\tdead.b32 \t%r3, 1;\n\tbra.uni "
      "\t$L__BB0_1;\n$L__tmp4:\n}");
  EXPECT_FALSE(hasPart(result, "dead.b32"));
  EXPECT_TRUE(hasPart(result, "@%p1 bra \t$L__BB0_1;\n\tret;\n$L__tmp4:\n}")) << result;
}

}  // namespace
}  // namespace cui::cli
