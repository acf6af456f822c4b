// PTX without the recorder: what stays, what is asked no more, and how both sets of images are in one file.
#include "cli/compile/plain_code.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace cui::cli {
namespace {

constexpr const char* unitText = R"(.version 9.0
.target sm_90
.address_size 64

.extern .func  (.param .b32 func_retval0) vprintf
(
	.param .b64 vprintf_param_0
)
;
.extern .func  (.param .b32 func_retval0) _ZN3cui7backend13recordLoopOneILi7EEEbRKNS0_10DeviceUnitEjyijj
(
	.param .b64 recordLoopOne_param_0
)
;
.const .align 8 .b8 table[104];
.const .align 8 .b8 _ZN12_INTERNAL_1a3cui11_GLOBAL__N_9unitStateE[104];
.visible .entry first(
	.param .b64 first_param_0
)
{
	ld.const.u64 	%rd1, [_ZN12_INTERNAL_1a3cui11_GLOBAL__N_9unitStateE];
	setp.eq.s64 	%p1, %rd1, 0;
	ld.const.u32 	%r4, [_ZN12_INTERNAL_1a3cui11_GLOBAL__N_9unitStateE+20];
	ld.const.u32 	%r5, [table+20];
	setp.ge.u32 	%p2, %r3, %r4;
	setp.lt.u32 	%p3, %r3, %r4;
	setp.gt.u32 	%p4, %r4, %r3;
	setp.le.u32 	%p5, %r4, %r3;
	setp.ge.s32 	%p6, %r3, %r4;
	setp.gt.u32 	%p7, %r3, %r5;
	ld.const.u32 	%rd6, [_ZN12_INTERNAL_1a3cui11_GLOBAL__N_9unitStateE+20];
	setp.lt.u64 	%p8, %rd7, %rd6;
	mov.u64 	%rd2, _ZN12_INTERNAL_1a3cui11_GLOBAL__N_9unitStateE;
	ret;

}
.visible .entry second()
{
	setp.ge.u32 	%p2, %r3, %r4;
	ret;

}
)";

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(PlainCode, TheRecordersFunctionsAreEmpty) {
  const std::string plain = withoutRecorder(unitText);
  EXPECT_TRUE(has(
      plain,
      "\n .func  (.param .b32 func_retval0) _ZN3cui7backend13recordLoopOneILi7EEEbRKNS0_10DeviceUnitEjyijj\n"
      "(\n\t.param .b64 recordLoopOne_param_0\n)\n{ ret; }\n"));
  EXPECT_TRUE(has(
      plain, ".extern .func  (.param .b32 func_retval0) vprintf\n(\n\t.param .b64 vprintf_param_0\n)\n;\n"));
}

TEST(PlainCode, TheUnitsStateIsZero) {
  const std::string plain = withoutRecorder(unitText);
  EXPECT_TRUE(has(plain, "\tmov.u64 \t%rd1, 0;\n\tsetp.eq.s64 \t%p1, %rd1, 0;\n\tmov.u32 \t%r4, 0;\n"));
  EXPECT_TRUE(has(plain, "\tld.const.u32 \t%r5, [table+20];\n"));
  EXPECT_TRUE(has(plain, "\tmov.u64 \t%rd6, 0;\n\tsetp.ne.u64 \t%p8, %rd6, 0;\n"));  // a wider register
  EXPECT_TRUE(has(plain, "\tmov.u64 \t%rd2, _ZN12_INTERNAL_1a3cui11_GLOBAL__N_9unitStateE;\n"));
}

TEST(PlainCode, NothingIsBelowZero) {
  const std::string plain = withoutRecorder(unitText);
  EXPECT_TRUE(has(plain,
                  "\tsetp.eq.u32 \t%p2, %r4, 0;\n\tsetp.ne.u32 \t%p3, %r4, 0;\n"
                  "\tsetp.ne.u32 \t%p4, %r4, 0;\n\tsetp.eq.u32 \t%p5, %r4, 0;\n"));
  EXPECT_TRUE(has(plain, "\tsetp.ge.s32 \t%p6, %r3, %r4;\n\tsetp.gt.u32 \t%p7, %r3, %r5;\n"));
}

TEST(PlainCode, RegistersAreAFunctionsOwn) {
  const std::string plain = withoutRecorder(unitText);
  EXPECT_TRUE(has(plain, ".visible .entry second()\n{\n\tsetp.ge.u32 \t%p2, %r3, %r4;\n"));
}

TEST(PlainCode, OtherTextStays) {
  const std::string other =
      ".version 9.0\n.const .align 8 .b8 unitState[104];\n.visible .entry a()\n{\n\tret;\n\n}\n";
  EXPECT_EQ(withoutRecorder(other), other);
}

TEST(PlainCode, BothSetsOfImagesAreInOneFile) {
  const std::string joined = withPlainImages("\"fatbinData:\\n\" 1 __fatDeviceText = { fatbinData }\n",
                                             "\"fatbinData:\\n\" 2 __fatDeviceText = { fatbinData }\n");
  EXPECT_EQ(joined.find("\"fatbinData:\\n\" 1 __fatDeviceText = { fatbinData }\n"
                        "\"cuiPlainData:\\n\" 2 cuiPlainDeviceText = { cuiPlainData }\n"),
            0u);
  EXPECT_TRUE(has(joined,
                  "#define __fatDeviceText (*(cuiTakesPlainCode(&cui::unitTable()) ? &cuiPlainDeviceText : "
                  "&__fatDeviceText))\n"));
}

TEST(PlainCode, TheSecondSetIsInASectionOfItsOwn) {
  const std::string text =
      "#define __CUDAFATBINSECTION \".nvFatBinSegment\"\nfatbinData __fatDeviceText "
      "section(__CUDAFATBINSECTION)\n";
  EXPECT_EQ(withPlainImages(text, text)
                .find(text + "#define CUI_PLAIN_SECTION \".cuiPlainSegment\"\ncuiPlainData "
                             "cuiPlainDeviceText section(CUI_PLAIN_SECTION)\n"),
            0u);
}

TEST(PlainCode, ImagesOfAnotherFormStayAsTheyAre) {
  EXPECT_EQ(withPlainImages("fatbinData __fatDeviceText", "fatbinData"), "");
  EXPECT_EQ(withPlainImages("__fatbinwrap_a", "fatbinData __fatDeviceText"), "");
}

TEST(PlainCode, LiesWhereTheEnvironmentSays) {
  ::unsetenv(plainCodeVariable);
  EXPECT_EQ(plainCodeOf("a.cubin"), "");
  ::setenv(plainCodeVariable, "/somewhere", 1);
  EXPECT_EQ(plainCodeOf("/b/a.cubin").parent_path(), "/somewhere");
  EXPECT_EQ(plainCodeOf(""), "");  // a ptxas that only looks at PTX
  EXPECT_EQ(plainCodeOf("/b/./a.cubin"), plainCodeOf("/b/a.cubin"));
  EXPECT_NE(plainCodeOf("/b/a.cubin"), plainCodeOf("/c/a.cubin"));
  ::unsetenv(plainCodeVariable);
}

}  // namespace
}  // namespace cui::cli
