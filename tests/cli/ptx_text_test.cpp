// PTX as text: whose functions are the recorder's, what they are said to preserve, and PTX that is complete.
#include "cli/compile/ptx_text.h"

#include <gtest/gtest.h>

#include "cli/compile/ptx_functions.h"

namespace cui::cli {
namespace {

constexpr const char* completeUnit = R"(//
.version 9.0
.target sm_90a, debug
.address_size 64

.extern .func  (.param .b32 func_retval0) vprintf
(
	.param .b64 vprintf_param_0
)
;
.extern .func _ZN3cui7backend10recordWarpILi3EEEvRKNS0_10DeviceUnitEjyj
(
	.param .b64 recordWarp_param_0
)
;
.func  (.param .b32 func_retval0) _Z2faPKfi(
	.param .b64 fa_param_0
)
{
	ret;
}
.visible .entry kernel(
	.param .b64 kernel_param_0
)
{
	prototype_10 : .callprototype (.param .b32 _) _ (.param .b64 _);
	call (retval0), %rd19, (param0), prototype_10;
	ret;
}
)";

constexpr const char* module = R"(.version 9.0
.target sm_90
.address_size 64

.weak .func _ZN3cui7backend10recordWarpILi3EEEvRKNS0_10DeviceUnitEjyj(
	.param .b64 recordWarp_param_0
)
{
	ret;
}
.weak .func _ZN3cui7backend13recordGeneralILi3EEEvPNS0_13DeviceContextEjjyjPKv(
	.param .b64 recordGeneral_param_0
)
{
	ret;
}
)";

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
  return found;
}

TEST(PtxText, AUnitThatDeclaresFunctionsOfTheRecorderCallsIt) {
  EXPECT_TRUE(callsRecorder(completeUnit));
  EXPECT_FALSE(callsRecorder(module));  // defined there
  EXPECT_FALSE(callsRecorder(".extern .func vprintf\n(\n)\n;\n"));
  EXPECT_FALSE(callsRecorder("// .extern .func _ZN3cui7backend10recordWarpILi3EEEv\n"));
  EXPECT_FALSE(callsRecorder(""));
}

TEST(PtxText, CallsOfTheRecorderNameItsModes) {
  const auto calling = [](const std::string& function) {
    return modesOf(".extern .func _ZN3cui7backend8beginRowILi4EEEj\n(\n)\n;\n.extern .func _ZN3cui7backend" +
                   function + "\n(\n)\n;\n");
  };
  EXPECT_EQ(calling("10recordWarpILi7EEEvj"), RecorderModes::both);
  EXPECT_EQ(calling("10recordWarpILi5EEEvj"), RecorderModes::trace);
  EXPECT_EQ(calling("10warpInModeILi6EEEvj"), RecorderModes::profile);
  EXPECT_EQ(calling("10recordFactEvj"), RecorderModes::both);
  EXPECT_EQ(modesOf(completeUnit), RecorderModes::both);
}

TEST(PtxText, TheTargetIsTheFirstOfItsLine) {
  EXPECT_EQ(targetOf(completeUnit), "sm_90a");
  EXPECT_EQ(targetOf(module), "sm_90");
  EXPECT_EQ(targetOf("no header"), "");
}

TEST(PtxText, TheModuleSaysWhatItsNamedFunctionsPreserve) {
  const std::string said = withPreservedRegisters(module);
  EXPECT_NE(said.find("recordWarp_param_0\n)\n\n.abi_preserve 6\n{"), std::string::npos) << said;
  EXPECT_EQ(count(said, ".abi_preserve"), 1u);  // recordGeneral follows the convention
}

TEST(PtxText, AUnitSaysItOfTheRecordersFunctionsOnly) {
  const std::string said = withPreservedRegisters(completeUnit);
  EXPECT_NE(said.find("recordWarp_param_0\n)\n\n.abi_preserve 6\n;"), std::string::npos) << said;
  EXPECT_EQ(count(said, ".abi_preserve"), 1u);
}

/// With functions that are not inlined: one of a library's, one that calls the recorder, one that calls that.
constexpr const char* unitOfFunctions = R"(.version 9.0
.target sm_90
.extern .func _ZN3cui7backend10recordWarpILi3EEEvRKNS0_10DeviceUnitEjyj
(
	.param .b64 recordWarp_param_0
)
;
.func  (.param .b64 func_retval0) _Z5innerPKf
(
	.param .b64 inner_param_0
)
;
.func  (.param .b64 func_retval0) __internal_accurate_pow(
	.param .b64 pow_param_0
)
{
	ret;

}
.func  (.param .b64 func_retval0) _Z5outerPKf(
	.param .b64 outer_param_0
)
{
	{ // callseq 1, 0
	call.uni (retval0),
	_Z5innerPKf,
	(
	param0
	);
	} // callseq 1
	ret;

}
.func  (.param .b64 func_retval0) _Z5innerPKf(
	.param .b64 inner_param_0
)
{
	call.uni
	_ZN3cui7backend10recordWarpILi3EEEvRKNS0_10DeviceUnitEjyj,
	ret;

}
.visible .entry kernel(
	.param .b64 kernel_param_0
)
{
	call.uni
	_ZN3cui7backend10recordWarpILi3EEEvRKNS0_10DeviceUnitEjyj,
	ret;

}
)";

TEST(PtxText, FunctionsOfAUnitsOwnThatRecordAreFound) {
  EXPECT_EQ(recordingFunctions(unitOfFunctions), (std::set<std::string_view>{"_Z5innerPKf", "_Z5outerPKf"}));
  EXPECT_TRUE(recordingFunctions(completeUnit).empty());
  EXPECT_TRUE(recordingFunctions(module).empty());  // they are the recorder
}

TEST(PtxText, TheyPreserveAsFewAsTheRecorderAndALibrarysWhatTheConventionSays) {
  const std::string said = withPreservedRegisters(unitOfFunctions);
  for (const char* preserving :
       {"recordWarp_param_0\n)\n\n.abi_preserve 6\n;", "inner_param_0\n)\n\n.abi_preserve 8\n;",
        "outer_param_0\n)\n\n.abi_preserve 8\n{", "inner_param_0\n)\n\n.abi_preserve 8\n{"})
    EXPECT_NE(said.find(preserving), std::string::npos) << preserving << said;
  EXPECT_EQ(count(said, ".abi_preserve"), 4u);
}

/// Inline assembly of cuda_fp16.hpp, and whatever else has braces, none of which ends a function.
constexpr const char* braces =
    "// begin inline asm\n\t{mul.f16 %rs1,%rs2,%rs3;\n}\n\t// end inline asm } {{\n\t/* }\n} */\n"
    "\t.pragma \"}\n}\";\n\t{ // callseq {\n\t}\n";

TEST(PtxText, BracesOfInlineAssemblyEndNoFunction) {
  const std::string body = "{\n\t" + std::string(braces) + "\tret;\n\n}";
  EXPECT_EQ(bodyIn(body + "\n.func other\n{\n\tret;\n}\n"), body);
  EXPECT_EQ(bodyIn("{ ret; }\n}"), "{ ret; }");
  EXPECT_EQ(bodyIn(";\n.func f\n{\n}\n"), "");
  std::string functions = unitOfFunctions;
  functions.replace(functions.find("\tcall.uni\n"), 0, braces);  // in front of what records
  EXPECT_EQ(recordingFunctions(functions), (std::set<std::string_view>{"_Z5innerPKf", "_Z5outerPKf"}));
}

/// What is between the parameters of `kernel` and its body, with its limit and with `directives` of its own.
std::string limitsOf(const std::string& body, const std::string& directives, long registers) {
  const std::string declaration = ".visible .entry _Z1kPi(\n\t.param .b64 _Z1kPi_param_0\n)\n";
  std::string text = unitOfFunctions + declaration + directives + "{\n\t" + body + "\n\tret;\n\n}\n";
  text = withRegisterLimits(text, {{"_Z1kPi", registers}});
  const std::size_t begin = text.find(declaration) + declaration.size();
  return text.substr(begin, text.find('{', begin) - begin);
}

TEST(PtxText, AKernelThatRecordsHasTheRegistersOf1024Threads) {
  const std::string limited = withRegisterLimits(unitOfFunctions, {});
  EXPECT_NE(limited.find("kernel_param_0\n)\n.maxnreg 64\n{"), std::string::npos) << limited;
  EXPECT_EQ(count(limited, ".maxnreg"), 1u);
  EXPECT_EQ(limitsOf("call.uni\n\t_Z5outerPKf,", "", 40), ".maxnreg 64\n");
  EXPECT_EQ(limitsOf("p : .callprototype _ (.param .b64 _);", "", 40), ".maxnreg 64\n");
  EXPECT_EQ(limitsOf("call.uni\n\t__internal_accurate_pow,", "", 40), "");
  EXPECT_EQ(limitsOf(braces + std::string("\tcall.uni\n\t_Z5outerPKf,"), "", 40), ".maxnreg 64\n");
}

TEST(PtxText, AKernelThatHasMoreByItselfMayHaveAsManyWithTheRecorder) {
  EXPECT_EQ(limitsOf("call.uni\n\t_Z5outerPKf,", "", 64), ".maxnreg 64\n");
  EXPECT_EQ(limitsOf("call.uni\n\t_Z5outerPKf,", "", 65), ".maxnreg 72\n");
  EXPECT_EQ(limitsOf("call.uni\n\t_Z5outerPKf,", "", 152), ".maxnreg 152\n");
  EXPECT_EQ(limitsOf("call.uni\n\t_Z5outerPKf,", "", 255), ".maxnreg 255\n");
}

TEST(PtxText, LimitsOfAKernelsOwnStay) {
  for (const char* directives :
       {".maxntid 256, 1, 1\n", ".reqntid 128\n", ".maxnreg 32\n", ".maxntid 512, 1, 1\n.minnctapersm 2\n"})
    EXPECT_EQ(limitsOf("call.uni\n\t_Z5outerPKf,", directives, 152), directives);
}

TEST(PtxText, AKernelThatIsDeclaredForOthersIsLimitedWhereItIsDefined) {
  const std::string declared = ".visible .entry kernel(\n\t.param .b64 kernel_param_0\n)\n;\n";
  const std::string limited = withRegisterLimits(declared + unitOfFunctions, {});
  EXPECT_EQ(limited.substr(0, declared.size()), declared);
  EXPECT_EQ(count(limited, ".maxnreg"), 1u);
}

TEST(PtxText, KernelsWithoutLimitsAreFound) {
  const auto kernel = [](const std::string& directives) {
    return ".visible .entry other()\n" + directives + "{\n\tret;\n\n}\n";
  };
  using Names = std::set<std::string, std::less<>>;
  EXPECT_EQ(unlimitedKernels(unitOfFunctions + kernel("")), (Names{"kernel", "other"}));
  EXPECT_EQ(unlimitedKernels(unitOfFunctions + kernel(".maxntid 256, 1, 1\n")), Names{"kernel"});
  // What is declared first says nothing.
  EXPECT_EQ(unlimitedKernels(".visible .entry other()\n;\n" + kernel(".maxnreg 32\n")), Names{});
}

TEST(PtxText, WhatIsPreservedCanBeSaidForNewGpusUnlessThereAreCallsThroughPointers) {
  const auto headed = [](const std::string& version, const std::string& target, const char* rest) {
    return "//\n.version " + version + "\n.target " + target + "\n.address_size 64\n" + rest;
  };
  EXPECT_TRUE(canSayWhatIsPreserved(unitOfFunctions));
  EXPECT_TRUE(canSayWhatIsPreserved(headed("9.0", "sm_80, debug", "")));
  EXPECT_TRUE(canSayWhatIsPreserved(headed("10.1", "sm_120a", "")));
  EXPECT_FALSE(canSayWhatIsPreserved(headed("9.0", "sm_75", "")));
  EXPECT_FALSE(canSayWhatIsPreserved(headed("8.4", "sm_90", "")));
  EXPECT_FALSE(canSayWhatIsPreserved(headed("9.0", "sm_90", "p : .callprototype _ (.param .b64 _);\n")));
  EXPECT_FALSE(canSayWhatIsPreserved(completeUnit));  // calls so
  EXPECT_FALSE(canSayWhatIsPreserved("no header"));
}

TEST(PtxText, CompletePtxDefinesWhatItDeclares) {
  const std::string complete = withModule(completeUnit, module);
  EXPECT_FALSE(callsRecorder(complete));
  EXPECT_EQ(count(complete, ".version"), 1u);
  EXPECT_EQ(count(complete, ".target"), 1u);
  EXPECT_EQ(count(complete, ".weak .func _ZN3cui7backend10recordWarpI"), 2u);  // declared, defined
  EXPECT_EQ(count(complete, ".extern .func"), 1u);                             // vprintf
  EXPECT_EQ(count(complete, ".visible .entry kernel"), 1u);
}

TEST(PtxText, LargeKernelsMayNeedMoreRegisters) {
  const auto kernel = [](const std::string& directive, std::size_t lines) {
    std::string text = ".visible .entry k()\n" + directive + "{\n";
    for (std::size_t i = 0; i < lines; ++i) text += "\tmul.f32 \t%f1, %f2, %f3;\n";
    return text + "\tret;\n\n}\n";
  };
  EXPECT_FALSE(mayNeedMoreRegisters(kernel("", 100)));
  EXPECT_FALSE(mayNeedMoreRegisters(kernel("", 1000) + kernel("", 1000)));
  EXPECT_TRUE(mayNeedMoreRegisters(kernel("", 100) + kernel("", 3000)));
  EXPECT_FALSE(mayNeedMoreRegisters(kernel(".maxntid 256, 1, 1\n", 3000)));  // it is not limited then
}

TEST(PtxText, LargeFunctionsThatRecordMayNeedMoreRegisters) {
  const auto function = [](const std::string& call, std::size_t lines) {
    std::string text = ".visible .func f()\n{\n" + call;
    for (std::size_t i = 0; i < lines; ++i) text += "\tmul.f32 \t%f1, %f2, %f3;\n";
    return text + "\tret;\n\n}\n";
  };
  const std::string call =
      "\tcall.uni _ZN3cui7backend10recordWarpILi3EEEvRKNS0_10DeviceUnitEjyj, (param0);\n";
  EXPECT_FALSE(functionsMayNeedMoreRegisters(function(call, 100)));
  EXPECT_FALSE(functionsMayNeedMoreRegisters(function("", 3000)));  // it is what it would be without us
  EXPECT_TRUE(functionsMayNeedMoreRegisters(function(call, 3000)));
  EXPECT_FALSE(mayNeedMoreRegisters(function(call, 3000)));
}

TEST(PtxText, CompletePtxHasWhatIsReachedOfTheModule) {
  const std::string called = "_ZN3cui7backend10recordWarpILi3EEEvRKNS0_10DeviceUnitEjyj";
  const auto function = [](const std::string& name, const std::string& body) {
    return ".weak .func " + name + "(\n\t.param .b64 p\n)\n" + body + "\n";
  };
  const std::string text = ".version 9.0\n.target sm_90\n.address_size 64\n\n" + function("_Z1ai", ";") +
                           function("_Z1bi", ";") + "\t// .weak\t_Z1bi\n" +
                           function(called, "{\n\tcall.uni \n\t_Z1ai, \n\t(\n\tparam0\n\t);\n\tret;\n}") +
                           ".global .align 4 .u32 kept;\n" + function("_Z1bi", "{\n\tb.b32;\n}") +
                           function("_Z1ai", "{\n\ta.b32;\n}");
  const std::string complete = withModule(completeUnit, text);
  EXPECT_EQ(count(complete, "_Z1ai("), 2u) << complete;
  EXPECT_EQ(count(complete, "\ta.b32;"), 1u);
  EXPECT_EQ(count(complete, "_Z1bi("), 0u) << complete;
  EXPECT_EQ(count(complete, "\tb.b32;"), 0u);
  EXPECT_NE(complete.find("ret;\n}\n.global .align 4 .u32 kept;\n"), std::string::npos) << complete;
}

}  // namespace
}  // namespace cui::cli
