// Which kernels have another one for a mode beside them, and what that is.
#include "cli/compile/mode_kernels.h"

#include <gtest/gtest.h>

#include "cli/compile/lean_kernels.h"
#include "cli/compile/plain_kernels.h"
#include "cli/compile/ptx_text.h"

namespace cui::cli::mode_kernels {
namespace {

constexpr const char* row = "_ZN3cui7backend9stepOfRowILi7EEENS0_8RowPointERKNS0_10DeviceUnitEjjj";
constexpr const char* rowOfLoop = "_ZN3cui7backend13stepOfLoopRowILi7EEENS0_8RowPointERKNS0_10DeviceUnitEjjj";
constexpr const char* begin = "_ZN3cui7backend8beginRowILi7EEENS0_8RowPointEjjjjjj";
constexpr const char* inMode = "_ZN3cui7backend9twoInModeILi7EEEvRKNS0_10DeviceUnitEjyjyj";
constexpr const char* traced = "_ZN3cui7backend9recordTwoILi7EEEvRKNS0_10DeviceUnitEjyjyj";
constexpr const char* fixed = "_ZN3cui7backend14recordFixedOneILi7EEEvRKNS0_10DeviceUnitEjyijj";
constexpr const char* loopInMode = "_ZN3cui7backend13loopOneInModeILi7EEEbRKNS0_10DeviceUnitEjyijj";

std::string calling(const std::string& function) {
  return "\t{ // callseq 1, 0\n\tcall.uni \n\t" + function + ", \n\t(\n\tparam0\n\t);\n\t} // callseq 1\n";
}
/// A place by rows, in both modes.
std::string place() {
  return calling(begin) + calling(row) + calling(inMode) + calling(traced);
}
std::string modeUnitOf(const std::string& body, const std::string& more = "") {
  std::string text = ".version 9.0\n.target sm_90\n.address_size 64\n\n";
  for (const char* function : {row, rowOfLoop, begin, inMode, traced, fixed, loopInMode})
    text += std::string(".extern .func ") + function + "\n(\n\t.param .b64 a_param_0\n)\n;\n";
  return text + more +
         ".visible .entry _Z6kernelv(\n\t.param .b64 _Z6kernelv_param_0\n)\n{\n\t.reg .pred \t%p<2>;\n\n" +
         body + "\tret;\n\n}\n";
}
bool isByRows(const std::string& body, const std::string& more = "") {
  return kernelsByRows(modeUnitOf(body, more)) == std::set<std::string_view>{"_Z6kernelv"};
}

TEST(ModeKernels, AreThoseWhoseSitesGoByRows) {
  EXPECT_TRUE(isByRows(place()));
  EXPECT_TRUE(isByRows(place() + place()));
  EXPECT_TRUE(isByRows(calling(row) + calling(inMode)));  // for one mode
}

TEST(ModeKernels, NotThoseThatCallTheRecorderElsewhere) {
  EXPECT_FALSE(isByRows(calling(inMode) + calling(traced)));
  EXPECT_FALSE(isByRows(place() + calling(inMode)));  // one more than there are rows
  EXPECT_FALSE(isByRows(place() + calling(fixed)));
  EXPECT_FALSE(isByRows(place() + calling(rowOfLoop) + calling(fixed)));
  EXPECT_FALSE(isByRows(place() + calling(rowOfLoop) + calling(loopInMode)));
  EXPECT_FALSE(isByRows(place() + "\tprototype_1 : .callprototype _ (.param .b64 _);\n"));
  const std::string own = ".func _Z3ownv(\n\t.param .b64 own_param_0\n)\n{\n\tret;\n}\n";
  EXPECT_TRUE(isByRows(place(), own));
  EXPECT_FALSE(isByRows(place() + calling("_Z3ownv"), own));
}

TEST(ModeKernels, AreTheSameWithFewerRegisters) {
  const std::string unit = modeUnitOf(place()), both = withModeKernels(unit);
  ASSERT_EQ(both.substr(0, unit.size()), unit);
  std::string copy = unit.substr(unit.find(".visible .entry"));
  copy.insert(copy.find("(\n"), profiledSuffix);
  EXPECT_EQ(both.substr(unit.size()), copy);
  const std::string lean = withLeanKernels(both);
  EXPECT_EQ(leanKernelsOf(both), std::set<std::string_view>{"_Z6kernelv$cuiProfiled"});
  const std::size_t second = lean.rfind(".visible .entry");
  EXPECT_EQ(lean.substr(0, second).find(std::string(row) + std::string(leanSuffix) + ", \n"),
            std::string::npos);
  EXPECT_NE(lean.find(std::string(row) + std::string(leanSuffix) + ", \n", second), std::string::npos);
  // What it has without the recorder counts for both.
  const std::string limited = withRegisterLimits(lean, {{"_Z6kernelv", 41}});
  EXPECT_NE(limited.find(".maxnreg 64\n"), std::string::npos);
  EXPECT_NE(limited.find(".maxnreg 48\n"), std::string::npos);
  EXPECT_EQ(otherKernelsIn(both), std::set<std::string>{"_Z6kernelv$cuiProfiled"});
}

TEST(ModeKernels, LeanOnesHaveOneForTraces) {
  const std::string unit = modeUnitOf(calling(rowOfLoop) + calling(loopInMode));
  ASSERT_EQ(leanKernelsOf(unit), std::set<std::string_view>{"_Z6kernelv"});
  const std::string both = withModeKernels(unit);
  EXPECT_EQ(otherKernelsIn(both), std::set<std::string>{"_Z6kernelv$cuiTraced"});
  EXPECT_EQ(leanKernelsOf(both), std::set<std::string_view>{"_Z6kernelv"});
  const std::string limited = withRegisterLimits(withLeanKernels(both), {});
  EXPECT_LT(limited.find(".maxnreg 32\n"), limited.find(".maxnreg 64\n"));
  EXPECT_NE(limited.find(".maxnreg 64\n"), std::string::npos);
}

TEST(ModeKernels, NobodyIsToldOfThem) {
  EXPECT_EQ(withModeKernels(modeUnitOf("")), modeUnitOf(""));
  EXPECT_EQ(withoutOtherKernels("ptxas info    : Compiling entry function '_Z1kv$cuiProfiled' for 'sm_90'\n"
                                "ptxas info    : Used 32 registers\n"
                                "ptxas info    : Compiling entry function '_Z1kv' for 'sm_90'\n"),
            "ptxas info    : Compiling entry function '_Z1kv' for 'sm_90'\n");
}

}  // namespace
}  // namespace cui::cli::mode_kernels
