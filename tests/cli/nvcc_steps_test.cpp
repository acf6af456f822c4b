// What nvcc says that it would run: which steps need which.
#include "cli/compile/nvcc_steps.h"

#include <gtest/gtest.h>

#include <string>

#include "cli/base/files.h"
#include "cli/base/temporary.h"

namespace cui::cli {
namespace {

bool always(const std::string& /*program*/) {
  return true;
}
bool never(const std::string& /*program*/) {
  return false;
}
using Places = std::vector<std::size_t>;

/// A unit's steps, in nvcc 13's order and with its spelling, as far as they name files.
std::string stepsOf(const std::string& number, const std::string& source) {
  const std::string file = "/t/tmpxft_0000abcd_00000000-" + number + "_" + source,
                    stub = "tmpxft_0000abcd_00000000-" + number + "_" + source + ".cudafe1.stub.c";
  return "#$ gcc -E -x c++ \"" + source + ".cu\" -o \"" + file + ".cpp4.ii\" \n" +
         "#$ cudafe++ --orig_src_file_name \"in/" + source + ".cu\" --gen_c_file_name \"" + file +
         ".cudafe1.cpp\" --stub_file_name \"" + stub + "\" --gen_module_id_file --module_id_file_name \"" +
         file + ".module_id\" \"" + file + ".cpp4.ii\" \n" +  //
         "#$ gcc -E -x c++ \"" + source + ".cu\" -o \"" + file + ".cpp1.ii\" \n" +
         "#$ \"$CICC_PATH/cicc\" --include_file_name \"tmpxft_0000abcd_00000000-" + number + "_" + source +
         ".fatbin.c\" --module_id_file_name \"" + file + ".module_id\" --stub_file_name \"/t/" + stub +
         "\" \"" + file + ".cpp1.ii\" -o \"" + file + ".ptx\"\n" +  //
         "#$ ptxas \"" + file + ".ptx\" -o \"" + file + ".cubin\" \n" +
         "#$ fatbinary \"--image3=kind=elf,sm=90,file=" + file +
         ".cubin\" \"--image3=kind=ptx,sm=90,file=" + file + ".ptx\" --embedded-fatbin=\"" + file +
         ".fatbin.c\" \n" +               //
         "#$ rm " + file + ".fatbin\n" +  //
         "#$ gcc -c -x c++ -Wno-psabi \"" + file + ".cudafe1.cpp\" -o \"" + file + ".o\" \n";
}

TEST(NvccSteps, EachAfterWhatItNeeds) {
  const auto plan = planOf(
      "#$ CICC_PATH=/n/bin\n#$ _SPACE_= \nnvcc warning : an old GPU\n" + stepsOf("1", "a"), "/t", always);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->messages, "nvcc warning : an old GPU\n");
  const std::vector<std::pair<std::string, std::string>> variables = {{"CICC_PATH", "/n/bin"},
                                                                      {"_SPACE_", " "}};
  EXPECT_EQ(plan->environment, variables);
  ASSERT_EQ(plan->steps.size(), 7U);  // without rm
  EXPECT_EQ(plan->steps[0].after, Places({}));
  EXPECT_EQ(plan->steps[1].after, Places({0}));
  EXPECT_EQ(plan->steps[2].after, Places({}));
  EXPECT_EQ(plan->steps[3].program, "cicc");
  EXPECT_EQ(plan->steps[3].after, Places({2, 0}));  // the module's name is made of 0's text
  EXPECT_EQ(plan->steps[4].after, Places({3}));
  EXPECT_EQ(plan->steps[5].after, Places({3, 4}));
  EXPECT_EQ(plan->steps[6].after, Places({1}));
}

TEST(NvccSteps, TheHostsCompilationBeginsWithoutTheStubs) {
  const auto plan = planOf(stepsOf("1", "a"), "/t", always);
  ASSERT_TRUE(plan);
  const std::string stub = "tmpxft_00000000_00000000-1_a.cudafe1.stub.c";
  ASSERT_TRUE(plan->steps[6].late);
  const LateText& late = *plan->steps[6].late;
  EXPECT_EQ(late.stubs, "/t/" + stub);
  EXPECT_EQ(late.lateStubs, "/t/" + stub + ".late");
  EXPECT_EQ(late.stubsAfter, Places({0, 1, 2, 3}));
  EXPECT_NE(plan->steps[1].line.find("--stub_file_name \"" + stub + ".late\""), std::string::npos);
  EXPECT_NE(plan->steps[3].line.find("--stub_file_name \"/t/" + stub + "\""), std::string::npos);
}

TEST(NvccSteps, AndWithoutTheImages) {
  const auto plan = planOf(stepsOf("1", "a"), "/t", always);
  ASSERT_TRUE(plan && plan->steps[6].late);
  const LateText& late = *plan->steps[6].late;
  const std::string file = "/t/tmpxft_00000000_00000000-1_a.fatbin.c";
  EXPECT_EQ(late.embedded, file);
  EXPECT_EQ(late.images, file + ".images");
  EXPECT_EQ(late.fatbinary, 5U);
  EXPECT_EQ(late.ptx, std::vector<std::filesystem::path>({"/t/tmpxft_00000000_00000000-1_a.ptx"}));
  EXPECT_NE(plan->steps[5].line.find("--embedded-fatbin=\"" + file + ".images\""), std::string::npos);
}

/// The assembly is in the object as text then, and is read by the program's link.
TEST(NvccSteps, ImagesAreInFrontOfCodeForTheLink) {
  std::string steps = stepsOf("1", "a");
  const std::string host = "-Wno-psabi";
  steps.replace(steps.find(host), host.size(), "-O2 -flto=auto");
  const auto plan = planOf(steps, "/t", always);
  ASSERT_TRUE(plan && plan->steps[6].late);
  EXPECT_EQ(plan->steps[6].late->images, "");
  EXPECT_EQ(plan->steps[5].line.find(".images"), std::string::npos);
}

TEST(NvccSteps, AnotherHostCompilerBeginsAfterTheDevices) {
  const auto plan = planOf(stepsOf("1", "a"), "/t", never);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->steps[6].after, Places({0, 1, 2, 3, 4, 5}));
  EXPECT_FALSE(plan->steps[6].late);
  EXPECT_EQ(plan->steps[1].line.find(".late"), std::string::npos);
  EXPECT_EQ(plan->steps[5].line.find(".images"), std::string::npos);
}

/// Of -cuda, whose product is the host's text.
TEST(NvccSteps, WhatPreprocessesTheHostsTextIsAfterTheDevices) {
  std::string steps = stepsOf("1", "a");
  const std::string compiles = "gcc -c";
  steps.replace(steps.find(compiles), compiles.size(), "gcc -E");
  const auto plan = planOf(steps, "/t", always);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->steps[6].after, Places({0, 1, 2, 3, 4, 5}));
  EXPECT_FALSE(plan->steps[6].late);
}

TEST(NvccSteps, ModulesNamesAreOurs) {
  const auto plan = planOf(stepsOf("1", "a-b"), "/t", always);
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->modules.size(), 1U);
  EXPECT_EQ(plan->steps[1].line.find("--gen_module_id_file"), std::string::npos);
  EXPECT_EQ(plan->steps[1].module, 0U);
  EXPECT_EQ(plan->steps[3].module, 0U);
  EXPECT_EQ(plan->steps[4].module, std::string::npos);
  EXPECT_EQ(plan->modules[0].source, "a-b.cu");
  const TemporaryDirectory temporary("nvcc_steps_test");
  const auto idOf = [&](const std::string& text) {
    replaceFile(temporary.path() / "text", text);
    makeModuleId({temporary.path() / "id", temporary.path() / "text", plan->modules[0].source});
    return readFile(temporary.path() / "id");
  };
  const std::string id = idOf("one");
  EXPECT_EQ(id.size(), std::string("_01234567_6_a_b_cu_01234567").size());
  EXPECT_EQ(id.substr(9, 10), "_6_a_b_cu_");
  EXPECT_EQ(idOf("one"), id);
  EXPECT_NE(idOf("two"), id);
}

TEST(NvccSteps, SeveralSourcesNeedNothingOfEachOtherAndALinkAll) {
  const auto plan = planOf(stepsOf("1", "a") + stepsOf("2", "b") +
                               "#$ rm out\n#$ g++ \"/t/tmpxft_0000abcd_00000000-1_a.o\" -o \"out\" \n",
                           "/t", always);
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->steps.size(), 16U);
  EXPECT_EQ(plan->steps[7].after, Places({}));
  EXPECT_EQ(plan->steps[10].after, Places({9, 7}));
  EXPECT_EQ(plan->steps[14].after.size(), 14U);  // rm, of what is no temporary file
  EXPECT_EQ(plan->steps[15].after.size(), 15U);
}

TEST(NvccSteps, WithoutTheHostsFrontEndNvccMakesTheName) {
  const auto plan = planOf(
      "#$ gcc -E a.cu -o \"/t/tmpxft_0000abcd_00000000-7_a.cpp1.ii\" \n"
      "#$ cicc --gen_module_id_file --module_id_file_name \"/t/tmpxft_0000abcd_00000000-4_a.module_id\" "
      "\"/t/tmpxft_0000abcd_00000000-7_a.cpp1.ii\" -o \"a.ptx\"\n",
      "/t", always);
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->modules.empty());
  EXPECT_NE(plan->steps[1].line.find("--gen_module_id_file"), std::string::npos);
  EXPECT_EQ(plan->steps[1].after, Places({0}));
}

/// ptxas looks at what is the line's product.
TEST(NvccSteps, OneThatReadsAnothersProductIsAfterIt) {
  const auto plan = planOf(
      "#$ gcc -E a.cu -o \"/t/tmpxft_0000abcd_00000000-7_a.cpp1.ii\" \n"
      "#$ cicc \"/t/tmpxft_0000abcd_00000000-7_a.cpp1.ii\" -o \"a b.ptx\"\n"
      "#$ ptxas -arch=compute_90 -m64 \"a b.ptx\" \n",
      "/t", always);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->steps[2].after, Places({1}));
}

TEST(NvccSteps, DependenciesAreOfAllThatIsPreprocessed) {
  const std::string steps =
      "#$ gcc -E a.cu -o \"/t/tmpxft_0000abcd_00000000-7_a.cpp1.ii\" \n"
      "#$ gcc -E a.cu -o \"/t/tmpxft_0000abcd_00000000-5_a.cpp4.ii\" \n";
  const std::string filter = "#$ -- Filter Dependencies -- > out/a b.d\n";
  const auto plan = planOf(steps + filter, "/t", always);
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->steps.size(), 3U);
  EXPECT_EQ(plan->steps[2].after, Places({0, 1}));
  EXPECT_EQ(plan->steps[2].line, "out/a b.d");
  const std::vector<std::filesystem::path> texts = {"/t/tmpxft_00000000_00000000-7_a.cpp1.ii",
                                                    "/t/tmpxft_00000000_00000000-5_a.cpp4.ii"};
  EXPECT_EQ(plan->steps[2].preprocessed, texts);
  EXPECT_FALSE(planOf(steps + filter + filter, "/t", always)) << "of several sources";
  EXPECT_FALSE(planOf(steps + "#$ -- Another Thing -- > a\n", "/t", always));
}

/// Objects have these names, and are to be the same each time.
TEST(NvccSteps, TheProcessNumberIsInNoName) {
  const auto plan = planOf(stepsOf("1", "a"), "/t", always);
  ASSERT_TRUE(plan);
  for (const NvccStep& step : plan->steps) EXPECT_EQ(step.line.find("abcd"), std::string::npos) << step.line;
}

TEST(NvccSteps, NotWithALineOfSeveral) {
  EXPECT_FALSE(planOf("#$ gcc -c \"-DTEXT=\\\"a\nb\\\"\" a.cpp\n", "/t", always));
  EXPECT_TRUE(planOf("#$ gcc -c \"-DTEXT=\\\"a b\\\"\" a.cpp\n", "/t", always));
}

TEST(NvccSteps, NotWhereThereAreNone) {
  EXPECT_FALSE(planOf("", "/t", always));
  EXPECT_FALSE(planOf("Usage: nvcc\n", "/t", always));
}

}  // namespace
}  // namespace cui::cli
