// Commands that run beside each other.
#include "cli/base/process.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "cli/base/beside.h"
#include "cli/base/errors.h"
#include "cli/base/files.h"
#include "cli/base/signals.h"
#include "cli/base/temporary.h"

namespace cui::cli {
namespace {

namespace fs = std::filesystem;

Words shell(const std::string& script) {
  return {"bash", "-c", script};
}

class ProcessTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (temporary_.path() / name).string(); }
  /// A script that says so, and goes on once somebody makes the file `go`.
  std::string waitsFor(const std::string& go) const {
    return "touch '" + path("started." + go) + "'; until [ -e '" + path(go) + "' ]; do sleep 0.01; done; ";
  }

  TemporaryDirectory temporary_{"process_test"};
};

TEST_F(ProcessTest, TwoRunAtTheSameTime) {
  // Each waits for the other.
  Process first(shell(waitsFor("b") + "echo first"), Capture::everything);
  Process second(shell("touch '" + path("b") + "'; " + waitsFor("started.b") + "echo second >&2; exit 7"),
                 Capture::everything);
  const ProcessResult two = second.wait(), one = first.wait();
  EXPECT_EQ(one.output + "|" + one.error, "first\n|");
  EXPECT_EQ(two.output + "|" + two.error, "|second\n");
  EXPECT_EQ(one.exitCode, 0);
  EXPECT_EQ(two.exitCode, 7);
}

/// More than a pipe holds.
TEST_F(ProcessTest, OneThatPrintsMuchDoesNotStandStillWhileAnotherIsWaitedFor) {
  Process much(shell("head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2; touch '" + path("go") + "'"),
               Capture::everything);
  EXPECT_EQ(runProcess(shell(waitsFor("go") + "echo done"), Capture::everything).output, "done\n");
  const ProcessResult result = much.wait();
  EXPECT_EQ(result.output.size(), 300000U);
  EXPECT_EQ(result.error.size(), 300000U);
}

TEST_F(ProcessTest, OneThatNobodyWaitsForEnds) {
  const auto begin = std::chrono::steady_clock::now();
  {
    const Process left(
        shell("trap 'echo ended >\"" + path("ended") + "\"; exit 1' TERM; " + waitsFor("never")),
        Capture::everything);
    while (!fs::exists(path("started.never"))) {
    }
  }
  EXPECT_EQ(readFile(path("ended")), "ended\n");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST_F(ProcessTest, ASignalReachesAllAndAllHaveEnded) {
  const SignalGuard guard;
  const auto says = [&](const std::string& name) {
    return shell("trap 'echo >\"" + path(name) + "\"; exit 1' TERM; " + waitsFor("never." + name));
  };
  {
    Process first(says("one")), second(says("two"));
    while (!fs::exists(path("started.never.one")) || !fs::exists(path("started.never.two"))) {
    }
    std::raise(SIGTERM);
    EXPECT_THROW(second.wait(), Interrupted);
  }
  EXPECT_TRUE(fs::exists(path("one")));
  EXPECT_TRUE(fs::exists(path("two")));
  EXPECT_THROW(Process(shell("")), Interrupted);  // no new one
}

TEST_F(ProcessTest, OneThatCannotBeStartedIsAnError) {
  const Process other(shell(waitsFor("never")));
  EXPECT_THROW(Process({"no-such-program"}), Error);
}

TEST_F(ProcessTest, OneAtATimeTheOtherStartsWhenItIsWaitedFor) {
  ::setenv(jobsVariable, "1", 1);
  Beside later(shell("cat '" + path("text") + "'"));
  replaceFile(path("text"), "written before");
  EXPECT_EQ(later.wait().output, "written before");
  Beside never(shell("touch '" + path("ran") + "'"));
  ::unsetenv(jobsVariable);
  EXPECT_FALSE(fs::exists(path("ran")));
}

}  // namespace
}  // namespace cui::cli
