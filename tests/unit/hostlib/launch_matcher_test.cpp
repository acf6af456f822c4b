#include "hostlib/launch_matcher.h"

#include <gtest/gtest.h>

namespace cui::hostlib {
namespace {

LaunchShape shape(const char* kernel, std::uint32_t blocks = 2) {
  return LaunchShape{kernel, blocks, 32};
}

TEST(LaunchMatcher, OneStreamInOrder) {
  LaunchMatcher m;
  m.setBase(10);
  for (std::uint64_t id = 1; id <= 3; ++id) m.launched(id, shape("a"), 0);
  for (std::uint32_t grid = 10; grid < 13; ++grid) m.entered(grid, shape("a"));
  for (std::uint32_t grid = 10; grid < 13; ++grid) EXPECT_EQ(m.find(grid), grid - 9u);
}

// A library's kernels take numbers between ours; the launches are far ahead of the device.
TEST(LaunchMatcher, ForeignGridsInOneStream) {
  LaunchMatcher m;
  m.setBase(1);
  for (std::uint64_t id = 1; id <= 5; ++id) m.launched(id, shape("a"), 0);
  m.entered(3, shape("a"));
  m.entered(5, shape("a"));
  m.entered(9, shape("a"));
  EXPECT_EQ(m.find(3), 1u);
  EXPECT_EQ(m.find(5), 2u);
  EXPECT_EQ(m.find(9), 3u);
}

TEST(LaunchMatcher, TwoStreamsEnterOutOfOrder) {
  LaunchMatcher m;
  m.setBase(1);
  m.launched(1, shape("a"), 7);
  m.launched(2, shape("b"), 8);
  m.entered(2, shape("b"));  // the kernel tells them apart
  EXPECT_EQ(m.find(2), 2u);
  m.entered(1, shape("a"));
  EXPECT_EQ(m.find(1), 1u);
}

// Equal kernels in two streams: an entry out of order could be either until the other one is known.
TEST(LaunchMatcher, EqualKernelsWaitForCertainty) {
  LaunchMatcher m;
  m.setBase(1);
  m.launched(1, shape("a"), 7);
  m.launched(2, shape("a"), 8);
  m.entered(2, shape("a"));
  EXPECT_FALSE(m.find(2));
  m.entered(1, shape("a"));
  EXPECT_EQ(m.find(1), 1u);
  EXPECT_EQ(m.find(2), 2u);
}

TEST(LaunchMatcher, SettlingPairsFinishedLaunchesByOrder) {
  LaunchMatcher m;
  m.setBase(1);
  m.launched(1, shape("a"), 7);
  m.launched(2, shape("a"), 8);
  m.launched(3, shape("a"), 9);
  m.entered(6, shape("a"));  // 1, 2, 3 and 5 are a library's
  m.entered(4, shape("a"));
  m.finished(1);
  m.finished(2);
  EXPECT_FALSE(m.find(4));
  m.settle();
  EXPECT_EQ(m.find(4), 1u);
  EXPECT_EQ(m.find(6), 2u);
  m.entered(7, shape("a"));
  EXPECT_EQ(m.find(7), 3u);
}

TEST(LaunchMatcher, ExtentsTellLaunchesApart) {
  LaunchMatcher m;
  m.setBase(1);
  m.launched(1, shape("a", 4), 7);
  m.launched(2, shape("a", 8), 8);
  m.entered(2, shape("a", 8));
  EXPECT_EQ(m.find(2), 2u);
}

// A finished launch that never entered (its kernel's entry was dropped) must not stop those behind it.
TEST(LaunchMatcher, SilentLaunchIsPassedOver) {
  LaunchMatcher m;
  m.setBase(1);
  m.launched(1, shape("b"), 0);
  m.launched(2, shape("a"), 0);
  m.entered(2, shape("a"));
  EXPECT_FALSE(m.find(2));
  m.finished(1);
  m.finished(2);
  m.settle();
  EXPECT_EQ(m.find(2), 2u);
}

TEST(LaunchMatcher, EntryBeforeItsLaunchIsAnnounced) {
  LaunchMatcher m;
  m.setBase(1);
  m.entered(1, shape("a"));
  EXPECT_FALSE(m.find(1));
  m.launched(1, shape("a"), 0);
  EXPECT_EQ(m.find(1), 1u);
}

// A node that was given other parameters before it ran.
TEST(LaunchMatcher, ForgottenNodesAreNotMatched) {
  LaunchMatcher m;
  m.setBase(1);
  m.captured(1, shape("a"));
  m.captured(2, shape("a"));
  m.forget(1);
  m.entered(5, shape("a"));
  EXPECT_EQ(m.find(5), 2u);
}

TEST(LaunchMatcher, ExpectsWhatWasAnnouncedAndIsNotMatched) {
  LaunchMatcher m;
  m.setBase(1);
  m.captured(1, shape("a"));  // may never run
  EXPECT_FALSE(m.expects(1, shape("a")));
  m.launched(2, shape("a"), 0);
  EXPECT_TRUE(m.expects(1, shape("a")));
  EXPECT_FALSE(m.expects(1, shape("a", 3)));
  m.entered(1, shape("a"));
  EXPECT_FALSE(m.expects(1, shape("a")));
}

TEST(LaunchMatcher, GraphNodeKeepsItsLaunchOverReplays) {
  LaunchMatcher m;
  m.setBase(1);
  m.captured(1, shape("a"));
  m.entered(5, shape("a"));
  m.entered(5, shape("a"));
  EXPECT_EQ(m.find(5), 1u);
  EXPECT_TRUE(m.unmatchedEntries().empty());
}

TEST(LaunchMatcher, GuessesOnlyWhenTold) {
  LaunchMatcher m;
  m.setBase(1);
  m.launched(1, shape("a"), 7);
  m.launched(2, shape("a"), 8);
  m.entered(5, shape("a"));
  EXPECT_FALSE(m.find(5));
  m.guess();
  EXPECT_EQ(m.find(5), 1u);
  EXPECT_EQ(m.guesses(), 1u);
}

TEST(LaunchMatcher, NumbersBeyond32Bits) {
  LaunchMatcher m;
  m.setBase(0xffffffffu);
  for (std::uint64_t id = 1; id <= 2; ++id) m.launched(id, shape("a"), 0);
  m.entered(0xffffffffu, shape("a"));
  m.entered(0, shape("a"));
  EXPECT_EQ(m.find(0xffffffffu), 1u);
  EXPECT_EQ(m.find(0), 2u);
}

/// Small launches that the device ran while nobody listened. Looking through those that wait for each that
/// comes would take minutes.
constexpr std::uint32_t many = 200000;

TEST(LaunchMatcher, ManyEntriesBeforeTheirLaunches) {
  LaunchMatcher m;
  m.setBase(1);
  for (std::uint32_t grid = 1; grid <= many; ++grid) m.entered(grid, shape("a"));
  for (std::uint64_t id = 1; id <= many; ++id) m.launched(id, shape("a"), 0);
  for (std::uint32_t grid = 1; grid <= many; ++grid) ASSERT_EQ(m.find(grid), grid);
  EXPECT_TRUE(m.unmatchedEntries().empty());
}

TEST(LaunchMatcher, ManyEntriesAmongForeignGrids) {
  LaunchMatcher m;
  m.setBase(1);
  for (std::uint32_t i = 1; i <= many; ++i) m.entered(3 * i, shape("a"));
  for (std::uint64_t id = 1; id <= many; ++id) m.launched(id, shape("a"), 0);
  for (std::uint32_t i = 1; i <= many; ++i) ASSERT_EQ(m.find(3 * i), i);
}

TEST(LaunchMatcher, ManyEntriesOfTwoStreamsWaitUntilSettled) {
  LaunchMatcher m;
  m.setBase(1);
  for (std::uint64_t id = 1; id <= many; ++id) m.launched(id, shape("a"), id % 2);
  for (std::uint32_t i = 1; i <= many; ++i) m.entered(3 * i, shape("a"));
  EXPECT_FALSE(m.find(3));
  for (std::uint64_t id = 1; id <= many; ++id) m.finished(id);
  m.settle();
  for (std::uint32_t i = 1; i <= many; ++i) ASSERT_EQ(m.find(3 * i), i);
  EXPECT_EQ(m.guesses(), 0u);
}

TEST(LaunchMatcher, ManyEntriesBehindManySilentLaunches) {
  LaunchMatcher m;
  m.setBase(1);
  for (std::uint64_t id = 1; id <= many; ++id) m.launched(id, shape("b"), 0);
  for (std::uint64_t id = many + 1; id <= 2 * many; ++id) m.launched(id, shape("a"), 0);
  for (std::uint32_t i = 1; i <= many; ++i) m.entered(3 * i, shape("a"));
  m.guess();
  for (std::uint32_t i = 1; i <= many; ++i) ASSERT_EQ(m.find(3 * i), many + i);
  EXPECT_EQ(m.guesses(), many);
}

// A variable was called: any kernel of these extents may be meant, in the order of their numbers.
TEST(LaunchMatcher, LaunchOfAVariableTakesTheFirstGridThatFits) {
  LaunchMatcher m;
  m.setBase(1);
  m.entered(4, shape("b"));
  m.entered(9, shape("a"));
  m.entered(3, shape("a", 8));
  m.launched(1, shape(""), 0);
  EXPECT_EQ(m.find(4), 1u);
  EXPECT_FALSE(m.find(9));
  m.launched(2, shape(""), 0);
  EXPECT_EQ(m.find(9), 2u);
  EXPECT_FALSE(m.find(3));
}

}  // namespace
}  // namespace cui::hostlib
