// Steps side by side: which run at a time, and what comes of one that fails.
#include "cli/compile/steps_beside.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "cli/base/beside.h"
#include "cli/base/files.h"
#include "cli/base/temporary.h"

namespace cui::cli {
namespace {
namespace fs = std::filesystem;

class StepsBeside : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (temporary_.path() / name).string(); }
  /// Goes on once another step has made the file; not for ever.
  std::string waitsFor(const std::string& file) const {
    return "for i in $(seq 500); do [ -e " + path(file) + " ] && break; sleep 0.01; done; [ -e " +
           path(file) + " ]";
  }
  void add(const std::string& line, std::vector<std::size_t> after = {}) {
    plan_.steps.push_back(
        {line, "step" + std::to_string(plan_.steps.size()), std::move(after), {}, std::string::npos, {}});
  }
  /// With stubs that come of the first step.
  void addLate(const std::string& line, std::vector<std::size_t> after = {}) {
    add(line, std::move(after));
    plan_.steps.back().late = LateText{path("stub"), path("stub.late"), {0}, {}, {}, 0, {}, {0}};
  }

  TemporaryDirectory temporary_{"steps_beside_test"};
  NvccPlan plan_;
};

TEST_F(StepsBeside, TwoAtATimeAndWhatTheySayInOrder) {
  add(waitsFor("second") + " && echo one && echo first >&2");
  add("touch " + path("second") + "; echo two; echo second >&2");
  add("echo three", {0, 1});
  plan_.messages = "nvcc warning\n";
  const ProcessResult result = runSteps(plan_);
  EXPECT_EQ(result.exitCode, 0);
  EXPECT_EQ(result.output, "one\ntwo\nthree\n");
  EXPECT_EQ(result.error, "nvcc warning\nfirst\nsecond\n");
}

TEST_F(StepsBeside, NoMoreThanJobs) {
  const std::string counts = "ls " + path("") + "running.* | wc -l >> " + path("most");
  for (int i = 0; i < 5; ++i) {
    const std::string mine = path("running." + std::to_string(i));
    add("touch " + mine + "; sleep 0.05; " + counts + "; rm " + mine);
  }
  EXPECT_EQ(runSteps(plan_).exitCode, 0);
  EXPECT_EQ(readFile(path("most")).find_first_not_of("12\n"), std::string::npos) << readFile(path("most"));
}

TEST_F(StepsBeside, WhatIsBehindTheOneThatFailsIsNotSaid) {
  add(waitsFor("third") + " && echo one");
  add(waitsFor("third") + "; echo two >&2; exit 3", {});
  add("touch " + path("third") + "; echo three >&2; exit 4");
  add("touch " + path("fourth"), {1});
  ::setenv(jobsVariable, "3", 1);
  const ProcessResult result = runSteps(plan_);
  ::unsetenv(jobsVariable);
  EXPECT_EQ(result.exitCode, 3);
  EXPECT_EQ(result.output, "one\n");
  EXPECT_EQ(result.error, "two\n");
  EXPECT_FALSE(fs::exists(path("fourth")));
}

TEST_F(StepsBeside, OneThatASignalEndsIsNamed) {
  add("kill -SEGV $$");
  const ProcessResult result = runSteps(plan_);
  EXPECT_EQ(result.exitCode, 139);
  EXPECT_NE(result.error.find("'step0' died due to signal 11"), std::string::npos) << result.error;
}

TEST_F(StepsBeside, VariablesAreThoseOfTheStepsAlone) {
  plan_.environment = {{"CUI_STEPS_BESIDE_TEST", "here"}, {"HOME", "/nowhere"}};
  const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "";
  add("echo $CUI_STEPS_BESIDE_TEST $HOME");
  EXPECT_EQ(runSteps(plan_).output, "here /nowhere\n");
  EXPECT_EQ(std::getenv("CUI_STEPS_BESIDE_TEST"), nullptr);
  EXPECT_EQ(std::getenv("HOME") ? std::getenv("HOME") : "", home);
}

/// It has begun before what it reads is there, or the other step would not go on.
TEST_F(StepsBeside, LateTextIsReadOnceItIsComplete) {
  add(waitsFor("begun") + " && sleep 0.1 && echo late > " + path("stub"));
  addLate("touch " + path("begun") + "; cat " + path("stub.late") + "; cat " + path("stub.late"));
  EXPECT_EQ(runSteps(plan_).output, "late\nlate\n");  // a second time it is a file
}

/// One that comes for it when it has long been there.
TEST_F(StepsBeside, LateTextWaitsForWhoReadsIt) {
  add("echo late > " + path("stub"));
  addLate("sleep 0.3; cat " + path("stub.late"));
  EXPECT_EQ(runSteps(plan_).output, "late\n");
}

TEST_F(StepsBeside, LateTextThatNobodyReads) {
  add("echo late > " + path("stub"));
  addLate("echo does not");
  add("echo after", {0, 1});
  EXPECT_EQ(runSteps(plan_).output, "does not\nafter\n");
}

TEST_F(StepsBeside, LateTextThatNeverComes) {
  add(waitsFor("begun") + "; exit 5");
  addLate("touch " + path("begun") + "; cat " + path("stub.late") + "; echo not to be seen");
  const ProcessResult result = runSteps(plan_);
  EXPECT_EQ(result.exitCode, 5);
  EXPECT_EQ(result.output, "");
}

/// GCC itself, with the text of its unit's end.
TEST_F(StepsBeside, GccCompilesWhatComesLate) {
  replaceFile(path("unit.cpp"), "int before();\n#include \"stub.late\"\n");
  add("sleep 0.2; echo 'int before() { return 1; }' > " + path("stub"));
  addLate("gcc -c -x c++ " + path("unit.cpp") + " -o " + path("unit.o"));
  const ProcessResult result = runSteps(plan_);
  EXPECT_EQ(result.exitCode, 0) << result.error;
  EXPECT_NE(runProcess({"nm", path("unit.o")}, Capture::everything).output.find("T _Z6beforev"),
            std::string::npos);
}

/// A unit of GCC's whose images come when it is compiled: a step in fatbinary's place waits for that.
class StepsWithImages : public StepsBeside {
 protected:
  /// `embedded`: what that step writes into `$file` in the end. It is asked for the text with other words.
  void addUnit(const std::string& embedded) {
    replaceFile(path("unit.cpp"), "#include \"stub.late\"\n");
    replaceFile(
        path("fatbinary"),
        "#!/bin/sh\nfile=${1#*=}\nimages() { printf 'asm(\".globl data\\\\n\"\\n\"data:\\\\n\"\\n\".quad "
        "%s\\\\n\"\\n\".text\\\\n\");\\n' $1 > $file; }\n"
        "case $file in *nothing*) images 0x1; exit ;; esac\n" +
            waitsFor("compiled") + "; " + embedded + "\n");
    std::filesystem::permissions(path("fatbinary"), std::filesystem::perms::owner_all);
    add("echo '#include \"embedded\"' > " + path("stub"));
    add(path("fatbinary") + " --embedded-fatbin=" + path("images") + " --image3=kind=elf,sm=90,file=x", {0});
    add("cd " + temporary_.path().string() +
        " && echo >> begun && gcc -S unit.cpp && { [ ! -e compiled ] || { echo again; sleep 0.3; }; } && "
        "touch compiled && "
        "gcc -c unit.s");
    plan_.steps.back().late = LateText{
        path("stub"), path("stub.late"), {0}, path("embedded"), path("images"), 1, {path("unit.ptx")}, {0}};
  }
  std::string dataOfObject() const {
    return runProcess({"objdump", "-s", path("unit.o")}, Capture::everything).output;
  }
};

TEST_F(StepsWithImages, AreReadByTheAssembler) {
  addUnit("images 0x1122334455667788");
  const ProcessResult result = runSteps(plan_);
  EXPECT_EQ(result.exitCode, 0) << result.error;
  EXPECT_EQ(result.output, "");
  EXPECT_NE(dataOfObject().find("88776655 44332211"), std::string::npos) << dataOfObject();
}

/// With other text than was known in front. Once, whatever else goes on.
TEST_F(StepsWithImages, ThatWereNotKnownAreCompiledAnew) {
  addUnit("images 0x1122334455667788; echo 'int another;' >> $file");
  for (int i = 0; i < 8; ++i) add("sleep 0.02", {1});
  const ProcessResult result = runSteps(plan_);
  EXPECT_EQ(result.exitCode, 0) << result.error;
  EXPECT_EQ(result.output, "again\n");
  EXPECT_EQ(readFile(path("begun")), "\n\n");
  EXPECT_NE(dataOfObject().find("88776655 44332211"), std::string::npos) << dataOfObject();
  EXPECT_NE(runProcess({"nm", path("unit.o")}, Capture::everything).output.find(" another"),
            std::string::npos);
}

TEST_F(StepsWithImages, ThatNeverCome) {
  addUnit("exit 4");
  EXPECT_EQ(runSteps(plan_).exitCode, 4);
}

}  // namespace
}  // namespace cui::cli
