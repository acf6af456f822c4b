// Operands of inline assembly with no comma between them, parted for the parser.
#include "edit/asm_operands.h"

#include <gtest/gtest.h>

namespace cui::edit {
namespace {

TEST(AsmOperands, CommaForTheBlankBetweenThem) {
  EXPECT_EQ(partAsmOperands("asm(\"add %0, %1;\" : \"+l\"(a) \"=r\"(b) : \"l\" (c)\n  \"r\" (d));"),
            "asm(\"add %0, %1;\" : \"+l\"(a),\"=r\"(b) : \"l\" (c),  \"r\" (d));");
  EXPECT_EQ(partAsmOperands("#define ADD(a, b) asm(\"\" : \"+r\"(a) \"r\"(b))"),
            "#define ADD(a, b) asm(\"\" : \"+r\"(a),\"r\"(b))");
}

TEST(AsmOperands, OtherTextStays) {
  for (const char* text : {"asm(\"\" : \"+l\"(a), \"=r\"(b));", "asm(\"\" : \"+l\"(a)\"=r\"(b));",
                           "asm(\"\");\n#define IN(x) \"r\"(x)", "asm(\"\" :: \"r\"(a) : \"memory\");",
                           "f(a) \"=r\"(b)", "asm volatile(\"\" : \"=r\"(a) : \"r\"(b));",
                           "asm(\"\"); f(a) \"text\" \"r\";", "asm(", "\"r\"(a)", ""})
    EXPECT_EQ(partAsmOperands(text), "") << text;
}

}  // namespace
}  // namespace cui::edit
