// A word that touches the "C" of a linkage, parted for the parser.
#include "edit/linkage.h"

#include <gtest/gtest.h>

namespace cui::edit {
namespace {

TEST(Linkage, BlankComesBehindTheLiteral) {
  EXPECT_EQ(partLinkage("extern \"C\"__global__ void k();"), "extern\"C\" __global__ void k();");
  EXPECT_EQ(partLinkage("int a;\nextern \t\"C\"int b;\nextern \"C\"int c;"),
            "int a;\nextern \"C\" int b;\nextern\"C\" int c;");
}

TEST(Linkage, OtherTextStays) {
  for (const char* text : {"extern \"C\" void k();", "extern \"C\"{", "extern\"C\"int a;", "puts(\"C\"_s);",
                           "f( \"C\"_s);", "\"C\"int", "extern \"C\"", "extern \"C++\"int a;", ""})
    EXPECT_EQ(partLinkage(text), "") << text;
}

}  // namespace
}  // namespace cui::edit
