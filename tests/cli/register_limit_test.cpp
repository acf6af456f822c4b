// What ptxas and nvlink say of registers: the fewest of several kernels, and messages that are of no use.
#include "cli/compile/register_limit.h"

#include <gtest/gtest.h>

namespace cui::cli {
namespace {

TEST(RegisterLimit, IsThatOfTheKernelWithTheFewest) {
  EXPECT_EQ(
      fewestOfKernels("ptxas error   : Entry function 'a' with max regcount of 64 calls function 'f' with "
                      "regcount of 70\n"
                      "nvlink error   : entry function 'b' with max regcount of 32 calls function 'f' with "
                      "regcount of 54\n"),
      32);
  EXPECT_EQ(fewestOfKernels("a kernel with max regcount of 16 that calls nothing"), std::nullopt);
  EXPECT_EQ(fewestOfKernels(""), std::nullopt);
}

TEST(RegisterLimit, WhatPtxasSaysOfKernels) {
  EXPECT_EQ(registersOfKernels("ptxas info    : 16 bytes gmem, 24 bytes cmem[4]\n"
                               "ptxas info    : Compiling entry function '_Z1aPf' for 'sm_90'\n"
                               "ptxas info    : Function properties for _Z1aPf\n"
                               "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                               "ptxas info    : Used 150 registers, used 1 barriers, 392 bytes cmem[0]\n"
                               "ptxas info    : Function properties for half\n"
                               "ptxas info    : Used 20 registers\n"
                               "ptxas info    : Compiling entry function 'b' for 'sm_90'\n"
                               "ptxas info    : Used 8 registers\n"),
            (KernelRegisters{{"_Z1aPf", 150}, {"b", 8}}));
  EXPECT_TRUE(registersOfKernels("").empty());
}

TEST(RegisterLimit, MessagesAboutWhatFunctionsPreserveAreLeftOut) {
  EXPECT_EQ(
      withoutSpills("ptxas warning : Register spills may happen since callee 'f' specifies register R9\n"
                    "ptxas error   : something else\n"
                    "ptxas warning : function 'g' expected to have different return address register\n"),
      "ptxas error   : something else\n");
  EXPECT_EQ(withoutSpills(""), "");
}

TEST(RegisterLimit, AMessageAboutALimitOfOursIsLeftOut) {
  EXPECT_EQ(withoutIgnoredLimit("ptxas warning : Too big maxrregcount value specified 64, will be ignored\n"
                                "a.cu(3): warning #177-D: variable declared but never referenced\n"),
            "a.cu(3): warning #177-D: variable declared but never referenced\n");
}

}  // namespace
}  // namespace cui::cli
