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

TEST(RegisterLimit, MessagesAboutWhatFunctionsPreserveAreLeftOut) {
  EXPECT_EQ(
      withoutSpills("ptxas warning : Register spills may happen since callee 'f' specifies register R9\n"
                    "ptxas error   : something else\n"
                    "ptxas warning : function 'g' expected to have different return address register\n"),
      "ptxas error   : something else\n");
  EXPECT_EQ(withoutSpills(""), "");
}

}  // namespace
}  // namespace cui::cli
