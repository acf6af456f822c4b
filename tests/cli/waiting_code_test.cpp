// Which kernels' blocks may wait for each other: loops, told from jumps to what is written further up.
#include "cli/compile/waiting_code.h"

#include <gtest/gtest.h>

#include <string>

namespace cui::cli {
namespace {

constexpr bool inNoLoop = false, mayBeInLoops = true;

TEST(WaitingCode, WhatAsksAgainAndAgainWaits) {
  EXPECT_TRUE(mayWaitForBlocks(
      "{\n$L__BB0_1:\n\tld.volatile.global.u32 \t%r1, [%rd1];\n\tsetp.ne.s32 \t%p1, %r1, 7;\n"
      "\t@%p1 bra \t$L__BB0_1;\n\tret;\n}",
      inNoLoop));
  EXPECT_TRUE(
      mayWaitForBlocks("{\n$L__BB0_1:\n\tatom.global.cas.b32 \t%r1, [%rd1], 0, 1;\n\tbra.uni \t$L__BB0_2;\n"
                       "$L__BB0_2:\n\t@%p1 bra \t$L__BB0_1;\n\tret;\n}",
                       inNoLoop));
}

TEST(WaitingCode, WhereSomeLanesLeaveTheOthersGoOn) {
  for (const char* leaves : {"exit", "ret"})
    EXPECT_TRUE(mayWaitForBlocks(std::string("{\n$L__BB0_1:\n\tatom.global.cas.b32 \t%r1, [%rd1], 0, 1;\n"
                                             "\t@%p1 ") +
                                     leaves + ";\n\tbra.uni \t$L__BB0_1;\n}",
                                 inNoLoop))
        << leaves;
}

TEST(WaitingCode, WhatAsksOnceDoesNot) {
  EXPECT_FALSE(
      mayWaitForBlocks("{\n\tatom.global.inc.u32 \t%r1, [%rd1], %r2;\n\tmembar.gl;\n$L__BB0_1:\n"
                       "\tld.global.u32 \t%r3, [%rd2];\n\t@%p1 bra \t$L__BB0_1;\n\tret;\n}",
                       inNoLoop));
}

TEST(WaitingCode, ABlockWrittenBelowIsNoLoop) {
  // What is rare stands behind the rest, and jumps back to where that goes on.
  EXPECT_FALSE(
      mayWaitForBlocks("{\n\t@%p1 bra \t$L__BB0_2;\n$L__BB0_1:\n\tatom.global.add.u32 \t%r1, [%rd1], 1;\n"
                       "\tret;\n$L__BB0_2:\n\tmov.u32 \t%r2, 1;\n\tbra.uni \t$L__BB0_1;\n}",
                       inNoLoop));
}

TEST(WaitingCode, TablesOfBranchesAreFollowed) {
  EXPECT_TRUE(
      mayWaitForBlocks("{\n$L__BB0_1:\n\tatom.global.add.u32 \t%r1, [%rd1], 1;\n$L_brx_0: .branchtargets\n"
                       "\t$L__BB0_1,\n\t$L__BB0_2;\n\tbrx.idx \t%r2, $L_brx_0;\n$L__BB0_2:\n\tret;\n}",
                       inNoLoop));
}

TEST(WaitingCode, ABlocksOwnSharedMemoryIsNobodyElses) {
  EXPECT_FALSE(
      mayWaitForBlocks("{\n$L__BB0_1:\n\tld.volatile.shared.u32 \t%r1, [%r2];\n\tmembar.cta;\n"
                       "\t@%p1 bra \t$L__BB0_1;\n\tret;\n}",
                       inNoLoop));
}

TEST(WaitingCode, WhatIsCalledMayBeCalledInALoop) {
  constexpr const char* body = "{\n\tatom.global.add.u32 \t%r1, [%rd1], 1;\n\tret;\n}";
  EXPECT_FALSE(mayWaitForBlocks(body, inNoLoop));
  EXPECT_TRUE(mayWaitForBlocks(body, mayBeInLoops));
}

TEST(WaitingCode, BlocksThatKnowOfEachOtherStayTogether) {
  for (const char* line :
       {"\tbarrier.cluster.arrive;", "\tgriddepcontrol.wait;", "\tmov.u32 \t%r1, %dynamic_smem_size;",
        "\tmapa.u64 \t%rd1, %rd2, %r1;", "\tmov.u64 \t%rd1, %gridid;"})
    EXPECT_TRUE(mayWaitForBlocks("{\n" + std::string(line) + "\n\tret;\n}", inNoLoop)) << line;
}

}  // namespace
}  // namespace cui::cli
