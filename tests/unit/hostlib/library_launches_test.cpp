// Records of functions of the program's in kernels of other code, which do not announce themselves: whose
// they are.
#include "hostlib/library_launches.h"

#include <gtest/gtest.h>

#include <string>

#include "fakes.h"
#include "hostlib/router.h"

namespace cui::hostlib {
namespace {

using test::entryOf;
using test::fakeLaunch;
using test::Record;
using test::slotOf;
using Addresses = std::vector<std::uint64_t>;

class LibraryLaunchesTest : public test::RoutedTest {
 protected:
  LibraryLaunchesTest() {
    router_.handle(GridBaseEvent{0, 5});
    router_.attachRing(0);
  }
  static LibraryLaunchEvent librarys(std::uint64_t id, std::uint32_t blocks = 2,
                                     const char* kernel = "for_each<F>") {
    LibraryLaunchEvent event = {id, {}, kernel, ""};
    for (int i = 0; i < 3; ++i) event.launch.grid[i] = event.launch.block[i] = 1;
    event.launch.grid[0] = blocks;
    event.launch.block[0] = 32;
    return event;
  }
  void library(std::uint64_t id, std::uint32_t blocks = 2) { router_.handle(librarys(id, blocks)); }
  /// Of kernel "a", <<<2, 32>>>; `silent`: it runs code without the recorder.
  void own(std::uint64_t id, bool silent = false) {
    CuiLaunch made = fakeLaunch(0, 0);
    made.silent = silent ? 1 : 0;
    router_.handle(LaunchEvent{id, made});
    router_.handle(LaunchEndEvent{id, 0, 0, ""});
  }
  void entry(std::uint32_t grid) { route(slotOf(entryOf(grid, base_, 0, 2, 32))); }
  /// Block `inBlock` of the grid accesses `address`.
  void access(std::uint32_t grid, std::uint64_t address, std::uint32_t inBlock = 0) {
    Record record{0, grid, address};
    record.block = inBlock;
    route(slotOf(record));
  }
  void route(const Slot& slot) { router_.route(0, &slot, 1); }
  void settle() { router_.handle(SettleEvent{0}); }
};

// Grids 5 to 8 are launches 1 to 4.
TEST_F(LibraryLaunchesTest, ByTheNumbersOfTheGrids) {
  library(1);
  own(2);
  library(3);
  library(4);
  access(5, 10);
  entry(6);
  access(6, 20);
  access(8, 40);
  EXPECT_EQ(told_.addresses.count(1), 0u);
  settle();
  EXPECT_EQ(told_.addresses[1], (Addresses{10}));
  EXPECT_EQ(told_.addresses[2], (Addresses{20}));
  EXPECT_EQ(told_.addresses[4], (Addresses{40}));
  EXPECT_EQ(told_.instrumented[4], false);
  library(5);
  access(9, 50);
  access(8, 41);  // late
  settle();
  EXPECT_EQ(told_.addresses[5], (Addresses{50}));
  EXPECT_EQ(told_.addresses[4], (Addresses{40, 41}));
  router_.finish();
  EXPECT_EQ(told_.addresses.count(0), 0u);
  EXPECT_TRUE(told_.stats.empty());
}

// What runs without the recorder takes numbers, too.
TEST_F(LibraryLaunchesTest, BehindLaunchesThatSendNothing) {
  own(1, true);
  library(2);
  own(3, true);
  library(4);
  access(8, 40);
  settle();
  EXPECT_EQ(told_.addresses[4], (Addresses{40}));
}

// A fill of the driver's took number 6: the last launch is found by what is behind it.
TEST_F(LibraryLaunchesTest, CountedFromBehind) {
  library(1);
  library(2);
  own(3);
  access(7, 20);
  entry(8);
  settle();
  EXPECT_EQ(told_.addresses[2], (Addresses{20}));
}

// Two fills in front of all: the distances between grids say which they are, not their blocks alone.
TEST_F(LibraryLaunchesTest, BehindOthersByTheirDistance) {
  for (const std::uint64_t id : {1, 2, 3, 4, 5}) library(id, id == 4 ? 90 : 2);
  access(8, 20);
  access(10, 40, 50);
  settle();
  EXPECT_EQ(told_.addresses[2], (Addresses{20}));
  EXPECT_EQ(told_.addresses[4], (Addresses{40}));
  EXPECT_EQ(told_.stats["launch_match_guessed"], 2);
}

TEST_F(LibraryLaunchesTest, ByTheirBlocksWhereNumbersSayNothing) {
  library(1, 2);
  library(2, 90);
  library(3, 2);
  access(9, 20, 70);
  access(31, 30, 1);
  settle();
  EXPECT_EQ(told_.addresses[2], (Addresses{20}));
  EXPECT_EQ(told_.addresses[3], (Addresses{30}));
  EXPECT_EQ(told_.stats["launch_match_guessed"], 2);
  EXPECT_TRUE(router_.losses().empty());
}

// A launch of the program's own has not entered: the records may be its.
TEST_F(LibraryLaunchesTest, NotWhileOthersAreToEnter) {
  library(1);
  own(2);
  access(6, 20);
  settle();
  entry(6);
  EXPECT_EQ(told_.addresses[2], (Addresses{20}));
  router_.finish();
  EXPECT_EQ(told_.addresses.count(1), 0u);
}

TEST_F(LibraryLaunchesTest, NoLaunchHasSuchBlocks) {
  library(1, 2);
  access(5, 20, 70);
  router_.finish();
  EXPECT_EQ(told_.addresses[0], (Addresses{20}));
  EXPECT_EQ(router_.losses().at("records_without_launch"), 1);
}

TEST_F(LibraryLaunchesTest, Profiles) {
  library(1);
  library(2);
  CuiProfile sums = {};
  sums.launchKey = 6;
  sums.sums[0].requests = 5;
  router_.handle(ProfileEvent{0, {sums}});
  router_.handle(ProfileEvent{0, {}});
  settle();
  EXPECT_EQ(told_.totals[2].size(), 1u);
  EXPECT_EQ(told_.totals.count(0), 0u);
}

TEST_F(LibraryLaunchesTest, WhatIsNotChosenIsLeftOut) {
  Selection selection;
  selection.setKernels("for_each");
  Router router(sink_, units_, [this] { return ++newId_; }, 64 * sizeof(Slot), selection);
  router.handle(GridBaseEvent{0, 5});
  router.attachRing(0);
  router.handle(librarys(1));
  router.handle(librarys(2, 2, "transform<F>"));
  for (const std::uint32_t grid : {5u, 6u}) {
    const Slot slot = slotOf(Record{0, grid, grid});
    router.route(0, &slot, 1);
  }
  router.handle(SettleEvent{0});
  router.finish();
  EXPECT_EQ(told_.addresses, (std::map<std::uint64_t, Addresses>{{1, {5}}}));
  EXPECT_TRUE(router.losses().empty());
}

// They are none of those that a selection could have named instead.
TEST_F(LibraryLaunchesTest, AreNotCountedAmongThoseLeftOut) {
  Selection selection;
  selection.setKernels("other");
  Router router(sink_, units_, [this] { return ++newId_; }, 64 * sizeof(Slot), selection);
  router.handle(GridBaseEvent{0, 5});
  router.attachRing(0);
  router.handle(librarys(1));
  router.handle(LaunchEvent{2, fakeLaunch(0, 0)});
  router.handle(LaunchEndEvent{2, 0, 0, ""});
  EXPECT_EQ(router.nothingSelected().rfind("1 launches", 0), 0u) << router.nothingSelected();
}

}  // namespace
}  // namespace cui::hostlib
