// Backslashes that continue a line once its comment is gone.
#include "edit/backslashes.h"

#include <gtest/gtest.h>

namespace cui::edit {
namespace {

TEST(Backslashes, BecomeBlanksInFrontOfComments) {
  EXPECT_EQ(blankBackslashes("a = b + \\ // more\n  c;"), "a = b +   // more\n  c;");
  EXPECT_EQ(blankBackslashes("a = b +\\/* one *//* two */ \t// three\n  c;"),
            "a = b + /* one *//* two */ \t// three\n  c;");
  EXPECT_EQ(blankBackslashes("#define N 1\na + \\ //\nb;"), "#define N 1\na +   //\nb;");
}

TEST(Backslashes, OtherTextStays) {
  for (const char* text : {"a + \\\n b; // c", "a + \\ \n b;", "a \\ b // c\n", "// a \\ // b\nc;",
                           "\"\\ // a\"\n", "#define N 1 \\ // one\nint a;", "#define N \\\n 1 \\ // one\n",
                           "a \\ /* b\n */ c;", "R\"(a \\ // b\n)\";", "a + \\ // b", ""})
    EXPECT_EQ(blankBackslashes(text), "") << text;
}

}  // namespace
}  // namespace cui::edit
