// PTX without calls of the recorder, where its functions are empty: what goes, what stays, and how little of
// a body of many sites is left.
#include "cli/compile/silent_calls.h"

#include <gtest/gtest.h>

#include "cli/compile/plain_code.h"
#include "cli/compile/plain_kernels.h"

namespace cui::cli {
namespace {

constexpr const char* recorder = "_ZN3cui7backend12recordAtSiteILi7EEEvRKNS0_10DeviceUnitEjPKvjS6_";
constexpr const char* state = "_ZN12_INTERNAL_1a3cui11_GLOBAL__N_9unitStateE";

std::string callOf(const std::string& function, const std::string& result = "") {
  return "\t{ // callseq 7, 0\n\t.param .b64 param0;\n\tst.param.b64 \t[param0+0], %rd1;\n\tcall.uni " +
         std::string(result.empty() ? "" : "(retval0), ") + "\n\t" + function + ", \n\t(\n\tparam0\n\t);\n" +
         std::string(result.empty() ? "" : "\tld.param.b32 \t" + result + ", [retval0+0];\n") +
         "\t} // callseq 7\n";
}

TEST(SilentCalls, TheRecordersGoAndOthersStay) {
  const std::string before = "{\n\tmov.u64 \t%rd1, 5;\n", behind = "\tret;\n\n}";
  const std::string own = callOf("another"), asked = callOf(recorder, "%r3");
  EXPECT_EQ(withoutCalls(before + callOf(recorder) + own + callOf(recorder) + asked + behind, {recorder}),
            before + own + asked + behind);
  EXPECT_EQ(withoutCalls(before + callOf(recorder) + behind, {}), before + callOf(recorder) + behind);
}

TEST(SilentCalls, WhatIsNoCallStays) {
  const std::string text = "{\n\t{ // callseq 1, 0\n\t.param .b64 param0;\n" + std::string(recorder);
  EXPECT_EQ(withoutCalls(text, {recorder}), text);
}

TEST(SilentCalls, FunctionsThatAreDefinedElsewhere) {
  const std::string ptx = std::string(".extern .func ") + recorder + "\n(\n\t.param .b64 " + recorder +
                          "_param_0\n)\n;\n" +
                          ".extern .func another\n()\n;\n.func _ZN3cui7backend3ownEv()\n{\n\tret;\n}\n";
  EXPECT_EQ(recordersExterns(ptx), (std::set<std::string_view>{recorder}));
}

/// A kernel with as many sites, which ask nothing.
std::string unitOf(unsigned sites) {
  std::string ptx = std::string(".version 9.0\n.target sm_90\n.address_size 64\n.extern .func ") + recorder +
                    "\n(\n\t.param .b64 " + recorder + "_param_0\n)\n;\n.const .align 8 .b8 " + state +
                    "[112];\n.visible .entry kernel(\n\t.param .b64 kernel_param_0\n)\n{\n";
  for (unsigned i = 0; i < sites; ++i) ptx += callOf(recorder) + "\tld.global.u32 \t%r1, [%rd1];\n";
  return ptx + "\tret;\n\n}\n";
}

TEST(SilentCalls, CodeWithoutTheRecorderHasNothingOfASiteThatAsksNothing) {
  constexpr unsigned few = 1000, many = 3000;
  const std::size_t left = (many - few) * std::string("\tld.global.u32 \t%r1, [%rd1];\n").size();
  EXPECT_EQ(withoutRecorder(unitOf(many)).size() - withoutRecorder(unitOf(few)).size(), left);
  const std::size_t recorded = unitOf(many).size() - unitOf(few).size();
  EXPECT_EQ(withOtherKernels(unitOf(many)).size() - withOtherKernels(unitOf(few)).size(), recorded + left);
}

}  // namespace
}  // namespace cui::cli
