// Which kernels have one beside them that keeps sums in registers, and what stands in its calls' place.
#include "cli/compile/tallied_kernels.h"

#include <gtest/gtest.h>

#include "cli/compile/plain_kernels.h"
#include "cli/compile/unit_state.h"
#include "kernel_text.h"

namespace cui::cli::tallied_kernels {
namespace {

using namespace kernel_text;

constexpr const char* untallied = "_ZN3cui7backend15recordUntalliedILi7EEEvRKNS0_10DeviceUnitEjyj";
constexpr const char* adds = "_ZN3cui7backend8addTallyILi7EEEvRKNS0_10DeviceUnitEjjyjjjj";

std::string access(unsigned site, unsigned space, const std::string& bytes = "4",
                   const std::string& time = "") {
  return accessBy(one, site, space, bytes, time);
}
std::string tallied(const std::string& inLoop, const std::string& inFront = "") {
  return talliedKernels(unitOf(kernelOf(inLoop, inFront)));
}
TEST(TalliedKernels, HaveWhatAccessesCostInPlaceOfCalls) {
  const std::string kernel = tallied(access(5, 1) + access(6, 2));
  EXPECT_NE(kernel.find(".visible .entry _Z6kernelv$cuiTallied("), std::string::npos) << kernel;
  EXPECT_EQ(count(kernel, one), 0u) << kernel;
  EXPECT_EQ(count(kernel, "activemask.b32 %cuir"), 2u);  // at the accesses
  // Sectors, wavefronts: where these lie in two rows of banks, they are two words.
  EXPECT_EQ(count(kernel, "add.s64 %cuic64s0, %cuic64s0"), 1u);
  EXPECT_EQ(count(kernel, "add.s32 %cuic32s1, %cuic32s1"), 1u);
  // Full or otherwise not for a tally, and at the kernel's end.
  EXPECT_EQ(count(kernel, called(adds)), 4u);
  EXPECT_EQ(count(kernel, called(untallied)), 2u);
  EXPECT_NE(kernel.find(std::string(".extern .func ") + adds), std::string::npos);
  EXPECT_EQ(count(kernel, "add.s32 %key, %key, 41;"), 2u);  // 5 << 3 | 1
}

TEST(TalliedKernels, AreOfTheSmallestOfVeryManyKernels) {
  const std::string smallUnit = unitOf(kernelOf(access(5, 1) + access(6, 2))),
                    largeUnit = unitOf(kernelOf(access(5, 1) + access(6, 2) + access(7, 2)));
  const std::size_t begin = smallUnit.find(".visible .entry");
  const auto named = [begin](const std::string& unit, unsigned number) {
    std::string kernel = unit.substr(begin);
    return kernel.replace(kernel.find("_Z6kernelv"), 10, "_Z6kernelv" + std::to_string(number));
  };
  const auto textOf = [&](unsigned kernels, unsigned large, std::size_t room = 0) {
    std::string all = smallUnit.substr(0, begin);
    for (unsigned i = 0; i < kernels; ++i) all += named(i == large ? largeUnit : smallUnit, i);
    return room == 0 ? talliedKernels(all) : talliedKernels(all, room);
  };
  const auto has = [](const std::string& text, unsigned number) {
    return text.find("_Z6kernelv" + std::to_string(number) + "$cuiTallied(") != std::string::npos;
  };
  constexpr std::size_t most = 2'097'152;
  constexpr unsigned none = 1000;
  const std::size_t one = textOf(2, none).size() - textOf(1, none).size();
  const std::string few = textOf(40, 0), many = textOf(400, 0);
  EXPECT_EQ(count(few, "$cuiTallied("), 40u);
  EXPECT_TRUE(has(few, 0));
  EXPECT_LT(many.size(), most + 4096);
  EXPECT_GT(many.size(), most - 2 * one);
  EXPECT_FALSE(has(many, 0));  // the larger one
  EXPECT_TRUE(has(many, 1));
  EXPECT_FALSE(has(many, 399));
  EXPECT_LT(many.find("_Z6kernelv1$cuiTallied("), many.find("_Z6kernelv2$cuiTallied("));
  EXPECT_EQ(count(textOf(40, 0, 5 * one + one / 2), "$cuiTallied("), 5u);
}

// Eight times what nvcc itself compiles, but some for the smallest files, too.
TEST(TalliedKernels, HaveRoomInProportionToTheUnitsOwnCode) {
  EXPECT_EQ(roomBeside(100'000), 800'000u);
  EXPECT_EQ(roomBeside(3'000), 196'608u);
  EXPECT_EQ(roomBeside(1'000'000), mostTextBeside);
  ASSERT_EQ(::setenv("CUINSTRUMENT_MODE_KERNELS", "all", 1), 0);
  const std::size_t all = roomBeside(3'000);
  ::unsetenv("CUINSTRUMENT_MODE_KERNELS");
  EXPECT_EQ(all, mostTextBeside);
}

TEST(TalliedKernels, OnlyWhereAddressesAreKnownToBeNarrowIsThereOneWindow) {
  EXPECT_EQ(count(tallied(access(6, 2)), "mov.u32 %cuiw0, -1;"), 2u);
  const std::string narrow = tallied("\tcvt.u64.u32 \t%rd6, %r4;\n" + access(6, 2));
  EXPECT_EQ(count(narrow, "mov.u32 %cuiw0, 0;"), 2u) << narrow;
  EXPECT_EQ(count(narrow, "xor.b32 %cuir4, %cuiw0"), 0u);
}

TEST(TalliedKernels, KeepWhatTheyCannotTally) {
  EXPECT_EQ(tallied(""), "");
  EXPECT_EQ(tallied(access(5, 0)), "");         // generic: known at run time only
  EXPECT_EQ(tallied(access(5, 2, "8")), "");    // takes several passes
  EXPECT_EQ(tallied(access(5, 1, "12")), "");   // not a power of two
  EXPECT_EQ(tallied(access(5, 1, "%r7")), "");  // unknown
  EXPECT_EQ(tallied("", access(5, 1)), "");     // once
  EXPECT_NE(tallied(access(5, 1, "32")), "");
  EXPECT_EQ(talliedKernels(unitOf(kernelOf(access(5, 1)), "sm_75")), "");  // no redux.sync
  // Beside those it has calls that preserve more.
  EXPECT_EQ(tallied(access(5, 1) + access(7, 0)), "");  // these take longer for it
  const std::string both = tallied(access(5, 1) + access(6, 1) + access(7, 0));
  EXPECT_EQ(count(both, called(untallied)), 3u) << both;
  EXPECT_EQ(count(both, one), 0u);
  std::string many;
  for (unsigned site = 10; site < 16; ++site) many += access(site, 1);
  EXPECT_NE(tallied(many), "");
  EXPECT_EQ(tallied(many + access(16, 1)), "");  // no registers for them
  for (unsigned time = 1; time <= 18; ++time) many += access(15, 1, "4", "t" + std::to_string(time));
  EXPECT_EQ(count(tallied(many), called(untallied)), 24u);   // the same site again
  EXPECT_EQ(tallied(many + access(15, 1, "4", "t19")), "");  // ptxas would take too long
}

/// Within one more loop, whose label has that number.
std::string inLoop(const std::string& text, const std::string& number) {
  const std::string label = "$L__BB0_" + number;
  return label + ":\n" + text + "\tsetp.lt.s32 \t%p" + number + ", %r3, %r2;\n\t@%p" + number + " bra \t" +
         label + ";\n\n";
}
TEST(TalliedKernels, AreInMemoryWhileOthersAreCalledFarOutsideOfTheirLoops) {
  const std::string other = calling(loop, {"%rd1", "%k9", "%rd2", "4", "4", "%r2"});
  const auto timesAway = [](const std::string& text) {
    EXPECT_EQ(count(text, "st.local.v4.u32 [%away+16], {%cuin0, %cuia0, %cuib0, %cuiw0};"),
              count(text, "ld.local.v4.u32 {%cuin0, %cuia0, %cuib0, %cuiw0}, [%away+16];"));
    return count(text, "[%away+16], {");
  };
  EXPECT_EQ(timesAway(tallied(access(5, 1) + other)), 0u);
  EXPECT_EQ(timesAway(tallied(other + inLoop(access(5, 1), "2"))), 0u);
  EXPECT_EQ(timesAway(tallied(inLoop(access(5, 1), "2"), other)), 0u);  // once
  const std::string far = tallied(other + inLoop(inLoop(access(5, 1), "3"), "2"));
  EXPECT_EQ(timesAway(far), 2u) << far;                       // also where a tally is full
  EXPECT_EQ(count(far, "st.local.u32 [%away], %cuil;"), 1u);  // it stays as it is
  const std::size_t called = far.find(std::string(loop) + ", ");
  ASSERT_NE(called, std::string::npos);
  EXPECT_LT(far.find("[%away+16], {"), called);
  EXPECT_LT(called, far.find("}, [%away+16];"));
}

TEST(TalliedKernels, BeginBehindCallsInFrontOfAllAccesses) {
  const std::string other = calling(loop, {"%rd1", "%k9", "%rd2", "4", "4", "%r2"});
  const auto begins = [](const std::string& text) { return count(text, "mov.u32 %cuin0, 0;"); };
  const std::size_t usual = begins(tallied(access(5, 1)));
  const std::string text = tallied(access(5, 1), other);
  EXPECT_EQ(begins(text), usual + 1) << text;
  const std::size_t call = text.find(std::string(loop) + ", ");
  EXPECT_LT(call, text.find("mov.u32 %cuin0, 0;", call));
  EXPECT_LT(text.find("mov.u32 %cuin0, 0;", call), text.find("activemask.b32 %cuir0"));
  // Not where accesses may have been tallied: between two loops, and in one.
  EXPECT_EQ(begins(tallied(inLoop(access(5, 1), "2") + other)), usual);
  EXPECT_EQ(begins(tallied("", inLoop(access(5, 1), "2") + other)), usual);
  // A few tallies live in registers, more do not.
  std::string many;
  for (unsigned site = 5; site < 9; ++site) many += access(site, 1);
  EXPECT_EQ(begins(tallied(many, other)), begins(tallied(many)));
}

TEST(TalliedKernels, LeaveAloneWhatIsRecordedInFrontOfLoops) {
  const std::string marked = "\t// begin inline asm\n\t// cuiUnlessTold\n\t// end inline asm\n";
  EXPECT_EQ(tallied(marked + access(5, 1)), "");
  const std::string record =
      "\tadd.s32 \t%k9, %r1, 41;\n" + calling(loop, {"%rd1", "%k9", "%rd2", "4", "4", "%r2"});
  EXPECT_EQ(tallied(access(5, 1), record), "");  // the same key
  EXPECT_NE(tallied(access(6, 1), record), "");
  // Not what a trace would record there.
  const std::string traces = access(5, 1) + calling(traced, {"%rd1", "%k5", "%rd5", "4"});
  EXPECT_NE(tallied(traces), "");
}

TEST(TalliedKernels, AreLeftOutWhereTheirEndIsNotKnown) {
  EXPECT_EQ(tallied(access(5, 1) + "\t@%p2 ret;\n"), "");
  EXPECT_EQ(tallied(access(5, 1) + "\t@%p2 exit;\n"), "");
  EXPECT_EQ(tallied(access(5, 1) + "\tbrx.idx \t%r3, table;\n"), "");
  const std::string ends = tallied(access(5, 1) + "\t@%p2 bra \t$L__BB0_1;\n\n\tret;\n\n$L__BB0_2:\n");
  EXPECT_EQ(count(ends, called(adds)), 3u) << ends;  // both ends
}

TEST(TalliedKernels, SeveralOfAnExpressionAreOneAfterTheOther) {
  const std::string keys = "\tadd.s32 \t%k1, %r1, 9;\n\tadd.s32 \t%k2, %r1, 18;\n";
  const std::string text =
      tallied(keys + calling(two, {"%rd1", "%k1", "%rd2", "%k2", "%rd3", "262152"}));  // 8 | 4 << 16
  EXPECT_EQ(count(text, two), 0u) << text;
  EXPECT_EQ(count(text, "mov.b64 {%cuir1, %cuir2}, %rd2;"), 1u);
  EXPECT_EQ(count(text, "and.b32 %cuir4, %cuir1, 7;"), 1u);  // 8 bytes are aligned
  EXPECT_EQ(count(text, "mov.b64 {%cuir12, %cuir13}, %rd3;"), 1u);
}

TEST(TalliedKernels, LoadWhatFollowsFirst) {
  const std::string load = "\tadd.s64 \t%rd7, %rd5, 4;\n\tld.global.u32 \t%r5, [%rd7];\n";
  const std::string text = tallied(access(5, 1) + load + "\tst.global.u32 \t[%rd8], %r5;\n");
  EXPECT_LT(text.find("ld.global.u32 \t%r5"), text.find("activemask.b32 %cuir0"));
  EXPECT_GT(text.find("st.global.u32"), text.find("activemask.b32 %cuir0"));
  // Not what others may change meanwhile, nor what the access has been given.
  const auto stays = [](const std::string& behind) {
    const std::string all = tallied(access(5, 1) + behind);
    return all.find("[%rd7]") > all.find("activemask.b32 %cuir0");
  };
  EXPECT_TRUE(stays("\tld.volatile.global.u32 \t%r5, [%rd7];\n"));
  EXPECT_TRUE(stays("\tatom.global.add.u32 \t%r5, [%rd7], 1;\n"));
  EXPECT_TRUE(stays("\tadd.s64 \t%rd5, %rd5, 4;\n\tld.global.u32 \t%r5, [%rd7];\n"));
  const std::string label = "$L__BB0_9:\n\tld.global.u32 \t%r5, [%rd7];\n";
  EXPECT_TRUE(stays(label + "\t@%p1 bra \t$L__BB0_9;\n"));
  EXPECT_TRUE(stays("\t@%p1 bra \t$L__BB0_9;\n" + label));
  // Behind a branch to there that is the only one.
  EXPECT_FALSE(stays("\tbra.uni \t$L__BB0_9;\n" + label));
  EXPECT_TRUE(stays("\t@%p1 ld.global.u32 \t%r5, [%rd7];\n"));
}

TEST(TalliedKernels, KnowTheMode) {
  const UnitState of = {state, 112};
  const std::string ask = "\tld.const.u32 \t%r1, [" + std::string(state) + "+12];\n\tmov.u32 \t%r2, %r1;\n";
  EXPECT_EQ(inProfiles(ask + "\tand.b32 \t%r3, %r2, -536870912;\n", of),
            ask + "\tmov.u32 \t%r3, -2147483648;\n");
  EXPECT_EQ(inProfiles(ask + "\tand.b32 \t%r3, %r2, 1073741824;\n", of), ask + "\tmov.u32 \t%r3, 0;\n");
  EXPECT_EQ(inProfiles(ask + "\tsetp.lt.s32 \t%p1, %r2, 0;\n", of), ask + "\tmov.pred \t%p1, -1;\n");
  for (const std::string other : {"\tand.b32 \t%r3, %r2, 7;\n", "\tand.b32 \t%r3, %r9, -536870912;\n"})
    EXPECT_EQ(inProfiles(ask + other, of), ask + other);
  const std::string blocks = "\tld.const.u32 \t%r4, " + word(20) + ";\n";
  EXPECT_EQ(inProfiles(blocks + "\tsetp.lt.u32 \t%p1, %r5, %r4;\n\tsetp.ge.u32 \t%p2, %r5, %r4;\n", of),
            blocks + "\tmov.pred \t%p1, -1;\n\tmov.pred \t%p2, 0;\n");
  EXPECT_EQ(inProfiles(blocks + "\tsetp.eq.s32 \t%p1, %r4, 0;\n", of), blocks + "\tmov.pred \t%p1, 0;\n");
  // Loaded on two ways it is the same, but not where it may be something else.
  EXPECT_EQ(inProfiles(blocks + blocks + "\tsetp.lt.u32 \t%p1, %r5, %r4;\n", of),
            blocks + blocks + "\tmov.pred \t%p1, -1;\n");
  const std::string changes = blocks + "\tmov.u32 \t%r4, %r8;\n\tsetp.lt.u32 \t%p1, %r5, %r4;\n";
  EXPECT_EQ(inProfiles(changes, of), changes);
  EXPECT_EQ(inProfiles("\tld.const.u32 \t%r1, " + word(24) + ";\n", of), "\tmov.u32 \t%r1, 0;\n");
}

TEST(TalliedKernels, AreKnownByTheirNames) {
  const std::string unit = unitOf(kernelOf(access(5, 1)));
  EXPECT_EQ(otherKernelsIn(withOtherKernels(unit)).count("_Z6kernelv$cuiTallied"), 1u);
}

}  // namespace
}  // namespace cui::cli::tallied_kernels
