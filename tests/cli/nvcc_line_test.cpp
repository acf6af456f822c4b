// Unit tests of the command-line parser: the rows are what nvcc 13.0 was seen to accept.
#include "cli/compile/nvcc_line.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/base/errors.h"

namespace cui::cli {
namespace {

using Option = NvccOption;
using Words = std::vector<std::string>;

TEST(NvccLine, raisesOldStandards) {
  EXPECT_EQ(raisedStandard("c++11"), "c++14");
  EXPECT_EQ(raisedStandard("c++03"), "c++14");
  EXPECT_EQ(raisedStandard("gnu++0x"), "gnu++14");
  for (const char* const kept : {"c++14", "c++17", "gnu++20", "c11", "c99", ""})
    EXPECT_EQ(raisedStandard(kept), kept);
}

TEST(NvccLine, valuesStandApartJoinedOrBehindEquals) {
  const NvccLine line({"-I", "a", "-Ib", "-I=c", "--include-path", "d", "--include-path=e", "x.cu"});
  EXPECT_EQ(line.values(Option::includePath), (Words{"a", "b", "c", "d", "e"}));
  EXPECT_EQ(line.values(Option::input), Words{"x.cu"});
}

TEST(NvccLine, longerNamesWinOverJoinedValues) {
  const NvccLine line(
      {"-lineinfo", "-lib", "-lfoo", "-Ofc", "max", "-O3", "-time", "t.csv", "-t4", "-dlto", "-DX"});
  EXPECT_TRUE(line.has(Option::lineInfo));
  EXPECT_TRUE(line.has(Option::library));
  EXPECT_TRUE(line.has(Option::deviceLto));
  EXPECT_EQ(line.values(Option::libraryName), Words{"foo"});
  EXPECT_EQ(line.value(Option::fastCompile), "max");
  EXPECT_EQ(line.value(Option::optimize), "3");
  EXPECT_EQ(line.value(Option::time), "t.csv");
  EXPECT_EQ(line.value(Option::threads), "4");
  EXPECT_FALSE(line.has(Option::input));
}

TEST(NvccLine, optionsWithValuesDoNotEatInputs) {
  // -Xptxas -v: a value that looks like an option. -forward-unknown-opts: unknown options take none.
  const NvccLine line({"-Xptxas", "-v", "-forward-unknown-opts", "-march=native", "a.cu", "-o", "-odd.o"});
  EXPECT_EQ(line.values(Option::input), Words{"a.cu"});
  EXPECT_EQ(line.value(Option::ptxasOptions), "-v");
  EXPECT_EQ(line.values(Option::unknown), Words{"-march=native"});
  EXPECT_EQ(line.value(Option::output), "-odd.o");
}

TEST(NvccLine, lastValueWins) {
  EXPECT_EQ(NvccLine({"-std=c++14", "--std", "c++20"}).value(Option::standard), "c++20");
  EXPECT_EQ(NvccLine({"a.cu"}).value(Option::standard), std::nullopt);
}

TEST(NvccLine, gnuDialectKnowsHostOptionsWithValues) {
  const NvccLine line({"-MQ", "t", "-idirafter", "d", "-ofile", "-Werror", "-O", "a.cu"},
                      NvccLine::Dialect::gnu);
  EXPECT_EQ(line.values(Option::input), Words{"a.cu"});
  EXPECT_EQ(line.value(Option::output), "file");
  EXPECT_EQ(line.value(Option::warningsAsErrors), "");
  EXPECT_EQ(line.value(Option::optimize), "");
}

TEST(NvccLine, missingValueIsAUsageError) {
  try {
    const NvccLine line({"a.cu", "-o"});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
  }
}

class OptionFiles : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(directory_); }
  void TearDown() override { std::filesystem::remove_all(directory_); }
  std::string write(const std::string& name, const std::string& text) {
    const std::string path = directory_ / name;
    std::ofstream(path) << text;
    return path;
  }
  static std::string read(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  std::filesystem::path directory_ =
      std::filesystem::path(testing::TempDir()) / ("nvcc_line_" + std::to_string(getpid()));
};

TEST_F(OptionFiles, nestedFilesAreCopiedWithOnlyTheInputChanged) {
  const std::string inner = write("inner", "-O3\n  \"my a.cu\"   -DX=\"1 2\" # not a comment\n");
  const std::string outer = write("outer", "-c --options-file=" + inner + " -o x.o");
  const NvccLine line({"-v", "-optf", outer, "b.o"});
  EXPECT_EQ(line.values(Option::input), (Words{"my a.cu", "#", "not", "a", "comment", "b.o"}));
  std::size_t index = 0;
  while (line.arguments()[index].value != "my a.cu") ++index;

  const std::filesystem::path copies = directory_ / "copies";
  std::filesystem::create_directories(copies);
  const Words changed = line.withInputs({{index, "/tmp/0/my a.cu"}}, copies);
  ASSERT_EQ(changed.size(), 4u);
  EXPECT_EQ(changed[3], "b.o");
  const std::string newOuter = read(changed[2]);
  const std::string prefix = "-c \"--options-file=";
  ASSERT_EQ(newOuter.substr(0, prefix.size()), prefix);
  const std::string newInner = newOuter.substr(prefix.size(), newOuter.rfind('"') - prefix.size());
  EXPECT_EQ(read(newInner), "-O3\n  \"/tmp/0/my a.cu\"   -DX=\"1 2\" # not a comment\n");
}

TEST_F(OptionFiles, nvccKnowsNoSingleQuotesAndProtectsEveryCharacter) {
  const std::string file = write("flags", "-DA='\"'x y\" -DB=\\x\\\\\\ z 'w");
  EXPECT_EQ(NvccLine({"-optf", file}).values(Option::define), (Words{"A=''x y", "B=x\\ z"}));
  EXPECT_EQ(NvccLine({"-optf", file}).values(Option::input), Words{"'w"});
}

TEST_F(OptionFiles, anOptionIsLeftOutWhereverItStands) {
  const std::string file = write("flags", "-O3 -include a.h --pre-include=b.h -lfoo");
  const NvccLine line({"-include", "c.h", "-optf", file, "-c"});
  const Words changed = line.withInputs({}, directory_, Option::preInclude);
  ASSERT_EQ(changed.size(), 3u);
  EXPECT_EQ(changed[0], "-optf");
  EXPECT_EQ(NvccLine({"-optf", changed[1]}).expanded(), (Words{"-O3", "-lfoo"}));
  EXPECT_EQ(changed[2], "-c");
}

TEST_F(OptionFiles, untouchedFilesKeepTheirNames) {
  const std::string file = write("flags", "-O3 -lfoo");
  const NvccLine line({"@" + file, "a.cu"});
  EXPECT_EQ(line.value(Option::optimize), "3");
  std::size_t index = 0;
  while (line.arguments()[index].value != "a.cu") ++index;
  EXPECT_EQ(line.withInputs({{index, "b.cu"}}, directory_), (Words{"@" + file, "b.cu"}));
}

TEST_F(OptionFiles, aFileThatIncludesItselfIsAUsageError) {
  const std::string path = directory_ / "self";
  write("self", "-optf " + path);
  EXPECT_THROW(NvccLine({"-optf", path}), Error);
}

TEST(SplitList, commasInQuotesDoNotSeparate) {
  EXPECT_EQ(splitList("A,B=\"x,y\",C=\\,"), (Words{"A", "B=\"x,y\"", "C=\\,"}));
  EXPECT_EQ(splitList("-Wall, -O3", ", "), (Words{"-Wall", "-O3"}));
  EXPECT_TRUE(splitList("").empty());
}

TEST(Inputs, whatNvccCompilesAsCuda) {
  EXPECT_TRUE(isCudaInput("a.cu", std::nullopt));
  EXPECT_TRUE(isCudaInput("a.cpp", "cu"));
  EXPECT_TRUE(isCudaInput("kernels.inc", "cu"));
  EXPECT_FALSE(isCudaInput("-", "cu"));
  EXPECT_FALSE(isCudaInput("a.cu", "c++"));
  EXPECT_FALSE(isCudaInput("a.cpp", std::nullopt));
  EXPECT_FALSE(isCudaInput("a.o", "cu"));
}

}  // namespace
}  // namespace cui::cli
