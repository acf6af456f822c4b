// A graph's kernel that runs three times: records by run, and the device's counts, which are over all runs.
#include <gtest/gtest.h>

#include "fakes.h"
#include "hostlib/router.h"

namespace cui::hostlib {
namespace {

using test::entryOf;
using test::fakeLaunch;
using test::Record;
using test::slotOf;

/// Lane `lane` of warp 0 of a block says that the grid has run `run` times before.
Slot markOf(std::uint32_t block, unsigned lane, std::uint32_t run) {
  return slotOf(Record{0, 9, 0, 0, format::RecordType::barrier, 1u << lane, block, run});
}
Slot access(std::uint64_t address, std::uint32_t mask = ~0u, std::uint32_t block = 0) {
  return slotOf(Record{0, 9, address, 0, format::RecordType::access, mask, block});
}

class GraphRunsTest : public test::RoutedTest {
 protected:
  GraphRunsTest() {
    router_.attachRing(0);
    CuiLaunch launch = fakeLaunch(0, 0);
    launch.captured = 1;
    router_.handle(LaunchEvent{1, launch});
    router_.handle(LaunchEndEvent{1, 0, 0, ""});
  }
  /// Block 0 of run `run` has begun: this comes through the ring, before what waits in the device's memory.
  void entry(std::uint32_t run) {
    Record record = entryOf(9, base_, 0, 2, 32);
    record.number = run;
    route({slotOf(record)});
  }
  void route(const std::vector<Slot>& slots) { router_.route(0, slots.data(), slots.size()); }
  void count(std::uint64_t requests, std::uint64_t threads) {
    router_.handle(CountersEvent{0, {CuiCounter{9, 0, requests, threads}}});
  }
};

using Addresses = std::vector<std::uint64_t>;

TEST_F(GraphRunsTest, EachRunIsALaunch) {
  entry(0);
  entry(1);
  entry(2);
  // Two warp slots of the hardware, one after the other. In the first, block 0 of all runs; in the second
  // block 1 of run 2 before that of run 0, which is what a slot that comes later in the pool may have been
  // used for.
  route({access(10), markOf(0, 0, 1), access(11), markOf(0, 0, 2), access(12), access(13)});
  route({markOf(1, 0, 2), access(22, ~0u, 1)});
  EXPECT_EQ(told_.addresses[1], (Addresses{10}));
  EXPECT_EQ(told_.addresses[101], (Addresses{11}));
  EXPECT_EQ(told_.addresses[102], (Addresses{12, 13, 22}));
  EXPECT_EQ(told_.stats["graph_runs"], 2);
}

// What one lane says goes for the records that it leads, and no others.
TEST_F(GraphRunsTest, LanesAreToldApart) {
  entry(0);
  entry(1);
  route({access(10), access(11, 0xffff0000u), markOf(0, 0, 1), access(12), access(13, 0xffff0000u),
         markOf(0, 16, 1), access(14, 0xffff0000u)});
  EXPECT_EQ(told_.addresses[1], (Addresses{10, 11, 13}));
  EXPECT_EQ(told_.addresses[101], (Addresses{12, 14}));
}

// The first run's launch may not be known yet; then nothing is written, and later all of it is.
TEST_F(GraphRunsTest, WhatIsHeldIsSplitLater) {
  route({access(10), markOf(0, 0, 1), access(11)});
  EXPECT_TRUE(told_.addresses.empty());
  entry(0);
  EXPECT_EQ(told_.addresses[1], (Addresses{10}));
  EXPECT_EQ(told_.addresses[101], (Addresses{11}));
}

// 1 + 2 requests of 32 lanes: 1 in the first run, 2 in the second.
TEST_F(GraphRunsTest, CountsAreThoseOfTheRecordsAndTheRest) {
  entry(0);
  entry(1);
  route({access(10), markOf(0, 0, 1), access(11), access(12)});
  count(3, 96);
  router_.finish();
  EXPECT_EQ(told_.counted[1], 1u);
  EXPECT_EQ(told_.counted[101], 2u);
}

// A record of the second run was lost, which shows at the first.
TEST_F(GraphRunsTest, AMissingRecordShows) {
  entry(0);
  entry(1);
  route({access(10), markOf(0, 0, 1), access(11)});
  count(3, 96);
  router_.finish();
  EXPECT_EQ(told_.counted[1], 2u);
  EXPECT_EQ(told_.counted[101], 1u);
}

// The count of the first run may have come before there was a second.
TEST_F(GraphRunsTest, CountsComeInParts) {
  entry(0);
  route({access(10)});
  count(1, 32);
  EXPECT_EQ(told_.counted[1], 1u);
  entry(1);
  route({markOf(0, 0, 1), access(11), access(12)});
  count(2, 64);
  router_.finish();
  EXPECT_EQ(told_.counted[1], 1u);
  EXPECT_EQ(told_.counted[101], 2u);
}

// Another instance's node, which the captured launch stands for, too, runs twice; a launch of the same kernel
// that is announced later is another grid.
TEST_F(GraphRunsTest, ANodeIsNoLaterLaunch) {
  entry(0);
  for (const std::uint32_t run : {0u, 1u}) {
    Record node = entryOf(20, base_, 0, 2, 32);
    node.number = run;
    route({slotOf(node)});
  }
  const auto accessOf = [](std::uint32_t key, std::uint64_t address) {
    return slotOf(Record{0, key, address, 0, format::RecordType::access, ~0u, 0});
  };
  Slot mark = markOf(0, 0, 1);
  mark.word[2] = (mark.word[2] & 0xffffffffu) | std::uint64_t{20} << 32;
  route({accessOf(20, 10), mark, accessOf(20, 11)});
  router_.handle(LaunchEvent{2, fakeLaunch(0, 0)});
  router_.handle(LaunchEndEvent{2, 0, 0, ""});
  route({slotOf(entryOf(21, base_, 0, 2, 32)), accessOf(21, 12)});
  router_.finish();
  EXPECT_EQ(told_.addresses[2], (Addresses{12}));
  EXPECT_EQ(told_.addresses[101], (Addresses{10}));
  EXPECT_EQ(told_.addresses[102], (Addresses{11}));
  EXPECT_TRUE(told_.unannounced.empty());
}

}  // namespace
}  // namespace cui::hostlib
