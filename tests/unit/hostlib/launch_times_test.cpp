// Launches that were timed by one event: where their beginnings come from.
#include "hostlib/launch_times.h"

#include <gtest/gtest.h>

#include <utility>

#include "fakes.h"

namespace cui::hostlib {
namespace {

using test::entryOf;
using test::fakeLaunch;
using test::Record;
using test::slotOf;

constexpr std::uint64_t turn = std::uint64_t{1} << 44;  ///< of the timer's bits

static_assert(format::kernelNumberOf(format::kernelAddress(0xfffff, ~std::uint64_t{0})) == 0xfffff);
static_assert(format::kernelBeganOf(format::kernelAddress(0xfffff, 5 * turn + 17)) == 17);
static_assert(format::kernelBeganOf(format::kernelAddress(3, turn)) == 1);  // 0 would be: not told
static_assert(format::kernelNumberOf(3) == 3 && format::kernelBeganOf(3) == 0);

class LaunchTimesTest : public test::RoutedTest {
 protected:
  LaunchTimesTest() {
    router_.handle(GridBaseEvent{0, 1});
    router_.attachRing(0);
    router_.handle(DeviceTimerEvent{0, 1000});
  }
  void launch(std::uint64_t id, std::uint64_t stream = 0, std::int64_t hostEndNs = 0) {
    router_.handle(LaunchEvent{id, fakeLaunch(0, stream)});
    router_.handle(LaunchEndEvent{id, hostEndNs, 0, ""});
  }
  void entry(std::uint32_t grid, std::uint64_t timer, std::uint32_t run = 0) {
    Record record = entryOf(grid, base_, 0, 2, 32);
    record.address = timer == 0 ? 0 : format::kernelAddress(0, timer);
    record.number = run;
    const Slot slot = slotOf(record);
    router_.route(0, &slot, 1);
  }
  void ended(std::uint64_t id, std::int64_t endNs) {
    router_.handle(LaunchTimeEvent{id, CUI_BEGIN_IN_ENTRY, endNs});
  }
  using Times = std::map<std::uint64_t, std::pair<std::int64_t, std::int64_t>>;
};

TEST_F(LaunchTimesTest, EntryThenEnd) {
  launch(1);
  entry(1, 5000);
  EXPECT_TRUE(told_.times.empty());
  ended(1, 6700);
  EXPECT_EQ(told_.times, (Times{{1, {6000, 6700}}}));
}

TEST_F(LaunchTimesTest, EndThenEntry) {
  launch(1);
  ended(1, 6700);
  EXPECT_TRUE(told_.times.empty());
  entry(1, 5000);
  EXPECT_EQ(told_.times, (Times{{1, {6000, 6700}}}));
}

TEST_F(LaunchTimesTest, EntryBeforeItsLaunchIsAnnounced) {
  entry(1, 5000);
  launch(1);
  ended(1, 6700);
  EXPECT_EQ(told_.times, (Times{{1, {6000, 6700}}}));
}

TEST_F(LaunchTimesTest, TwoEventsAsTheySay) {
  launch(1);
  entry(1, 5000);
  router_.handle(LaunchTimeEvent{1, 6001, 6700});
  EXPECT_EQ(told_.times, (Times{{1, {6001, 6700}}}));
  router_.finish();
  EXPECT_EQ(told_.times.size(), 1u);
}

// The call's return is the best there is, unless the launch had ended by then.
TEST_F(LaunchTimesTest, WithoutEntryTheCallsReturn) {
  launch(1, 0, 6200);
  launch(2, 0, 9000);
  launch(3, 0, 9000);
  ended(1, 6700);
  ended(2, 6800);
  router_.handle(SettleEvent{0});
  EXPECT_TRUE(told_.times.empty());
  router_.finish();
  EXPECT_EQ(told_.times, (Times{{1, {6200, 6700}}, {2, {6800, 6800}}}));  // the third never ended
}

TEST_F(LaunchTimesTest, EntryThatDoesNotSay) {
  launch(1, 0, 6200);
  entry(1, 0);
  ended(1, 6700);
  EXPECT_TRUE(told_.times.empty());
  router_.handle(GridBaseEvent{0, 1});  // the device was reset
  EXPECT_EQ(told_.times, (Times{{1, {6200, 6700}}}));
}

// Every 4.9 hours the bits that entries have start anew, whatever the offset.
TEST_F(LaunchTimesTest, TimerTurnsOver) {
  for (const std::int64_t offset : {std::int64_t{-1'700'000'000'000'000'000}, std::int64_t{77}}) {
    router_.handle(GridBaseEvent{0, 1});
    router_.handle(DeviceTimerEvent{0, offset});
    told_.times.clear();
    const std::uint64_t timer = 96'000 * turn - 300;
    launch(1);
    entry(1, timer);
    const std::int64_t begin = static_cast<std::int64_t>(timer) + offset;
    ended(1, begin + 700);
    EXPECT_EQ(told_.times, (Times{{1, {begin, begin + 700}}}));
    // An hour.
    launch(2);
    ended(2, begin + 3'600'000'000'000);
    entry(2, timer);
    EXPECT_EQ(told_.times[2].first, begin);
  }
}

TEST_F(LaunchTimesTest, BeginsNoLaterThanItEnds) {
  launch(1);
  entry(1, 6000);
  ended(1, 6700);  // 300 ns before, as the clocks have it
  EXPECT_EQ(told_.times, (Times{{1, {6700, 6700}}}));
}

// Two streams with the same kernel: which grid is whose is only known once both have ended.
TEST_F(LaunchTimesTest, MatchedLate) {
  launch(1, 7);
  launch(2, 8);
  entry(9, 5500);
  ended(2, 6800);
  entry(8, 5000);
  ended(1, 6700);
  router_.handle(SettleEvent{0});
  EXPECT_EQ(told_.times, (Times{{1, {6000, 6700}}, {2, {6500, 6800}}}));
}

// Later entries of one grid are of a graph's later runs.
TEST_F(LaunchTimesTest, FirstEntryCounts) {
  launch(1);
  entry(1, 5000);
  entry(1, 5600, 1);
  ended(1, 6700);
  EXPECT_EQ(told_.times, (Times{{1, {6000, 6700}}}));
}

TEST_F(LaunchTimesTest, UnknownLaunchesKeepTheirEnd) {
  ended(5, 6700);
  router_.handle(LaunchTimeEvent{6, 6000, 6700});
  EXPECT_EQ(told_.times, (Times{{5, {6700, 6700}}, {6, {6000, 6700}}}));
}

}  // namespace
}  // namespace cui::hostlib
