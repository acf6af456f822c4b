// Which lines of the user's a failed compilation complains about: messages as nvcc 13.0 and gcc 12 print
// them.
#include "cli/compile/error_lines.h"

#include <gtest/gtest.h>

namespace {

using cui::cli::errorLines;
using Lines = std::vector<std::string>;

TEST(ErrorLines, FrontEndErrorsAndNotWarnings) {
  EXPECT_EQ(errorLines("dir/a b.cu(7): error: identifier \"x\" is undefined\n"
                       "  void h() { x(); }\n"
                       "             ^\n\n"
                       "a.cu(9): warning #177-D: variable \"y\" was declared but never referenced\n"
                       "a.cu(12): catastrophic error: too many errors\n"
                       "1 error detected in the compilation of \"a.cu\".\n"),
            (Lines{"dir/a b.cu:7", "a.cu:12"}));
}

TEST(ErrorLines, PlacesOfInstantiation) {
  EXPECT_EQ(errorLines("e2.h(2): error: expression must have class type but it has type \"int\"\n"
                       "   t.x(); }\n"
                       "          detected during:\n"
                       "            instantiation of \"void g(T) [with T=int]\" at line 5\n"
                       "            instantiation of \"void f(T) [with T=int]\" at line 3 of e3.cu\n\n"
                       "  something else at line 8\n"),
            (Lines{"e2.h:2", "e2.h:5", "e3.cu:3"}));
}

TEST(ErrorLines, HostCompiler) {
  EXPECT_EQ(errorLines("a.cu: In function 'int main()':\n"
                       "a.cu:3:5:   required from here\n"
                       "a.cu:12:5: error: 'z' was not declared in this scope\n"
                       "a.cu:12:5: note: suggested alternative\n"
                       "a.cu:12:9: error: and again\n"),
            (Lines{"a.cu:3", "a.cu:12"}));
}

TEST(ErrorLines, NothingWithoutAFile) {
  EXPECT_EQ(
      errorLines("ptxas error   : Entry function '_Z1kv' uses too much shared data\nnvcc fatal   : error\n"),
      Lines{});
}

}  // namespace
