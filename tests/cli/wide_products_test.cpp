// Products of an index that are written in the form that the program's own has.
#include "cli/compile/wide_products.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "kernel_text.h"

namespace cui::cli::wide_products {
namespace {

using namespace kernel_text;

constexpr const char* product = "\tmul.wide.s32 \t%rd20, %r7, 4;\n";

std::string changed(const std::string& inLoop) {
  return withWideProducts(unitOf(kernelOf(inLoop)));
}

TEST(WideProducts, StandWhereTheIndexIs) {
  const std::string index = "\tcvt.s64.s32 \t%rd10, %r7;\n", set = "\tadd.s32 \t%r7, %r7, 1;\n";
  const std::string unit = changed(std::string(product) + index + set + "\tshl.b64 \t%rd11, %rd10, 2;\n");
  EXPECT_NE(
      unit.find(index + "\tmul.wide.s32 \t%cuimul0, %r7, 4;\n" + set + "\tmov.u64 \t%rd11, %cuimul0;\n"),
      std::string::npos)
      << unit;
  EXPECT_EQ(count(unit, "\t.reg .b64 \t%cuimul<1>;\n"), 1u);
  // Once for all shifts by as many bits.
  const std::string twice =
      changed(product + index + "\tshl.b64 \t%rd11, %rd10, 2;\n\tshl.b64 \t%rd12, %rd10, 2;\n");
  EXPECT_EQ(count(twice, "mul.wide.s32 \t%cuimul"), 1u) << twice;
  EXPECT_EQ(count(twice, ", %cuimul0;"), 2u);
}

TEST(WideProducts, AreUnsignedOfSuchAnIndex) {
  const std::string unit = changed(
      "\tmul.wide.u32 \t%rd20, %r7, 16;\n\tcvt.u64.u32 \t%rd10, %r7;\n\tshl.b64 \t%rd11, %rd10, 4;\n");
  EXPECT_EQ(count(unit, "\tmul.wide.u32 \t%cuimul0, %r7, 16;\n"), 1u) << unit;
}

TEST(WideProducts, AreThoseThatThereAreOnly) {
  const std::string index = "\tcvt.s64.s32 \t%rd10, %r7;\n", shift = "\tshl.b64 \t%rd11, %rd10, 2;\n";
  const auto stays = [](std::initializer_list<std::string_view> lines) {
    std::string text;
    for (const std::string_view line : lines) text += line;
    return changed(text) == unitOf(kernelOf(text));
  };
  EXPECT_FALSE(stays({product, index, shift}));
  EXPECT_TRUE(stays({index, shift}));
  EXPECT_TRUE(stays({product, index, "\tshl.b64 \t%rd11, %rd10, 3;\n"}));  // of other elements
  EXPECT_TRUE(stays({"\tmul.wide.s32 \t%rd20, %r8, 4;\n", index, shift}));
  EXPECT_TRUE(stays({"\tmul.wide.u32 \t%rd20, %r7, 4;\n", index, shift}));
  EXPECT_TRUE(stays({product, index, "\tcvt.s64.s32 \t%rd10, %r8;\n", shift}));  // one of two
  EXPECT_TRUE(stays({product, index, "\t@%p1 shl.b64 \t%rd11, %rd10, 2;\n"}));   // for some lanes
  EXPECT_TRUE(stays({product, index, "\tshl.b64 \t%rd11, %rd10, %r9;\n"}));      // by what is not known
}

TEST(WideProducts, AreNotThoseThatADebuggerKnows) {
  const std::string unit =
      unitOf(kernelOf(std::string(product) + "\tcvt.s64.s32 \t%rd10, %r7;\n\tshl.b64 \t%rd11, %rd10, 2;\n")) +
      "\t.section .debug_info {}\n";
  EXPECT_EQ(withWideProducts(unit), unit);
}

}  // namespace
}  // namespace cui::cli::wide_products
