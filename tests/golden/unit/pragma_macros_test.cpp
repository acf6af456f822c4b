// Macros that stand for a pragma, blanked for the parser.
#include "edit/pragma_macros.h"

#include <gtest/gtest.h>

namespace cui::edit {
namespace {

TEST(PragmaMacros, BodyIsBlankedInPlace) {
  EXPECT_EQ(blankPragmaMacros("int a;\n#define UNROLL #pragma unroll\nint b;"),
            "int a;\n#define UNROLL               \nint b;");
  EXPECT_EQ(blankPragmaMacros(" #\tdefine  U\t# pragma unroll 4\r\n"),
            " #\tdefine  U\t                 \r\n");
  EXPECT_EQ(blankPragmaMacros("#define A #pragma a\n#define B #pragma b"),
            "#define A          \n#define B          ");
}

TEST(PragmaMacros, OtherTextStays) {
  for (const char* text : {
           "#pragma once\n",
           "#define UNROLL _Pragma(\"unroll\")\n",
           "#define TEXT(pragma) #pragma\n",
           "#define A b #pragma c\n",
           "#define A #pragma b \\\n  c\n",
           "#define pragma\n",
           "// #define A #pragma b",
           "pragma",
           "",
       })
    EXPECT_EQ(blankPragmaMacros(text), "") << text;
}

}  // namespace
}  // namespace cui::edit
