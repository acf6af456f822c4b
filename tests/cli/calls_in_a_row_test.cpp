// Which calls of a unit's PTX become one.
#include "cli/compile/calls_in_a_row.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cui::cli::calls_in_a_row {
namespace {

const std::string recordAtSite = "_ZN3cui7backend12recordAtSiteILi7EEEvRKNS0_10DeviceUnitEjPKvjS6_";
const std::string recordTwoAtSite = "_ZN3cui7backend15recordTwoAtSiteILi7EEEvRKNS0_10DeviceUnitEjPKvjS6_j";
const std::string recordInARow = "_ZN3cui7backend12recordInARowILi7EEEvRKNS0_10DeviceUnitEPKjPKPKvj";

std::string callOf(const std::string& function, const std::vector<std::string>& operands) {
  std::string text = "\t{ // callseq 0, 0\n\t.reg .b32 temp_param_reg;\n", names;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const std::string name = "param" + std::to_string(i);
    text += "\t.param .b64 " + name + ";\n\tst.param.b64 \t[" + name + "+0], " + operands[i] + ";\n";
    names += (i == 0 ? "\t" : ", \n\t") + name;
  }
  return text + "\tcall.uni \n\t" + function + ", \n\t(\n" + names + "\n\t);\n\t} // callseq 0\n";
}
std::string one(const std::string& site, const std::string& address, const std::string& bytes = "4",
                const std::string& value = "0") {
  return callOf(recordAtSite, {"%rd1", site, address, bytes, value});
}
const std::string first = one("14", "%rd2"), second = one("15", "%rd3", "8");

/// A unit of a kernel with these instructions.
std::string unitOf(const std::string& instructions) {
  return ".version 9.0\n.target sm_90\n.address_size 64\n\n.extern .func " + recordAtSite +
         "\n(\n\t.param .b64 a\n)\n;\n.visible .entry k()\n{\n\t.reg .b64 \t%rd<9>;\n" + instructions +
         "\tret;\n\n}\n";
}
bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
std::size_t countOf(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}
/// How often the kernel calls the function that records accesses in a row.
std::size_t rowsIn(const std::string& instructions) {
  const std::string joined = withCallsInARow(unitOf(instructions));
  return countOf(joined.substr(joined.find(".entry")), recordInARow);
}
/// That the calls stay apart with this between them.
void expectApart(const std::string& between) {
  EXPECT_EQ(withCallsInARow(unitOf(first + between + second)), unitOf(first + between + second)) << between;
}
void expectTogether(const std::string& between) {
  EXPECT_EQ(rowsIn(first + between + second), 1u) << between;
}

TEST(CallsInARow, AddressesArePutDownWhereTheyWereAndRecordedInTheLastOnesPlace) {
  const std::string joined = withCallsInARow(
      unitOf(first + "\tld.shared.f32 \t%f1, [%r1];\n" + second + "\tadd.s32 \t%r2, %r2, 1;\n"));
  const std::vector<std::string> order = {
      ".address_size 64\n",
      ".extern .func " + recordInARow,
      ".global .align 4 .b32 cuiAccesses$1[4] = {14, 1073741828, 15, 1073741832};\n",
      ".entry k()",
      "\t.local .align 8 .b8 \tcuiInARow[16];\n",
      "\tst.local.b64 \t[cuiInARow+0], %rd2;\n",
      "\tld.shared.f32 \t%f1, [%r1];\n",
      "\tst.local.b64 \t[cuiInARow+8], %rd3;\n",
      "mov.u64 %accesses, cuiAccesses$1;\n",
      "[param0+0], %rd1;\n",
      "[param3+0], 2;\n",
      recordInARow,
      "\tadd.s32 \t%r2, %r2, 1;\n",
  };
  std::size_t at = 0;
  for (const std::string& part : order) {
    at = joined.find(part, at);
    ASSERT_NE(at, std::string::npos) << part << "\n" << joined;
  }
  EXPECT_FALSE(contains(joined, "\t" + recordAtSite + ", "));
}

TEST(CallsInARow, AnExpressionsAccessesStayTogether) {
  const std::string two = callOf(recordTwoAtSite, {"%rd1", "16", "%rd4", "17", "%rd5", "262148"});
  const std::string joined = withCallsInARow(unitOf(first + two + second));
  EXPECT_TRUE(contains(joined, "[8] = {14, 1073741828, 16, 2147745796, 17, 0, 15, 1073741832};")) << joined;
  EXPECT_TRUE(contains(joined, "[cuiInARow+16], %rd5;")) << joined;
}

TEST(CallsInARow, WhatSetsAnOperandWithinTheCallIsKept) {
  std::string call = second;
  call.insert(call.find("\t.param"), "\tcvta.shared.u64 \t%rd3, %rd7;\n");
  const std::string joined = withCallsInARow(unitOf(first + call));
  EXPECT_LT(joined.find("cvta.shared.u64 \t%rd3, %rd7;"), joined.find("[cuiInARow+8], %rd3;")) << joined;
}

TEST(CallsInARow, ApartIfThatIsAPieceOfAssembly) {
  std::string call = second;
  call.insert(call.find("\t.param"), "\t{ .reg .b64 %tmp;\n\t  cvta.shared.u64 \t%rd3, %tmp; }\n");
  EXPECT_EQ(withCallsInARow(unitOf(first + call)), unitOf(first + call));
}

TEST(CallsInARow, TogetherAcrossWhatOnlyComputesLoadsAndStores) {
  expectTogether("");
  expectTogether("\tst.shared.f32 \t[%r1], %f1;\n\tfma.rn.f32 \t%f1, %f2, %f3, %f1;\n\n\t.loc 1 2 3\n");
  expectTogether("\tld.u32 \t%r1, [%rd7];\n\trsqrt.approx.f32 \t%f1, %f2;\n");
  expectTogether("\t// begin inline asm\n\tld.shared.f32 %f1, [%rd7];\n\t// end inline asm\n");
  expectTogether("\t{ .reg .b64 %tmp;\n\t  cvt.u64.u32 \t%tmp, %r1;\n\t  cvta.shared.u64 \t%rd3, %tmp; }\n");
  expectTogether("\tbra.uni \t$L1;\n\n$L1:\n");  // nobody else comes there
}

TEST(CallsInARow, ApartWhereOthersComeOrWait) {
  expectApart("\tbar.sync \t0;\n");
  expectApart("$L1:\n\t@%p1 bra \t$L1;\n");
  expectApart("\t@%p1 bra \t$L1;\n\n$L1:\n");
  expectApart("\t@%p1 mov.u32 \t%r1, %r2;\n");
  expectApart("\tatom.global.add.u32 \t%r1, [%rd7], 1;\n");
  expectApart("\tld.volatile.global.u32 \t%r1, [%rd7];\n");
  expectApart("\tld.global.acquire.gpu.u32 \t%r1, [%rd7];\n");
  expectApart("\tshfl.sync.down.b32 \t%r1, %r2, 1, 31, -1;\n");
  expectApart("\tmov.u64 \t%rd7, %clock64;\n");
  expectApart(
      "\t// begin inline asm\n\t{ .reg .pred q; setp.ne.u32 q, %r1, 0; @q bar.sync 0; }\n\t// end inline "
      "asm\n");
  expectApart(callOf("otherFunction", {"%rd1"}));
}

// A table of branches leads there.
TEST(CallsInARow, ApartWhereATableLeads) {
  expectApart("\tbra.uni \t$L2;\n\n$L2:\n$L_table: .branchtargets $L1, $L2;\n");
}

TEST(CallsInARow, ApartIfNotAllIsKnown) {
  for (const std::string& other : {one("%r1", "%rd3"), one("15", "%rd3", "%r1"),
                                   one("15", "%rd3", "4", "%rd4"), one("15", "%rd3", "1073741824")})
    EXPECT_EQ(withCallsInARow(unitOf(first + other)), unitOf(first + other));
}

TEST(CallsInARow, SixteenAtMost) {
  std::string all;
  for (int i = 0; i < 16; ++i) all += first;
  EXPECT_EQ(rowsIn(all), 1u);
  const std::string joined = withCallsInARow(unitOf(all + second));
  EXPECT_TRUE(contains(joined, "cuiInARow[128]"));
  EXPECT_TRUE(contains(joined, "\t" + recordAtSite + ", "));  // the last one, which is alone
  EXPECT_EQ(rowsIn(all + second + second), 2u);
}

TEST(CallsInARow, RowsThatAreAlikeHaveOneTable) {
  const std::string barrier = "\tbar.sync \t0;\n", row = first + second;
  const std::string joined = withCallsInARow(unitOf(row + barrier + row + barrier + second + first));
  EXPECT_EQ(countOf(joined, ".global .align 4 .b32 cuiAccesses$"), 2u) << joined;
  EXPECT_EQ(countOf(joined, "mov.u64 %accesses, cuiAccesses$1;"), 2u) << joined;
}

}  // namespace
}  // namespace cui::cli::calls_in_a_row
