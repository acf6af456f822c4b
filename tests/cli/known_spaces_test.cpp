// Which questions for a pointer's address space are answered in PTX, and that all others stay.
#include "cli/compile/known_spaces.h"

#include <gtest/gtest.h>

#include "kernel_text.h"

namespace cui::cli::known_spaces {
namespace {

using namespace kernel_text;

/// What stands of `question` about %rd9, which `setting` sets, in a kernel with a shared array at %rd1 and a
/// parameter at %rd2.
std::string afterwards(const std::string& setting, const std::string& question = "isspacep.shared") {
  const std::string asked = "\t" + question + " \t%p1, %rd9;\n";
  const std::string begin =
      "{\n\tld.param.u64 \t%rd2, [_Z6kernelv_param_0];\n\tld.param.u64 \t%rd3, [_Z6kernelv_param_1];\n"
      "\tmov.u32 \t%r1, values;\n\t{ .reg .b64 %tmp;\n\t  cvt.u64.u32 \t%tmp, %r1;\n\t  cvta.shared.u64 "
      "\t%rd1, "
      "%tmp; }\n\tcvta.to.global.u64 \t%rd4, %rd2;\n\tmul.wide.s32 \t%rd5, %r2, 4;\n";
  const std::string unit = unitOf(begin + setting + asked + "\tret;\n}\n");
  const std::string result = withKnownSpaces(unit);
  const std::size_t at = unit.find(asked);
  EXPECT_EQ(result.substr(0, at), unit.substr(0, at));
  const std::size_t end = result.find('\n', at);
  EXPECT_EQ(result.substr(end), unit.substr(at + asked.size() - 1));
  return result.substr(at, end - at) == asked.substr(0, asked.size() - 1) ? "asked"
                                                                          : result.substr(at, end - at);
}
constexpr const char *yes = "\tmov.pred \t%p1, -1;", *no = "\tmov.pred \t%p1, 0;";

TEST(KnownSpaces, OfSharedVariables) {
  EXPECT_EQ(afterwards("\tadd.s64 \t%rd9, %rd1, %rd5;\n"), yes);
  EXPECT_EQ(afterwards("\tadd.s64 \t%rd9, %rd1, %rd5;\n", "isspacep.global"), no);
  EXPECT_EQ(afterwards("\tadd.s64 \t%rd8, %rd1, %rd5;\n\tadd.s64 \t%rd9, %rd8, -64;\n"), yes);
  EXPECT_EQ(afterwards("\tmad.wide.s32 \t%rd9, %r2, 4, %rd1;\n", "isspacep.local"), no);
  EXPECT_EQ(afterwards("\tsub.s64 \t%rd9, %rd1, %rd5;\n"), yes);
}

TEST(KnownSpaces, OfWhatParametersPointTo) {
  EXPECT_EQ(afterwards("\tadd.s64 \t%rd9, %rd2, %rd5;\n", "isspacep.global"), yes);
  for (const char* space : {"shared", "local", "const", "param"})
    EXPECT_EQ(afterwards("\tmov.u64 \t%rd9, %rd2;\n", std::string("isspacep.") + space), no) << space;
  // Of which nvcc does not say so: perhaps a number.
  EXPECT_EQ(afterwards("\tadd.s64 \t%rd9, %rd3, %rd5;\n", "isspacep.global"), "asked");
}

TEST(KnownSpaces, OfAChoiceOfOneAndNone) {
  EXPECT_EQ(afterwards("\tselp.b64 \t%rd9, %rd1, 0, %p2;\n"), yes);
  EXPECT_EQ(afterwards("\tselp.b64 \t%rd9, %rd1, %rd2, %p2;\n"), "asked");
  EXPECT_EQ(afterwards("\tselp.b64 \t%rd9, %rd2, %rd7, %p2;\n", "isspacep.global"), "asked");
}

TEST(KnownSpaces, OfPointersThatLoopsMove) {
  const std::string loops = "\tmov.u64 \t%rd9, %rd1;\n$L__BB0_1:\n\tadd.s64 \t%rd9, %rd9, 4;\n";
  EXPECT_EQ(afterwards(loops), yes);
  EXPECT_EQ(afterwards(loops + "\tmov.u64 \t%rd9, %rd2;\n"), "asked");
  EXPECT_EQ(afterwards(loops + "\tld.global.u64 \t%rd9, [%rd4];\n"), "asked");
  EXPECT_EQ(afterwards(loops + "\tld.global.v2.u64 \t{%rd8, %rd9}, [%rd4];\n"), "asked");
}

TEST(KnownSpaces, NotOfWhatComesFromElsewhere) {
  EXPECT_EQ(afterwards("\tld.global.u64 \t%rd9, [%rd4];\n"), "asked");
  EXPECT_EQ(afterwards("\tadd.s64 \t%rd9, %rd1, %rd2;\n"), "asked");  // which of them is a distance?
  EXPECT_EQ(afterwards("\tadd.s64 \t%rd9, %rd1, %rd7;\n"), "asked");  // which nothing sets
  EXPECT_EQ(afterwards("\tsub.s64 \t%rd8, %rd1, %rd2;\n\tadd.s64 \t%rd9, %rd2, %rd8;\n"), "asked");
  EXPECT_EQ(afterwards("\tmov.b64 \t%rd9, {%r3, %r4};\n"), "asked");
  EXPECT_EQ(afterwards("\tand.b64 \t%rd9, %rd1, -16;\n"), "asked");
  EXPECT_EQ(afterwards("\tmov.u64 \t%rd9, 4096;\n"), "asked");
  EXPECT_EQ(afterwards("\t@%p3 mov.u64 \t%rd9, %rd1;\n\t@!%p3 mov.u64 \t%rd9, %rd6;\n"), "asked");
}

TEST(KnownSpaces, OfNone) {
  EXPECT_EQ(afterwards("\tmov.u64 \t%rd9, 0;\n", "isspacep.local"), no);
  EXPECT_EQ(afterwards("\tmov.u64 \t%rd9, 0;\n", "isspacep.global"), "asked");
  EXPECT_EQ(afterwards("\tmov.u64 \t%rd9, 0;\n\tmov.u64 \t%rd9, %rd7;\n", "isspacep.local"), "asked");
}

TEST(KnownSpaces, TheWordThatIsZero) {
  const std::string load = "\tld.const.u32 \t%r5, " + word(72) + ";\n",
                    other = "\tld.const.u32 \t%r6, " + word(68) + ";\n";
  const std::string ask = "\tisspacep.shared \t%p1, %rd9;\n";
  const std::string result = withKnownSpaces(unitOf("{\n" + load + other + ask + "\tret;\n}\n"));
  EXPECT_EQ(result, unitOf("{\n\tmov.u32 \t%r5, 0;\n" + other + ask + "\tret;\n}\n"));
  // Functions are left alone: what they are called with is not known.
  const std::string function =
      ".func _Z3ownv(\n\t.param .b64 own_param_0\n)\n{\n" + load + ask + "\tret;\n}\n";
  const std::string unit = unitOf("{\n\tret;\n}\n") + function;
  EXPECT_EQ(withKnownSpaces(unit), unit);
}

}  // namespace
}  // namespace cui::cli::known_spaces
