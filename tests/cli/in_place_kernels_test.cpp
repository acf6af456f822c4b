// Which kernels have one beside them that writes its records itself, and what stands in its calls' place.
#include "cli/compile/in_place_kernels.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/base/replaced_text.h"
#include "cli/compile/plain_kernels.h"
#include "cli/compile/unit_state.h"
#include "kernel_text.h"

namespace cui::cli::in_place_kernels {
namespace {

using namespace kernel_text;

constexpr const char* records = "_ZN3cui7backend13recordAndHoldILi7EEEyRKNS0_10DeviceUnitEjyjyj";
constexpr const char* holds = "_ZN3cui7backend8holdAnewILi4EEEyRKNS0_10DeviceUnitEyj";
constexpr const char* putsBack = "_ZN3cui7backend12putChunkBackILi4EEEvRKNS0_10DeviceUnitEy";
constexpr const char* finds = "_ZN3cui7backend10findCountsILi4EEEyRKNS0_10DeviceUnitEjj";
constexpr const char* ends = "_ZN3cui7backend10endInPlaceILi4EEEvRKNS0_10DeviceUnitEyPKjj";

std::string access(unsigned site, unsigned space, const std::string& bytes = "4",
                   const std::string& time = "") {
  return accessBy(traced, site, space, bytes, time);
}
std::string allOf(const std::string& inLoop, const std::string& inFront = "") {
  return inPlaceKernels(unitOf(kernelOf(inLoop, inFront)));
}
constexpr const char *beginOfLogged = ".visible .entry _Z6kernelv$cuiLogged(",
                     *beginOfOthers = "$L__cuiOthers:";
/// The kernel for samples, which is the last one, in front of its second body; nothing: there is none.
std::string logged(const std::string& inLoop, const std::string& inFront = "") {
  const std::string kernels = allOf(inLoop, inFront);
  const std::size_t begin = kernels.find(beginOfLogged);
  if (begin == std::string::npos) return {};
  return kernels.substr(begin, kernels.find(beginOfOthers, begin) - begin);
}
std::string withOthers(const std::string& inLoop, const std::string& inFront = "") {
  const std::string kernels = allOf(inLoop, inFront);
  return kernels.substr(0, kernels.find(beginOfLogged));
}
/// In front of the body for blocks that are not recorded.
std::string inPlace(const std::string& inLoop, const std::string& inFront = "") {
  const std::string kernels = withOthers(inLoop, inFront);
  return kernels.substr(0, kernels.find(beginOfOthers));
}

TEST(InPlaceKernels, WriteRecordsInPlaceOfCalls) {
  const std::string kernel = inPlace(access(5, 1) + access(6, 2));
  EXPECT_NE(kernel.find(".visible .entry _Z6kernelv$cuiInPlace("), std::string::npos) << kernel;
  EXPECT_EQ(count(kernel, traced), 0u) << kernel;
  // Headers of lines of a warp and of a part, rows and a table, two halves each.
  EXPECT_EQ(count(kernel, "st.global.v4.u32"), 16u);
  EXPECT_EQ(count(kernel, "add.s32 %cuihc0, %cuihc0"), 4u);
  EXPECT_EQ(count(kernel, "add.s32 %cuihc1, %cuihc1"), 4u);
  EXPECT_EQ(count(kernel, called(holds)), 2u);    // where there is no room,
  EXPECT_EQ(count(kernel, called(records)), 2u);  // and none to be had
  // At the kernel's end, with all counts and then the sites' keys in the lane's own memory.
  EXPECT_EQ(count(kernel, called(ends)), 1u);
  EXPECT_EQ(count(kernel, "st.local.u32 [%away+20], %cuihc1;"), 1u);
  EXPECT_EQ(count(kernel, "st.local.u32 [%away+24], 41;"), 1u);  // 5 << 3 | 1
  EXPECT_EQ(count(kernel, "st.local.u32 [%away+28], 50;"), 1u);
  EXPECT_EQ(count(kernel, ".local .align 16 .b8 \tcuiAway[32];"), 1u);
  EXPECT_EQ(count(kernel, called(putsBack)), 0u);
  for (const char* function : {records, holds, putsBack, ends})
    EXPECT_EQ(count(kernel, std::string(" ") + function + "\n("), 1u) << function;
  EXPECT_EQ(count(kernel, "add.s32 %key, %key, 41;"), 1u);
}

TEST(InPlaceKernels, TablesHaveOffsetsOfAWord) {
  // Of shared memory these are surely so small.
  EXPECT_EQ(count(inPlace(access(6, 2)), "sub.s64"), 0u);
  EXPECT_EQ(count(inPlace(access(6, 1)), "sub.s64"), 2u);  // a whole warp's, and a part's
}

std::string loopBy(const char* function, const std::vector<std::string>& operands) {
  const std::string call = calling(function, operands);
  return replaced(call, "\t} // callseq", "\tld.param.b32 \t%r9, [retval0+0];\n\t} // callseq") +
         "\tsetp.ne.s32 \t%p3, %r9, 0;\n";
}
/// Of all of a loop's accesses.
std::string gatheredLoop(const std::string& count, const std::string& times = "%r8") {
  return loopBy(gathered, {"%rd1", "%k9", "%rd2", "%r4", "%r5", "%r6", "%r7", count, times});
}
TEST(InPlaceKernels, WriteLoopsInPlaceOfCalls) {
  const std::string kernel = inPlace(gatheredLoop("3") + gatheredLoop("8", "32"));
  EXPECT_NE(kernel.find("_Z6kernelv$cuiInPlace("), std::string::npos);
  // As it was, where there is no room, and chunks put back in front of it.
  EXPECT_EQ(count(kernel, called(gathered).substr(0, std::string(gathered).size())), 2u) << kernel;
  EXPECT_EQ(count(kernel, called(putsBack)), 2u);
  EXPECT_EQ(count(kernel, called(holds)), 2u);
  EXPECT_EQ(count(kernel, called(finds)), 2u);
  EXPECT_EQ(count(kernel, "red.global.add.u64 [%cuihg0], %times;"), 1u);
  EXPECT_EQ(count(kernel, "red.global.add.u64 [%cuihg1], %times;"), 1u);
  EXPECT_EQ(count(kernel, "add.s32 %cuihn, %cuihn, 4;"), 1u);
  EXPECT_EQ(count(kernel, "add.s32 %cuihn, %cuihn, 9;"), 1u);
  // The program goes on with what the call returns.
  const std::size_t set = kernel.find("mov.u32 %r9, 1;");
  ASSERT_NE(set, std::string::npos);
  EXPECT_LT(set, kernel.find("setp.ne.s32 \t%p3, %r9, 0;"));
  // Where counts are is not known any more behind other calls.
  EXPECT_EQ(count(kernel, "mov.u64 %cuihg1, 0;"), 3u);
}

TEST(InPlaceKernels, WriteLoopsOfOneAccess) {
  const std::string kernel =
      inPlace(loopBy(even, {"%rd1", "%k9", "%rd2", "%r4", "16", "%r8"}) + access(5, 2));
  EXPECT_NE(kernel.find("_Z6kernelv$cuiInPlace("), std::string::npos);
  // The call stands behind the body, for lanes that follow no rule and where there is no room.
  const std::string call = std::string("\t") + even;
  ASSERT_EQ(count(kernel, call), 1u) << kernel;
  EXPECT_GT(kernel.find(call), kernel.find("\n\tret;"));
  EXPECT_EQ(count(kernel, "bra $L__cuih_loop_otherwise0;"), 2u);
  EXPECT_EQ(count(kernel, "red.global.add.u64 [%cuihg0], %times;"), 1u);
  EXPECT_EQ(count(kernel, "add.s32 %cuihn, %cuihn, 2;"), 1u);
  EXPECT_EQ(count(kernel, "mov.u32 %r9, 1;"), 1u);
  EXPECT_EQ(count(kernel, "bfind.u32"), 0u);  // rows go by the call
}

TEST(InPlaceKernels, AreNotMadeForOtherLoops) {
  EXPECT_EQ(inPlace(gatheredLoop("%r3")), "");  // of unknown accesses
  std::string many;
  for (int loops = 0; loops < 8; ++loops) many += gatheredLoop("3");
  EXPECT_NE(inPlace(many), "");
  EXPECT_EQ(inPlace(many + gatheredLoop("3")), "");
  EXPECT_EQ(inPlace("", gatheredLoop("3")), "");  // once
}

/// An access of what `%r7` says, whose address is computed for it, as cicc does.
std::string accessOfPlace(unsigned site, unsigned space, const std::string& place = "%r7, %r8") {
  const std::string own = std::to_string(site);
  return "\tsub.s32 \t%w" + own + ", " + place + ";\n\tcvt.u64.u32 \t%rd" + own + ", %w" + own + ";\n" +
         access(site, space);
}
TEST(InPlaceKernels, AskForTheRuleOfWhatWasAccessedBefore) {
  const std::string alike = inPlace(accessOfPlace(5, 2) + accessOfPlace(6, 2) + accessOfPlace(7, 2));
  EXPECT_EQ(count(alike, ".reg .b32 \t%cuihk<3>;"), 1u) << alike;
  EXPECT_EQ(count(alike, "bra $L__cuih_again0;"), 1u);  // with another chunk
  EXPECT_EQ(count(alike, "bra $L__cuih_again1;"), 2u);  // also if its lanes are somewhere else
  EXPECT_EQ(count(alike, "bra $L__cuih_again2;"), 2u);
  EXPECT_EQ(count(alike, "mov.u32 %cuihk2, 0;"), 1u);        // of a line, by the first alone
  EXPECT_EQ(count(alike, "not.b32 %cuihk0, %cuihw0;"), 3u);  // a part's, tables, what others write
  // Two places, each for itself.
  const std::string other = accessOfPlace(8, 2, "%r7, %r9") + accessOfPlace(9, 2, "%r7, %r9");
  EXPECT_NE(inPlace(accessOfPlace(5, 2) + accessOfPlace(6, 2) + other).find("%cuihk<6>"), std::string::npos);
  // The place as it is or below the number of blocks that do the same.
  for (const char* blocks : {"shl.b64 \t%rd91, %rd92, 20", "mul.wide.u32 \t%rd91, %r92, 1048576"})
    EXPECT_NE(inPlace(accessOfPlace(5, 2) + "\t" + blocks + ";\n\tor.b64 \t%rd93, %rd91, %rd5;\n" +
                      replaced(access(6, 2), "%rd6", "%rd93"))
                  .find("%cuihk<3>"),
              std::string::npos);
  // Nothing is kept of other memory, nor for other places.
  EXPECT_EQ(count(inPlace(accessOfPlace(5, 1) + accessOfPlace(6, 1)), "%cuihk"), 0u);
  EXPECT_EQ(count(inPlace(accessOfPlace(5, 2) + accessOfPlace(6, 2, "%r7, %r9")), "%cuihk"), 0u);
}

TEST(InPlaceKernels, AreNotMadeWhereThatIsTooLittleOrTooMuch) {
  EXPECT_EQ(inPlace(""), "");
  EXPECT_EQ(inPlace("", access(5, 1)), "");     // once
  EXPECT_EQ(inPlace(access(5, 1, "%r7")), "");  // of unknown size
  const std::string unknown = calling(traced, {"%rd1", "%r9", "%rd5", "4"});
  EXPECT_EQ(inPlace(access(5, 1) + unknown), "");
  EXPECT_NE(inPlace(access(5, 1) + access(6, 1) + unknown), "");
  EXPECT_NE(inPlace(access(5, 0) + access(6, 3, "16")), "");               // any space and size
  EXPECT_EQ(inPlaceKernels(unitOf(kernelOf(access(5, 1)), "sm_75")), "");  // no redux.sync
  std::string many;
  for (unsigned site = 10; site < 18; ++site) many += access(site, 1);
  EXPECT_NE(inPlace(many), "");
  EXPECT_EQ(inPlace(many + access(18, 1)), "");
  for (unsigned time = 1; time <= 16; ++time) many += access(15, 1, "4", "t" + std::to_string(time));
  EXPECT_NE(inPlace(many), "");
  EXPECT_EQ(inPlace(many + access(15, 1, "4", "t17")), "");
}

TEST(InPlaceKernels, PutChunksBackInFrontOfOtherCalls) {
  const std::string record = calling(loop, {"%rd1", "%k9", "%rd2", "4", "4", "%r2"});
  const std::string text = inPlace(access(5, 1) + access(6, 1) + record);
  EXPECT_EQ(count(text, called(putsBack)), 1u) << text;
  const std::size_t other = text.find(std::string(loop) + ", ");
  ASSERT_NE(other, std::string::npos);
  EXPECT_LT(text.find(called(putsBack)), other);
  // What else is in registers, too, which such a function keeps few of.
  for (const char* away : {"st.local.u32 [%away+16], %cuihc0;", "st.local.u32 [%away+20], %cuihc1;"}) {
    EXPECT_EQ(count(text, away), 2u);  // and at the end
    EXPECT_LT(text.find(away), other);
  }
  for (const char* back : {"ld.local.u32 %cuihc1, [%away+20];", "%cuihwarp}, [%away];"}) {
    EXPECT_EQ(count(text, back), 1u);
    EXPECT_LT(other, text.find(back));
  }
}

TEST(InPlaceKernels, LeaveAloneWhatIsRecordedInFrontOfLoops) {
  const std::string marked = "\t// begin inline asm\n\t// cuiBesideLoop\n\t// end inline asm\n";
  EXPECT_EQ(inPlace(marked + access(5, 1)), "");
  // Also behind a question that has been answered.
  const std::string asked = marked + "\tbra.uni \t$L__BB0_7;\n$L__BB0_7:\n" + access(5, 1);
  EXPECT_EQ(inPlace(asked), "");
  EXPECT_NE(inPlace(marked + "\t@%p4 bra \t$L__BB0_7;\n\tbra.uni \t$L__BB0_8;\n$L__BB0_7:\n" + access(5, 1) +
                    "$L__BB0_8:\n"),
            "");
}

TEST(InPlaceKernels, KnowTheMode) {
  const UnitState of = {state, 112};
  const std::string ask = "\tld.const.u32 \t%r1, " + word(12) + ";\n\tmov.u32 \t%r2, %r1;\n";
  EXPECT_EQ(inTraces(ask + "\tand.b32 \t%r3, %r2, -536870912;\n", of, true), ask + "\tmov.u32 \t%r3, 0;\n");
  EXPECT_EQ(inTraces(ask + "\tsetp.lt.s32 \t%p1, %r2, 0;\n", of, true), ask + "\tmov.pred \t%p1, 0;\n");
  EXPECT_EQ(inTraces(ask + "\tsetp.gt.s32 \t%p1, %r2, -1;\n", of, true), ask + "\tmov.pred \t%p1, -1;\n");
  EXPECT_EQ(inTraces("\tld.const.u32 \t%r1, " + word(24) + ";\n", of, true), "\tmov.u32 \t%r1, 0;\n");
  // Which blocks are recorded has been asked before, but not whether all are.
  const std::string load = "\tld.const.u32 \t%r4, " + word(20) + ";\n";
  const std::string below = load + "\tsetp.lt.u32 \t%p1, %r5, %r4;\n",
                    notBelow = load + "\tsetp.ge.u32 \t%p1, %r5, %r4;\n";
  EXPECT_EQ(inTraces(below, of, true), load + "\tmov.pred \t%p1, -1;\n");
  EXPECT_EQ(inTraces(below, of, false), load + "\tmov.pred \t%p1, 0;\n");
  EXPECT_EQ(inTraces(notBelow, of, true), load + "\tmov.pred \t%p1, 0;\n");
  EXPECT_EQ(inTraces(notBelow, of, false), load + "\tmov.pred \t%p1, -1;\n");
  const std::string all = load + "\tsetp.gt.u32 \t%p1, %r4, 2147483647;\n",
                    any = load + "\tsetp.eq.s32 \t%p1, %r4, 0;\n";
  EXPECT_EQ(inTraces(all, of, true), all);
  EXPECT_EQ(inTraces(any, of, true), any);
}

/// In a block that is recorded.
std::string inRecordedBlocks(const std::string& text) {
  return "\tsetp.ge.u32 \t%p8, %r5, %r4;\n\t@%p8 bra \t$L__BB0_9;\n" + text + "$L__BB0_9:\n";
}
TEST(InPlaceKernels, AskOnceWhetherTheBlockIsRecorded) {
  const std::string load = "\tld.const.u32 \t%r4, " + word(20) + ";\n\t.shared .align 4 .b8 memory[64];\n";
  const std::string user = "\tst.shared.u32 \t[memory], %r6;\n";
  const std::string both = withOthers(inRecordedBlocks(access(5, 1)) + user, load);
  const std::size_t others = both.find("$L__cuiOthers:");
  ASSERT_NE(others, std::string::npos);
  EXPECT_EQ(count(both, "bra $L__cuiOthers;"), 1u) << both;
  EXPECT_EQ(count(both, "%p8 bra"), 0u);
  EXPECT_EQ(count(both, user), 2u);
  EXPECT_EQ(count(both, ".shared .align 4 .b8 memory"), 1u);  // or it would be there twice
  EXPECT_LT(both.find(".shared .align 4"), both.find(user));
  const std::string unrecorded = both.substr(others);
  EXPECT_EQ(count(unrecorded, "cui7backend"), 0u);
  EXPECT_EQ(count(unrecorded, "%cuih"), 0u);
  EXPECT_EQ(count(both, "{"), count(both, "}"));
}

TEST(InPlaceKernels, AskOnceWhoComesToAccessesOneBehindTheOther) {
  const std::string load = "\tld.shared.u32 \t%r7, [%r8];\n", compute = "\tadd.s32 \t%r6, %r5, 4;\n";
  const auto asks = [](const std::string& text) { return count(inPlace(text), "activemask.b32 %cuihx"); };
  const std::string first = access(5, 2), second = access(6, 2);
  EXPECT_EQ(asks(first + second), 1u);
  EXPECT_EQ(asks(first + load + compute + second), 1u);
  EXPECT_EQ(asks(first + "\tbra.uni \t$L__BB0_5;\n\n$L__BB0_5:\n" + second), 1u);
  EXPECT_EQ(asks(first + "\tst.shared.u32 \t[%r8], %r6;\n" + second), 1u);
  EXPECT_EQ(asks(first + "\t// begin inline asm\n\t// end inline asm\n" + second), 1u);
  // What is loaded in between comes behind both, what is only computed in front.
  const std::string together = inPlace(first + load + compute + second);
  EXPECT_LT(together.find(compute), together.find("activemask.b32 %cuihx0"));
  EXPECT_LT(together.find("$L__cuih_both_done0:"), together.find(load));
  // Two headers of lines at once, and where that is not so each by itself.
  EXPECT_EQ(count(together, "add.s32 %cuihn, %cuihn, 2;"), 1u) << together;
  // Not where other lanes may come, or not all do, or others wait.
  for (const char* between :
       {"$L__BB0_6:\n\t@%p4 bra \t$L__BB0_6;\n", "\t@%p4 bra \t$L__BB0_7;\n", "\tbar.sync \t0;\n",
        "\tatom.shared.add.u32 \t%r7, [%r8], 1;\n", "\tld.volatile.shared.u32 \t%r7, [%r8];\n",
        "\tmov.u32 \t%r7, %clock;\n", "\t// begin inline asm\n\tmov.u32 %r7, %smid;\n\t// end inline asm\n"})
    EXPECT_EQ(asks(std::string(first).append(between).append(second).append("$L__BB0_7:\n")), 2u) << between;
  // Nor where the second is at a place that is loaded first, or something else is where the first was.
  EXPECT_EQ(asks(first + "\tld.shared.u32 \t%r7, [%r8];\n\tcvt.u64.u32 \t%rd6, %r7;\n" + second), 2u);
  EXPECT_EQ(asks(first + "\tadd.s64 \t%rd5, %rd5, 4;\n" + second), 2u);
  EXPECT_EQ(asks(first + "\tst.shared.u32 \t[%r8], %r6;\n\tadd.s32 \t%r8, %r8, 4;\n" + second), 2u);
  EXPECT_EQ(asks(access(5, 1) + access(6, 1)), 2u);  // two words of each lane are asked for there
}

TEST(InPlaceKernels, KeepWhatSetsACallsOperands) {
  const std::string sets = "\tmov.b64 \t%rd5, {%r2, %r3};\n", place = "\tst.param.b64 \t[param2+0]";
  const std::string call = replaced(access(5, 2), place, sets + place);
  for (const std::string& text : {call, access(6, 2) + call, call + access(6, 2)})
    EXPECT_EQ(count(inPlace(text), sets), 1u) << inPlace(text);
}

constexpr const char* logsAnew = "_ZN3cui7backend7logAnewILi4EEEjRKNS0_10DeviceUnitEjjPKyjPjj";
constexpr const char* endsLog = "_ZN3cui7backend9endLoggedILi4EEEvRKNS0_10DeviceUnitEyPKjjj";
constexpr const char* entry = "st.global.L1::no_allocate.v4.u32";

TEST(LoggedKernels, WriteAnEntryForEachAccess) {
  const std::string kernel = logged(access(5, 1) + access(6, 1, "8"));
  EXPECT_EQ(count(kernel, traced), 0u) << kernel;
  EXPECT_EQ(count(kernel, entry), 2u);
  EXPECT_EQ(count(kernel, ".sync"),
            1u);  // nothing is asked of other lanes but their numbers, at the beginning
  EXPECT_EQ(count(kernel, "@%cuihy0 add.s32 %cuihc0, %cuihc0"), 1u);
  EXPECT_EQ(count(kernel, "@%cuihy2 add.s32 %cuihc1, %cuihc1"), 1u);
  EXPECT_EQ(count(kernel, called(logsAnew)), 2u);  // where there is no room,
  EXPECT_EQ(count(kernel, called(records)), 2u);   // and none to be had
  EXPECT_EQ(count(kernel, called(endsLog)), 1u);
  EXPECT_EQ(count(kernel, called(ends)), 0u);
  // What the accesses are: 5 << 3 | 1 of four bytes, 6 << 3 | 1 of eight.
  EXPECT_EQ(count(allOf(access(5, 1) + access(6, 1, "8")),
                  ".global .align 8 .u64 _Z6kernelv$cuiAccesses[2] = {17179869225, 34359738417};\n"),
            1u);
}

TEST(LoggedKernels, WriteOneEntryForTwoAccessesOfSharedMemory) {
  const std::string two = logged(access(5, 2) + access(6, 2));
  EXPECT_EQ(count(two, entry), 1u) << two;
  EXPECT_EQ(count(two, "add.s32 %cuihw8, %cuihtag, 32;"), 1u);
  EXPECT_EQ(count(two, "%cuihlog, 255;"), 1u);  // one row on
  const std::string three = logged(access(5, 2) + access(6, 2) + access(7, 2));
  EXPECT_EQ(count(three, entry), 2u) << three;
  EXPECT_EQ(count(three, "%cuihlog, 510;"), 1u);
  EXPECT_EQ(count(three, "setp.ge.u32 %cuihq0, %cuihw7, 2;"), 2u);  // there and behind the body
}

TEST(LoggedKernels, KeepWhereTheyAreRoundOtherCalls) {
  const std::string kernel =
      logged(access(5, 1) + access(6, 1) + calling(loop, {"%rd1", "%k9", "%rd2", "4", "4", "%r2"}));
  EXPECT_EQ(count(kernel, "{%cuihlog, %cuihtag}"), 3u) << kernel;  // at the beginning, and round the call
}

TEST(LoggedKernels, AreBesideThoseThatHaveAccessesOfTheirOwn) {
  EXPECT_EQ(logged(gatheredLoop("3")), "");  // in samples, too, it writes its records
  EXPECT_NE(inPlace(gatheredLoop("3")), "");
  EXPECT_NE(logged(gatheredLoop("3") + access(5, 1)), "");
}

TEST(InPlaceKernels, HaveTheirPlaceInTheProgramsGrid) {
  const std::string unit = unitOf(kernelOf(access(5, 1)));
  const std::string all = withOtherKernels(unit);
  EXPECT_EQ(otherKernelsIn(all).count("_Z6kernelv$cuiInPlace"), 1u);
  const std::string kernel = all.substr(all.find("$cuiInPlace("));
  EXPECT_NE(kernel.find("mov.u32 %other, %cuir1;"), std::string::npos) << kernel;
  EXPECT_NE(inPlaceKernels(unit).find("mov.u32 %other, %ctaid.x;"), std::string::npos);
}

}  // namespace
}  // namespace cui::cli::in_place_kernels
