// Values that are in memory until a loop's records ask for them, and answers that are kept from one time
// round the loop to the next: which, and that a warp (ptx_warp.h) comes to the same with and without.
#include "cli/compile/rare_values.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/base/replaced_text.h"
#include "cuinstrument/format/access_key.h"
#include "kernel_text.h"
#include "ptx_warp.h"

namespace cui::cli::rare_values {
namespace {

using namespace kernel_text;

constexpr const char* otherwise =
    "_ZN3cui7backend15recordFixedLoopILi7EEEvRKNS0_10DeviceUnitEPKNS_9LoopPlaceEjj";
constexpr unsigned rounds = 5;

/// Four questions, of what %r2, %r3 and %rd2 are to other lanes; the last word of each is how many lanes.
const char* const questions = R"(	mov.u32 	%r30, 0;
	mov.u32 	%r31, 31;
	mov.u32 	%r32, -1;
	shfl.sync.idx.b32 	%r33|%p10, %r2, %r30, %r31, %r32;
	add.s32 	%r34, %r33, %r3;
	shfl.sync.idx.b32 	%r35|%p11, %r34, %r30, %r31, %r32;
	mov.u32 	%r36, %ntid.x;
	and.b32 	%r37, %r36, 31;
	shfl.sync.idx.b32 	%r38|%p12, %r3, %r37, %r31, -1;
	cvt.u64.u32 	%rd7, %r38;
	add.s64 	%rd8, %rd2, %rd7;
	cvt.u32.u64 	%r39, %rd8;
	shfl.sync.idx.b32 	%r40|%p13, %r39, %r37, %r31, %r32;
	setp.eq.s32 	%p14, %r40, %r35;
)";
/// What differs each time: of %r20, which counts them.
const char* const changing = R"(	add.s32 	%r41, %r20, %r40;
	shfl.sync.idx.b32 	%r42|%p15, %r41, %r30, %r31, %r32;
	add.s64 	%rd9, %rd8, 4;
)";

/// A kernel with such a loop. Where the vote says no, another call is asked for what %rd3 and %r3 are.
std::string kernelAsking(const std::string& asks, const std::string& inFront = "") {
  const std::string call =
      replaced(calling(gathered, {"%rd1", "%r33", "%rd9", "%r35", "%r42", "%r40", "%r20", "4", "8"}),
               "\t} // callseq", "\tld.param.b32 \t%r9, [retval0+0];\n\t} // callseq");
  return "{\n\tmov.u32 \t%r1, %laneid;\n\tshl.b32 \t%r2, %r1, 2;\n\tadd.s32 \t%r3, %r1, "
         "1000;\n\tmul.wide.u32 \t%rd2, %r1, 8;\n"
         "\tadd.s64 \t%rd3, %rd2, 4096;\n\tmov.u32 \t%r20, 0;\n" +
         inFront + "$L__BB0_1:\n\tsetp.eq.s32 \t%p1, %r20, 77;\n\t@%p1 bra \t$L__BB0_3;\n" + asks +
         "\tvote.sync.all.pred \t%p2, %p14, %r32;\n\tnot.pred \t%p3, %p2;\n\t@%p3 bra \t$L__BB0_3;\n" + call +
         "\tbra.uni \t$L__BB0_4;\n$L__BB0_3:\n" + calling(otherwise, {"%rd3", "%r3", "%r20"}) +
         "$L__BB0_4:\n\tadd.s32 \t%r20, %r20, 1;\n\tsetp.lt.s32 \t%p8, %r20, " + std::to_string(rounds) +
         ";\n\t@%p8 bra \t$L__BB0_1;\n}\n";
}

/// What calls were asked with, by all lanes, in order; and how many questions there were.
struct Calls {
  std::vector<std::string> all;
  unsigned shuffles = 0;
};
Calls run(const std::string& body, unsigned width) {
  PtxWarp warp(body);
  warp.constants = {{format::notesBarriersAt, 0}};
  for (unsigned lane = 0; lane < warpLanes; ++lane) {
    warp.at("%laneid", lane) = lane;
    warp.at("%ntid.x", lane) = width;
  }
  Calls calls;
  warp.call = [&](const std::string& function, std::uint32_t lanes) {
    std::string call = function == otherwise ? "otherwise" : "gathered";
    for (unsigned lane = 0; lane < warpLanes; ++lane) {
      EXPECT_EQ(lanes, ~0u);
      for (unsigned operand = 0; operand < (function == otherwise ? 3 : 9); ++operand)
        call += " " + std::to_string(warp.at("param" + std::to_string(operand), lane));
      warp.at("retval0", lane) = 1;
    }
    calls.all.push_back(call);
  };
  EXPECT_EQ(warp.run(~0u), "");
  calls.shuffles = warp.asked["shfl"];
  return calls;
}
std::string changed(const std::string& body) {
  return withRareValuesAway(body, state);
}

TEST(RareValues, AreInMemoryUntilTheyAreAskedFor) {
  const std::string body = changed(kernelAsking("\tsetp.eq.s32 \t%p14, %r1, 1;\n\tmov.u32 \t%r32, -1;\n"));
  // %rd3 by the other call alone; the product is in front of the loop what it is computed of.
  EXPECT_EQ(count(body, "st.local.u64 [%away+8], %rd3;"), 1u) << body;
  EXPECT_EQ(count(body, "ld.local.u64 %cuirare1, [%away+8];"), 1u);
  EXPECT_EQ(count(body, "\tst.param.b64 \t[param0+0], %cuirare1;"), 1u);
  EXPECT_EQ(count(body, "st.local.u32 [%away+0], %r3;"), 1u);
  EXPECT_EQ(count(body, "st.local"), 2u);
  EXPECT_EQ(run(body, 8).all,
            run(kernelAsking("\tsetp.eq.s32 \t%p14, %r1, 1;\n\tmov.u32 \t%r32, -1;\n"), 8).all);
}

TEST(RareValues, AreNotThoseThatTheLoopAsksFor) {
  const std::string asks =
      "\tadd.s64 \t%rd20, %rd3, 1;\n\tsetp.eq.s32 \t%p14, %r3, 1;\n\tmov.u32 \t%r32, -1;\n";
  EXPECT_EQ(changed(kernelAsking(asks)), kernelAsking(asks));
  // Nor what is set again, or by some lanes only.
  const std::string again = "\tadd.s64 \t%rd3, %rd2, 8;\n\t@%p1 add.s32 \t%r3, %r1, 8;\n";
  EXPECT_EQ(count(changed(kernelAsking("\tmov.u32 \t%r32, -1;\n", again)), "cuirare"), 0u);
}

TEST(KeptAnswers, AreAskedForOnce) {
  for (const unsigned width : {8u, 32u}) {
    const std::string before = kernelAsking(std::string(questions) + changing), after = changed(before);
    const Calls as = run(before, width), kept = run(after, width);
    EXPECT_EQ(kept.all, as.all) << after;
    EXPECT_EQ(as.all.size(), rounds);
    EXPECT_EQ(as.shuffles, 5 * rounds);
    EXPECT_EQ(kept.shuffles, 4 + rounds);
  }
}

TEST(KeptAnswers, AreTheSameWhereTheVoteSaysNo) {
  // Then %p14 is kept, and what the other call is asked with is loaded.
  const std::string apart = replaced(std::string(questions), "%r40, %r35;", "%r40, %r1;");
  const std::string before = kernelAsking(apart + changing), after = changed(before);
  EXPECT_EQ(run(after, 8).all, run(before, 8).all);
  EXPECT_NE(run(after, 8).all.front().find("otherwise"), std::string::npos);
  EXPECT_GT(count(after, "cuirare"), 0u);
}

TEST(KeptAnswers, AreNotThoseOfWhatChanges) {
  // All questions go back to one of the loop's own.
  const std::string asks = replaced(std::string(questions), "%r2, %r30", "%r20, %r30");
  const std::string body = changed(kernelAsking(asks + changing));
  EXPECT_EQ(run(body, 8).shuffles, 5 * rounds) << body;
  // Or to lanes that are not all of the warp.
  const std::string some = replaced(std::string(questions), "%r32, -1;", "%r32, 65535;");
  EXPECT_EQ(count(changed(kernelAsking(some + changing)), "cuiOnce"), 0u);
  // Or to a clock.
  const std::string clock = replaced(std::string(questions), "%ntid.x", "%clock");
  EXPECT_EQ(count(changed(kernelAsking(clock + changing)), "cuiOnce"), 0u);
}

TEST(KeptAnswers, AreOfQuestionsInFrontOfTheCallOnly) {
  std::string body = kernelAsking(std::string(questions) + changing);
  body = replaced(body, gathered, otherwise);
  EXPECT_EQ(count(changed(body), "cuiOnce"), 0u);
}

}  // namespace
}  // namespace cui::cli::rare_values
