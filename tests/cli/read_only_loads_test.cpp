// Which loads of a unit's PTX become those of read-only memory.
#include "cli/compile/read_only_loads.h"

#include <gtest/gtest.h>

#include <string>

namespace cui::cli::read_only_loads {
namespace {

const std::string recordersFunction = "_ZN3cui7backend10warpInModeILi7EEEvRKNS0_10DeviceUnitEjyj";

/// A kernel of two pointers and a number, of which the first is read only, with these instructions.
std::string kernelOf(const std::string& instructions, const std::string& comments = "// cuiReadOnly 0") {
  return ".visible .entry k(\n\t.param .u64 k_param_0,\n\t.param .u64 k_param_1,\n\t.param .u32 "
         "k_param_2\n)\n{\n"
         "\t.reg .b64 \t%rd<9>;\n\n\t// begin inline asm\n\t" +
         comments +
         "\n\t// end inline asm\n\tld.param.u64 \t%rd1, [k_param_0];\n\tld.param.u64 \t%rd2, [k_param_1];\n"
         "\tcvta.to.global.u64 \t%rd3, %rd1;\n\tcvta.to.global.u64 \t%rd4, %rd2;\n\t.loc 1 2 3\n" +
         instructions + "\tret;\n\n}\n";
}
std::string callOf(const std::string& function, const std::string& pointer) {
  return "\t{ // callseq 0, 0\n\t.param .b64 param0;\n\tst.param.b64 \t[param0+0], " + pointer +
         ";\n\tcall.uni \n\t" + function + ", \n\t(\n\tparam0\n\t);\n\t} // callseq 0\n";
}
/// Whether that becomes of the load that these end with, and nothing else changes.
void expectReadOnly(bool expected, const std::string& before,
                    const std::string& load = "ld.global.f32 \t%f1, [%rd5+8]",
                    const std::string& behind = {}) {
  const std::string unit = kernelOf(before + "\t" + load + ";\n" + behind);
  std::string readOnly = unit;
  readOnly.insert(readOnly.find(load) + std::string("ld.global").size(), ".nc");
  EXPECT_EQ(withReadOnlyLoads(unit), expected ? readOnly : unit);
}

const std::string address = "\tmad.wide.s32 \t%rd5, %r1, 4, %rd3;\n";

TEST(ReadOnlyLoads, ThroughWhatOnlyTheRecorderGets) {
  expectReadOnly(true, address);
  expectReadOnly(true, address + callOf(recordersFunction, "%rd1"));
  expectReadOnly(true, address, "ld.global.v4.u32 \t{%r1, %r2, %r3, %r4}, [%rd5]");
  expectReadOnly(true, "$L__BB0_1:\n\tadd.s64 \t%rd5, %rd3, %rd6;\n\tadd.s64 \t%rd6, %rd6, 4;\n");
  expectReadOnly(
      true, "\tmov.u64 \t%rd5, %rd3;\n$L__BB0_1:\n\tadd.s64 \t%rd5, %rd5, -4;\n\t@%p1 bra \t$L__BB0_1;\n");
  expectReadOnly(true,
                 "\tcvt.s64.s32 \t%rd6, %r1;\n\tshl.b64 \t%rd7, %rd6, 2;\n\tadd.s64 \t%rd5, %rd3, %rd7;\n");
  expectReadOnly(true, address, "ld.global.f32 \t%f1, [%rd5+8]", "\tst.global.f32 \t[%rd4], %f1;\n");
}

/// A number of elements, say, and a pointer that is read only.
TEST(ReadOnlyLoads, AtDistancesThatAreParameters) {
  const std::string distance = "\tld.param.u32 \t%r1, [k_param_2];\n\tmul.wide.s32 \t%rd6, %r1, 4;\n";
  expectReadOnly(true, distance + "\tadd.s64 \t%rd5, %rd3, %rd6;\n");
  expectReadOnly(false, distance + "\tadd.s64 \t%rd5, %rd4, %rd6;\n");
  expectReadOnly(false, "\tadd.s64 \t%rd5, %rd3, %rd4;\n");
}

TEST(ReadOnlyLoads, NotOfOtherParameters) {
  expectReadOnly(false, "\tmad.wide.s32 \t%rd5, %r1, 4, %rd4;\n");
  expectReadOnly(false, "\tselp.b64 \t%rd5, %rd3, %rd4, %p1;\n");
  const std::string unmarked = kernelOf(address + "\tld.global.f32 \t%f1, [%rd5];\n", "// nothing");
  EXPECT_EQ(withReadOnlyLoads(unmarked), unmarked);
}

TEST(ReadOnlyLoads, NotOfWhatIsReadInOtherWays) {
  for (const char* load : {"ld.volatile.global.f32 \t%f1, [%rd5]", "ld.global.cg.f32 \t%f1, [%rd5]",
                           "ld.acquire.gpu.global.u32 \t%r1, [%rd5]", "ld.global.nc.f32 \t%f1, [%rd5]"})
    expectReadOnly(false, address, load);
}

TEST(ReadOnlyLoads, NotWhereThePointerGoesAnywhereElse) {
  expectReadOnly(false, address + "\tst.global.f32 \t[%rd5], %f2;\n");
  expectReadOnly(false, address + "\tatom.global.add.f32 \t%f2, [%rd5], %f3;\n");
  expectReadOnly(false, address + "\tred.global.add.f32 \t[%rd5], %f3;\n");
  expectReadOnly(false, address + "\tst.global.u64 \t[%rd4], %rd5;\n");
  expectReadOnly(false, address + callOf("_Z4takePKf", "%rd1"));
  expectReadOnly(
      false, address + "\twmma.load.a.sync.aligned.row.m16n16k16.global.f16 \t{%r1, %r2}, [%rd5], %r3;\n");
}

TEST(ReadOnlyLoads, NotWhereAssemblyStores) {
  const std::string declared = address + "\t{ .reg .u64 to; cvta.to.global.u64 to, %rd1; ";
  expectReadOnly(false, declared + "st.global.f32 [to], %f2; }\n");
  expectReadOnly(true, declared + "ld.global.cg.f32 %f2, [to]; }\n");
}

TEST(ReadOnlyLoads, NotOfPointersFromElsewhere) {
  expectReadOnly(false, "\tld.global.u64 \t%rd5, [%rd4];\n");
  expectReadOnly(false, "\tmov.u64 \t%rd5, variable;\n");
  expectReadOnly(false, "\tmov.b64 \t%rd6, {%r1, %r2};\n\tadd.s64 \t%rd5, %rd3, %rd6;\n");
  expectReadOnly(false, "\tatom.global.exch.b64 \t%rd6, [%rd4], %rd7;\n\tadd.s64 \t%rd5, %rd3, %rd6;\n");
}

// A pointer that is taken apart, as the recorder does to hand it to other lanes, can be put together again.
TEST(ReadOnlyLoads, TakenApart) {
  const std::string toTogether = "\tmov.b64 \t%rd6, {%r1, %r2};\n\tst.global.f32 \t[%rd6], %f2;\n";
  for (const std::string apart :
       {"\tmov.b64 \t{%r1, %r2}, %rd5;\n", "\tshr.u64 \t%rd6, %rd5, 32;\n\tcvt.u32.u64 \t%r2, %rd6;\n"}) {
    expectReadOnly(true, address + apart);
    expectReadOnly(false, address + apart + toTogether);
  }
}

// As the recorder's lists of places are.
TEST(ReadOnlyLoads, KeptInTheThreadsOwnMemory) {
  const std::string kept = address + "\tst.local.u64 \t[%rd8+16], %rd1;\n";
  expectReadOnly(true, kept);
  expectReadOnly(false, kept + "\tld.local.u64 \t%rd6, [%rd8+16];\n\tst.f32 \t[%rd6], %f1;\n");
  expectReadOnly(false, kept + callOf("_Z4takePPKf", "%rd8"));
}

TEST(ReadOnlyLoads, OfEachKernelByItself) {
  const std::string load = address + "\tld.global.f32 \t%f1, [%rd5];\n",
                    store = "\tst.global.f32 \t[%rd5], %f1;\n";
  const std::string unit = kernelOf(load + store) + kernelOf(load);
  const std::string changed = withReadOnlyLoads(unit);
  EXPECT_EQ(changed.find("ld.global.nc.f32"), unit.rfind("ld.global.f32"));
}

}  // namespace
}  // namespace cui::cli::read_only_loads
