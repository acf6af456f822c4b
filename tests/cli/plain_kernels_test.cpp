// Kernels without the recorder beside those with it: what they are made of, which there are, what becomes of
// the others' text, and how the unit's host code registers them.
#include "cli/compile/plain_kernels.h"

#include <gtest/gtest.h>

namespace cui::cli {
namespace {

const std::string state = "_ZN12_INTERNAL_1a3cui11_GLOBAL__N_9unitStateE";
const std::string recorder = "_ZN3cui7backend13recordLoopOneILi7EEEbRKNS0_10DeviceUnitEjyijj";

/// A unit for that target with a function that asks for its block and records, one that does neither, and a
/// kernel of `body`.
std::string unitWith(const std::string& body, const std::string& target = "sm_90") {
  return ".version 9.0\n.target " + target +
         "\n.address_size 64\n\n"
         ".extern .func  (.param .b32 func_retval0) " +
         recorder +
         "\n(\n\t.param .b64 recordLoopOne_param_0\n)\n;\n"
         ".const .align 8 .b8 " +
         state +
         "[112];\n"
         ".func  (.param .b32 func_retval0) place(\n\t.param .b64 place_param_0\n)\n{\n"
         "\tld.const.u64 \t%rd1, [" +
         state + "];\n\tcall.uni (retval0), \n\t" + recorder +
         ", \n\t(\n\tparam0\n\t);\n\tmov.u32 \t%r1, %ctaid.x;\n\tret;\n\n}\n"
         ".func  other(\n\t.param .b64 other_param_0\n)\n{\n\tret;\n\n}\n"
         ".visible .entry kernel(\n\t.param .b64 kernel_param_0\n)\n.maxntid 64, 1, 1\n" +
         body + "\n";
}
const std::string callingKernel =
    "{\n\tmov.u32 \t%r2, %nctaid.y;\n\tcall.uni (retval0), \n\tplace, \n\t(\n\tparam0\n\t);\n\tret;\n\n}";

bool hasText(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(PlainKernels, OneIsMadeOfWhatTheOtherIs) {
  const std::string both = withOtherKernels(unitWith(callingKernel));
  // With its parameters and directives, and two parameters more, which say what it leaves out.
  EXPECT_TRUE(hasText(
      both,
      ".visible .entry kernel$cuiRest(\n\t.param .b64 kernel_param_0\n,\n\t.param .u32 cuiRecordedBelow,\n"
      "\t.param .u32 cuiLastRecorded\n)\n.maxntid 64, 1, 1\n{\n"));
  const std::string rest = both.substr(both.find("kernel$cuiRest"));
  EXPECT_TRUE(hasText(rest, "\tld.param.u32 \t%cuir8, [cuiRecordedBelow];\n"));
  EXPECT_TRUE(hasText(rest, "\tgriddepcontrol.wait;\n"));
  EXPECT_TRUE(hasText(rest, "\tmov.u32 \t%r2, %nctaid.y;\n"));  // of the whole grid, as it is launched
  EXPECT_TRUE(hasText(rest, "\tplace$cuiPlain, \n"));
  // What it calls asks for nothing and records nothing.
  const std::size_t plain = both.find("place$cuiPlain(\n\t.param .b64 place_param_0\n)\n{");
  ASSERT_NE(plain, std::string::npos);
  EXPECT_TRUE(
      hasText(both.substr(plain), "\tmov.u64 \t%rd1, 0;\n\tcall.uni (retval0), \n\tcuiNothing$" + recorder));
  EXPECT_TRUE(
      hasText(both, " cuiNothing$" + recorder + "\n(\n\t.param .b64 recordLoopOne_param_0\n)\n{ ret; }\n"));
  EXPECT_FALSE(hasText(both, "other$cuiPlain"));  // nobody calls it
}

TEST(PlainKernels, InlineAssemblyEndsNoKernel) {
  const std::string assembly =
      "{\n\t// begin inline asm\n\t{mul.f16 %rs1,%rs2,%rs3;\n}\n\t// end inline asm\n";
  const std::string both = withOtherKernels(unitWith(assembly + callingKernel.substr(2)));
  const std::string rest = both.substr(both.find("kernel$cuiRest"));
  EXPECT_TRUE(hasText(rest, "\t{mul.f16 %rs1,%rs2,%rs3;\n}\n\t// end inline asm\n"));
  EXPECT_TRUE(hasText(rest, "\tplace$cuiPlain, \n\t(\n\tparam0\n\t);\n\tret;\n\n}"));
}

TEST(PlainKernels, TheOtherGetsItsPlaceFromATable) {
  const std::string both = withOtherKernels(unitWith(callingKernel));
  const std::size_t at = both.find(".visible .entry kernel(");
  const std::string kernel = both.substr(at, both.find("\n}", at) - at);
  EXPECT_TRUE(
      hasText(kernel, "\tld.const.u64 \t%cuid1, [" + state + "+104];\n"));  // the last of the state's words
  EXPECT_TRUE(hasText(kernel, "\tgriddepcontrol.launch_dependents;\n"));
  EXPECT_TRUE(hasText(kernel, "\tmov.u32 \t%r2, %cuir5;\n"));
  // One thread leaves it for what is called, before any reads it.
  EXPECT_TRUE(hasText(
      kernel,
      "\t@%cuip3 st.shared.v4.u32 \t[%cuir16+16], {%cuir4, %cuir5, %cuir6, %cuir9};\n\tbar.sync \t0;\n"));
  const std::string place = both.substr(both.find(" place("), 2000);
  EXPECT_TRUE(hasText(place, "\tmov.u32 \t%r1, %cuir1;\n"));
  EXPECT_FALSE(hasText(place.substr(0, place.find("\n}")), "launch_dependents"));
}

TEST(PlainKernels, WhereBlocksWaitForEachOtherAllAreOfOneLaunch) {
  const std::string waiting =
      "{\n$L__BB0_1:\n\tld.volatile.global.u32 \t%r1, [%rd1];\n\t@%p1 bra \t$L__BB0_1;\n" +
      callingKernel.substr(2);
  const std::string both = withOtherKernels(unitWith(waiting));
  EXPECT_TRUE(hasText(both, ".visible .entry kernel$cuiWhole("));
  EXPECT_FALSE(hasText(both, "kernel$cuiRest"));
  EXPECT_FALSE(hasText(both, "launch_dependents"));
  // So are those that ask for all coordinates at once, which nobody can tell them otherwise.
  const std::string vector = "{\n\tmov.v4.u32 \t{%r1, %r2, %r3, %r4}, %ctaid;\n" + callingKernel.substr(2);
  EXPECT_TRUE(hasText(withOtherKernels(unitWith(vector)), "kernel$cuiWhole"));
}

TEST(PlainKernels, OlderGpusHaveNoLaunchesThatOverlap) {
  const std::string both = withOtherKernels(unitWith(callingKernel, "sm_80"));
  EXPECT_TRUE(hasText(both, "kernel$cuiRest"));  // one name in all images
  EXPECT_FALSE(hasText(both, "griddepcontrol"));
  EXPECT_FALSE(hasText(both, "%aggr_smem_size"));
}

TEST(PlainKernels, NoneWhereItIsNotKnownWhatIsCalled) {
  for (const std::string& line : {std::string("\tprototype_0 : .callprototype ()_ (.param .b64 _);"),
                                  std::string("\tmov.u64 \t%rd3, other;")}) {
    const std::string unit = unitWith("{\n" + line + "\n" + callingKernel.substr(2));
    EXPECT_EQ(withOtherKernels(unit), unit) << line;
  }
}

TEST(PlainKernels, NoneOfKernelsThatDoNotRecord) {
  const std::string unit = unitWith("{\n\tcall.uni \n\tother, \n\t(\n\tparam0\n\t);\n\tret;\n\n}");
  EXPECT_EQ(withOtherKernels(unit), unit);
}

TEST(PlainKernels, NoneWhereParametersHaveNoRoom) {
  std::string unit = unitWith(callingKernel);
  const std::string parameter = ".param .b64 kernel_param_0";
  unit.replace(unit.find(parameter), parameter.size(), ".param .align 8 .b8 kernel_param_0[4088]");
  EXPECT_EQ(withOtherKernels(unit), unit);
}

TEST(PlainKernels, TheirNamesAreFoundInImages) {
  using Names = std::set<std::string>;
  EXPECT_EQ(otherKernelsIn(withOtherKernels(unitWith(callingKernel))), Names{"kernel$cuiRest"});
  EXPECT_EQ(otherKernelsIn(std::string("\0.text._Z1aPi$cuiWhole\0.nv.info._Z1aPi$cuiWhole\0", 46)),
            Names{"_Z1aPi$cuiWhole"});
  EXPECT_EQ(otherKernelsIn("kernel"), Names());
}

TEST(PlainKernels, NobodyIsToldOfThem) {
  const std::string said =
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'a' for 'sm_90'\n"
      "ptxas info    : Function properties for a\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 64 registers, used 0 barriers\n";
  EXPECT_EQ(
      withoutOtherKernels(said + "ptxas info    : Compiling entry function 'a$cuiRest' for 'sm_90'\n"
                                 "ptxas info    : Function properties for a$cuiRest\n"
                                 "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                                 "ptxas info    : Used 12 registers, used 0 barriers\n"
                                 "ptxas info    : Function properties for f$cuiPlain\n"
                                 "    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"),
      said);
  EXPECT_EQ(withoutOtherKernels(
                "nvlink warning : Stack size for entry function 'a$cuiWhole' cannot be determined\n"),
            "nvlink warning : Stack size for entry function 'a' cannot be determined\n");
}

TEST(PlainKernels, UnitsRegisterThem) {
  EXPECT_EQ(withKernelsRegistered("text\n", {}, "/a/plain_launch.h"), "text\n");
  EXPECT_EQ(withKernelsRegistered("text\n", {"a$cuiRest", "b$cuiWhole"}, "/a/plain_launch.h"),
            "text\nstatic const char* const cuiOtherKernels[] = {\"a$cuiRest\", \"b$cuiWhole\", 0};\n"
            "#include \"/a/plain_launch.h\"\n");
}

}  // namespace
}  // namespace cui::cli
