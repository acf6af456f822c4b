// Which kernels call the recorder's functions for few registers, and that nothing else in a unit changes.
#include "cli/compile/lean_kernels.h"

#include <gtest/gtest.h>

#include "cli/compile/ptx_text.h"

namespace cui::cli {
namespace {

constexpr const char* loopInMode = "_ZN3cui7backend13loopTwoInModeILi7EEEbRKNS0_10DeviceUnitEjyijyijj";
constexpr const char* loopTraced = "_ZN3cui7backend13recordLoopTwoILi7EEEbRKNS0_10DeviceUnitEjyijyijj";
constexpr const char* warpInMode = "_ZN3cui7backend10warpInModeILi7EEEvRKNS0_10DeviceUnitEjyj";
constexpr const char* warpTraced = "_ZN3cui7backend10recordWarpILi7EEEvRKNS0_10DeviceUnitEjyj";
constexpr const char* rowOfLoop = "_ZN3cui7backend13stepOfLoopRowILi7EEENS0_8RowPointERKNS0_10DeviceUnitEjjj";
constexpr const char* ofGathered = "_ZN3cui7backend18recordGatheredLoopILi7EEEbRKNS0_10DeviceUnitEjyjjijjj";
constexpr const char* longLoop =
    "_ZN3cui7backend14recordLongLoopILi7EEEbRKNS0_10DeviceUnitEPKNS_9LoopPlaceEjj";

std::string calling(const std::string& function) {
  return "\t{ // callseq 1, 0\n\tcall.uni \n\t" + function + ", \n\t(\n\tparam0\n\t);\n\t} // callseq 1\n";
}
/// A site, in each mode.
std::string site(const char* inMode, const char* traced) {
  return calling(inMode) + calling(traced);
}
/// Of a loop whose head is of indices.
std::string inFront() {
  return calling(rowOfLoop) + site(loopInMode, loopTraced);
}
std::string oneAccess() {
  return site(warpInMode, warpTraced);
}
std::string marked() {
  return "\t// begin inline asm\n\t// cuiBesideLoop\n\t// end inline asm\n";
}
std::string again(const std::string& body) {
  return "$L__BB0_1:\n" + body + "\t@%p1 bra \t$L__BB0_1;\n";
}

std::string leanUnitOf(const std::string& body, const std::string& more = "") {
  std::string text = ".version 9.0\n.target sm_90\n.address_size 64\n\n";
  for (const char* function :
       {loopInMode, loopTraced, warpInMode, warpTraced, rowOfLoop, ofGathered, longLoop})
    text += std::string(".extern .func ") + function + "\n(\n\t.param .b64 a_param_0\n)\n;\n";
  return text + more +
         ".visible .entry _Z6kernelv(\n\t.param .b64 _Z6kernelv_param_0\n)\n{\n\t.reg .pred \t%p<2>;\n\n" +
         body + "\tret;\n\n}\n";
}
bool isLeanKernel(const std::string& body, const std::string& more = "") {
  const std::string unit = leanUnitOf(body, more);
  return leanKernelsOf(unit) == std::set<std::string_view>{"_Z6kernelv"};
}

TEST(LeanKernels, CallTheRecorderInFrontOfLoops) {
  EXPECT_TRUE(isLeanKernel(inFront()));
  EXPECT_TRUE(isLeanKernel(inFront() + again(marked() + oneAccess())));
  EXPECT_TRUE(isLeanKernel(oneAccess() + inFront() + again(marked() + oneAccess()) + oneAccess()));
  EXPECT_TRUE(isLeanKernel(calling(rowOfLoop) + calling(loopInMode) +
                           again(marked() + calling(warpInMode))));  // for one mode
}

TEST(LeanKernels, GatherTheAccessesOfLoops) {
  EXPECT_TRUE(isLeanKernel(calling(rowOfLoop) + calling(ofGathered)));
  EXPECT_TRUE(
      isLeanKernel(calling(rowOfLoop) + calling(ofGathered) + calling(longLoop)));  // one or the other
  EXPECT_FALSE(isLeanKernel(calling(ofGathered)));
  EXPECT_FALSE(isLeanKernel(calling(rowOfLoop) + again(calling(ofGathered))));
  EXPECT_FALSE(isLeanKernel(inFront() + calling(ofGathered)));  // two loops, one head
  EXPECT_FALSE(
      isLeanKernel(calling(rowOfLoop) + calling(ofGathered) + calling(longLoop) + calling(longLoop)));
}

TEST(LeanKernels, UnrollTheirLoops) {
  std::string unrolled;
  for (int time = 0; time < 6; ++time) unrolled += oneAccess();
  EXPECT_FALSE(isLeanKernel(inFront() + unrolled));
  EXPECT_TRUE(isLeanKernel(inFront() + marked() + "$L__BB0_2:\n" + marked() + unrolled));
}

TEST(LeanKernels, CallItHardlyElsewhere) {
  EXPECT_FALSE(isLeanKernel(oneAccess()));                     // no loop
  EXPECT_FALSE(isLeanKernel(inFront() + again(oneAccess())));  // each time round
  EXPECT_FALSE(
      isLeanKernel(site(loopInMode, loopTraced)));  // which may go round differently often in each lane
  EXPECT_FALSE(isLeanKernel(again(inFront())));     // a loop in a loop
  EXPECT_FALSE(isLeanKernel(inFront() + calling(longLoop)));  // which takes more registers
  EXPECT_FALSE(isLeanKernel(inFront() + again(marked() + oneAccess() + oneAccess())));
  EXPECT_TRUE(isLeanKernel(inFront() + oneAccess() + oneAccess() + oneAccess() + oneAccess()));
  EXPECT_FALSE(isLeanKernel(inFront() + oneAccess() + oneAccess() + oneAccess() + oneAccess() + oneAccess()));
  EXPECT_FALSE(isLeanKernel(inFront() + "\tprototype_1 : .callprototype _ (.param .b64 _);\n"));
}

TEST(LeanKernels, CallNoFunctionsOfTheUnit) {
  const std::string own = ".func _Z3ownv(\n\t.param .b64 own_param_0\n)\n{\n\tret;\n}\n";
  EXPECT_TRUE(isLeanKernel(inFront(), own));
  EXPECT_FALSE(isLeanKernel(inFront() + calling("_Z3ownv"), own));
}

TEST(LeanKernels, CallFunctionsOfOtherNames) {
  const std::string other =
      ".visible .entry _Z5otherv(\n\t.param .b64 _Z5otherv_param_0\n)\n{\n" + oneAccess() + "\tret;\n\n}\n";
  const std::string body = inFront() + again(marked() + oneAccess());
  const std::string text = withLeanKernels(leanUnitOf(body, other));
  std::string renamed = body;
  for (const char* function : {loopInMode, loopTraced, warpInMode, warpTraced, rowOfLoop})
    for (std::size_t at = 0; (at = renamed.find(function, at)) != std::string::npos;
         at += std::string(function).size() + leanSuffix.size())
      renamed.insert(at + std::string(function).size(), leanSuffix);
  EXPECT_NE(text.find(renamed), std::string::npos) << text;
  EXPECT_NE(text.find(other), std::string::npos) << text;
  EXPECT_NE(text.find(std::string(".extern .func ") + warpInMode + std::string(leanSuffix) +
                      "\n(\n\t.param .b64 a_param_0\n)\n;\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(std::string(".extern .func ") + warpInMode + "\n("), std::string::npos) << text;
  const std::string unchanged = leanUnitOf(oneAccess(), other);
  EXPECT_EQ(withLeanKernels(unchanged), unchanged);
}

TEST(LeanKernels, HaveAsFewRegistersAsTheyNeed) {
  const std::string text = withLeanKernels(leanUnitOf(inFront()));
  EXPECT_NE(withRegisterLimits(text, {}).find(".maxnreg 32\n{"), std::string::npos);
  EXPECT_NE(withRegisterLimits(text, {{"_Z6kernelv", 33}}).find(".maxnreg 40\n{"), std::string::npos);
  EXPECT_NE(withRegisterLimits(leanUnitOf(oneAccess()), {}).find(".maxnreg 64\n{"), std::string::npos);
  // Their functions keep to the convention.
  const std::string preserving = withPreservedRegisters(text);
  EXPECT_EQ(preserving.find(std::string(leanSuffix) + "\n(\n\t.param .b64 a_param_0\n)\n\n.abi_preserve"),
            std::string::npos);
  EXPECT_NE(preserving.find(std::string(warpInMode) + "\n(\n\t.param .b64 a_param_0\n)\n\n.abi_preserve 6"),
            std::string::npos)
      << preserving;
}

TEST(LeanKernels, HaveAModuleOfTheirOwn) {
  const std::string module = std::string(".weak .func ") + warpInMode + "(\n\t.param .b64 " + warpInMode +
                             "_param_0\n)\n{\n" + calling(warpTraced) + "\tmov.u32 %r1, %tid.x;\n\tret;\n}\n";
  const std::string lean(leanSuffix);
  EXPECT_EQ(leanModule(module), std::string(".weak .func ") + warpInMode + lean + "(\n\t.param .b64 " +
                                    warpInMode + "_param_0" + lean + "\n)\n{\n" + calling(warpTraced + lean) +
                                    "\tmov.u32 %r1, %tid.x;\n\tret;\n}\n");
  EXPECT_TRUE(isLeanName(warpInMode + lean));
  EXPECT_FALSE(isLeanName(warpInMode));
  EXPECT_FALSE(isLeanName("_Z3own" + lean));
}

}  // namespace
}  // namespace cui::cli
