// Nodes that a program makes by hand: their runs are launches with the place of the call that made the node.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "fakes.h"
#include "hostlib/kernel_name.h"
#include "hostlib/router.h"

namespace cui::hostlib {
namespace {

using test::entryOf;
using test::fakeLaunch;
using test::Record;
using test::slotOf;

constexpr std::uint64_t handle = 0x1000, otherHandle = 0x2000;

class GraphNodesTest : public test::RoutedTest {
 protected:
  GraphNodesTest() { router_.attachRing(0); }
  /// By the call of entry `place`, with `blocks` of 32 threads.
  void node(std::uint64_t id, std::uint32_t place, const char* kernel, std::uint64_t node = handle,
            CuiNodeChange change = CUI_NODE_ADDED, std::uint32_t blocks = 2) {
    CuiGraphNode made = {fakeLaunch(place, 0), node, static_cast<std::uint32_t>(change)};
    made.launch.grid[0] = blocks;
    made.launch.kernel = kernel;
    router_.handle(GraphNodeEvent{id, made});
  }
  /// Grid `key` of kernel "a" begins its run `run`, and accesses `address`.
  void runs(std::uint32_t key, std::uint32_t run, std::uint64_t address, std::uint32_t blocks = 2,
            std::uint64_t beganNs = 0) {
    Record entry = entryOf(key, base_, 0, blocks, 32);
    entry.number = run;
    if (beganNs != 0) entry.address = format::kernelAddress(0, beganNs);
    route(slotOf(entry));
    if (run != 0) route(slotOf(Record{0, key, 0, 0, format::RecordType::barrier, 1, 0, run}));
    route(slotOf(Record{0, key, address}));
  }
  /// By entry 0's call, which began at `beginNs`.
  void launch(std::uint64_t id, std::int64_t beginNs, std::uint64_t stream = 0) {
    CuiLaunch made = fakeLaunch(0, stream);
    made.hostBeginNs = beginNs;
    router_.handle(LaunchEvent{id, made});
    router_.handle(LaunchEndEvent{id, beginNs + 1000, 0, ""});
  }
  void route(const Slot& slot) { router_.route(0, &slot, 1); }
  void profile(std::uint32_t key, std::uint64_t requests) {
    CuiProfile sums = {};
    sums.launchKey = key;
    sums.sums[0].requests = requests;
    router_.handle(ProfileEvent{0, {sums}});
    router_.handle(ProfileEvent{0, {}});
  }
  std::uint32_t placeOf(std::uint64_t id) const { return told_.launches.at(id).launchEntry; }
  /// Requests by launch.
  std::map<std::uint64_t, std::uint64_t> totals() const {
    std::map<std::uint64_t, std::uint64_t> result;
    for (const auto& [id, all] : told_.totals)
      for (const db::AccessTotals& each : all) result[id] += each.requests;
    return result;
  }
};

using Addresses = std::vector<std::uint64_t>;
using Totals = std::map<std::uint64_t, std::uint64_t>;

TEST_F(GraphNodesTest, EachRunIsALaunchWithTheCallsPlace) {
  node(1, 1, "a<int>");
  EXPECT_TRUE(told_.launches.empty());  // it has not run
  runs(9, 0, 10);
  runs(9, 1, 11);
  EXPECT_EQ(told_.addresses[1], (Addresses{10}));
  EXPECT_EQ(told_.addresses[101], (Addresses{11}));
  for (const std::uint64_t id : {1, 101}) {
    EXPECT_EQ(placeOf(id), 1u);
    EXPECT_STREQ(told_.launches[id].kernel, "a<int>");
    EXPECT_TRUE(told_.instrumented[id]);
  }
  router_.finish();
  EXPECT_TRUE(told_.unannounced.empty());
}

// Before CUDA 12.3 the runtime does not say which kernel it is; its entry does.
TEST_F(GraphNodesTest, TheEntryNamesTheKernel) {
  node(1, 1, nullptr);
  runs(9, 0, 10);
  EXPECT_STREQ(told_.launches[1].kernel, "a");
}

// What no unit has sends no entry: one row, whatever becomes of the node.
TEST_F(GraphNodesTest, KernelsOfLibraries) {
  node(1, 1, "gemm");
  node(2, 1, "gemm", handle, CUI_NODE_INSTANCE_SET);
  EXPECT_EQ(told_.instrumented, (std::map<std::uint64_t, bool>{{1, false}}));
}

// What is left out has a row, whether its code has the recorder or not, and no records.
TEST_F(GraphNodesTest, KernelsThatAreNotChosen) {
  Selection selection;
  selection.setKernels("b");
  Router router(sink_, units_, [this] { return ++newId_; }, 64 * sizeof(Slot), selection);
  router.attachRing(0);
  CuiGraphNode made = {fakeLaunch(0, 0), handle, CUI_NODE_ADDED};
  made.launch.kernel = "a";
  router.handle(GraphNodeEvent{1, made});
  EXPECT_EQ(told_.launches.size(), 1u);
  EXPECT_EQ(told_.stats["launches_left_out"], 1);
  for (const Slot& slot : {slotOf(entryOf(9, base_, 0, 2, 32)), slotOf(Record{0, 9, 10})})
    router.route(0, &slot, 1);
  router.finish();
  EXPECT_EQ(told_.launches.size(), 1u);
  EXPECT_TRUE(told_.addresses.empty());
}

// Two nodes of one kernel, in two instances: grids in the order of the nodes.
TEST_F(GraphNodesTest, AnotherInstance) {
  node(1, 0, "a");
  node(2, 1, "a", otherHandle);
  runs(7, 0, 10);
  runs(8, 0, 11);
  runs(17, 0, 12);
  runs(18, 0, 13);
  EXPECT_EQ(told_.launches.size(), 2u);
  router_.handle(SettleEvent{0});
  EXPECT_EQ(told_.addresses[101], (Addresses{12}));
  EXPECT_EQ(told_.addresses[102], (Addresses{13}));
  EXPECT_EQ(placeOf(101), 0u);
  EXPECT_EQ(placeOf(102), 1u);
  runs(18, 1, 14);
  EXPECT_EQ(told_.addresses[103], (Addresses{14}));
  EXPECT_EQ(placeOf(103), 1u);
}

// A launch of the same kernel was announced before the records of the graph's runs were read.
TEST_F(GraphNodesTest, WhatBeganBeforeALaunchIsTheNodes) {
  router_.handle(DeviceTimerEvent{0, 1'000});
  node(1, 1, "a");
  launch(2, 5'000'000);
  runs(7, 0, 10, 2, 1'000'000);
  EXPECT_EQ(told_.addresses[1], (Addresses{10}));
  EXPECT_EQ(placeOf(1), 1u);
  runs(8, 0, 11, 2, 2'000'000);  // another instance's
  runs(9, 0, 12, 2, 5'002'000);
  EXPECT_EQ(told_.addresses[2], (Addresses{12}));
  launch(3, 6'000'000);
  router_.handle(SettleEvent{0});
  EXPECT_EQ(told_.addresses[101], (Addresses{11}));
  EXPECT_EQ(placeOf(101), 1u);
  runs(8, 1, 13, 2, 2'100'000);
  EXPECT_EQ(placeOf(102), 1u);
  runs(10, 0, 14, 2, 5'990'000);  // as near as clocks may differ
  EXPECT_EQ(told_.addresses.count(3), 0u);
  router_.handle(LaunchTimeEvent{3, CUI_BEGIN_IN_ENTRY, 6'020'000});
  router_.handle(SettleEvent{0});
  EXPECT_EQ(told_.addresses[3], (Addresses{14}));
  router_.finish();
  EXPECT_TRUE(told_.unannounced.empty());
}

// What began as near as clocks may differ, and runs again, was the node's.
TEST_F(GraphNodesTest, WhatRunsAgainIsTheNodes) {
  router_.handle(DeviceTimerEvent{0, 0});
  node(1, 1, "a");
  launch(2, 5'000'000);
  runs(7, 0, 10, 2, 4'980'000);
  runs(7, 1, 11, 2, 4'990'000);
  runs(8, 0, 12, 2, 5'003'000);
  router_.handle(LaunchTimeEvent{2, CUI_BEGIN_IN_ENTRY, 5'020'000});
  router_.handle(SettleEvent{0});
  EXPECT_EQ(told_.addresses[1], (Addresses{10}));
  EXPECT_EQ(told_.addresses[101], (Addresses{11}));
  EXPECT_EQ(told_.addresses[2], (Addresses{12}));
  router_.finish();
  EXPECT_TRUE(told_.unannounced.empty());
}

// The same where there is no room to wait.
TEST_F(GraphNodesTest, WhatBeganBeforeALaunchIsNotGuessedToBeIts) {
  router_.handle(DeviceTimerEvent{0, 0});
  node(1, 1, "a");
  runs(7, 0, 10, 2, 1'000'000);
  launch(2, 5'000'000, 5);
  launch(3, 5'100'000, 6);
  runs(8, 0, 11, 2, 2'000'000);
  runs(9, 0, 12, 2, 5'300'000);  // of 2 or of 3
  router_.finish();
  EXPECT_EQ(told_.addresses[101], (Addresses{11}));
  EXPECT_EQ(told_.addresses[2], (Addresses{12}));
}

// A launch that has been announced and not entered comes before another instance of a graph.
TEST_F(GraphNodesTest, LaunchesComeFirst) {
  node(1, 1, "a");
  runs(7, 0, 10);
  router_.handle(LaunchEvent{2, fakeLaunch(0, 5)});
  router_.handle(LaunchEndEvent{2, 0, 0, ""});
  router_.handle(LaunchEvent{3, fakeLaunch(0, 6)});
  router_.handle(LaunchEndEvent{3, 0, 0, ""});
  runs(9, 0, 11);  // of 2 or of 3
  router_.handle(SettleEvent{0});
  router_.finish();
  EXPECT_EQ(told_.addresses[1], (Addresses{10}));
  EXPECT_EQ(told_.addresses[2], (Addresses{11}));
}

TEST_F(GraphNodesTest, CapturedLaunchesRunInOtherInstances) {
  CuiLaunch launch = fakeLaunch(0, 0);
  launch.captured = 1;
  router_.handle(LaunchEvent{1, launch});
  router_.handle(LaunchEndEvent{1, 0, 0, ""});
  runs(7, 0, 10);
  runs(17, 0, 11);
  router_.finish();
  EXPECT_EQ(told_.addresses[101], (Addresses{11}));
  EXPECT_EQ(placeOf(101), 0u);
  EXPECT_EQ(told_.launches[101].kernel, nullptr);  // as the entry says
  EXPECT_TRUE(told_.unannounced.empty());
}

// Other parameters before the graph is instantiated: what the call had is never launched.
TEST_F(GraphNodesTest, SetBeforeItRuns) {
  node(1, 0, "a");
  node(2, 1, "a", handle, CUI_NODE_SET, 3);
  runs(9, 0, 10, 3);
  router_.finish();
  EXPECT_EQ(told_.launches.size(), 1u);
  EXPECT_EQ(placeOf(2), 1u);
  EXPECT_EQ(told_.launches[2].grid[0], 3u);
}

// In an instance: with other extents a later run, of the same grid or of another, is the later call's.
TEST_F(GraphNodesTest, SetInAnInstance) {
  node(1, 0, "a");
  runs(9, 0, 10);
  node(2, 1, "a", handle, CUI_NODE_INSTANCE_SET);  // other arguments only
  runs(9, 1, 11);
  EXPECT_EQ(placeOf(101), 0u);
  node(3, 1, "a", handle, CUI_NODE_INSTANCE_SET, 3);
  runs(9, 2, 12, 3);
  EXPECT_EQ(told_.addresses[102], (Addresses{12}));
  EXPECT_EQ(placeOf(102), 1u);
  EXPECT_EQ(told_.launches[102].grid[0], 3u);
  runs(10, 0, 13, 3);
  EXPECT_EQ(told_.addresses[3], (Addresses{13}));
  EXPECT_EQ(told_.launches[3].grid[0], 3u);
}

// Sums are found by the grid's number: a run has its own where the device was waited for in between.
TEST_F(GraphNodesTest, ProfilesOfRuns) {
  node(1, 0, "a");
  runs(9, 0, 10);
  profile(9, 4);
  runs(9, 0, 10);
  profile(9, 5);
  runs(9, 0, 10);
  runs(9, 0, 10);
  profile(9, 12);
  EXPECT_EQ(totals(), (Totals{{1, 4}, {101, 5}, {102, 12}}));
  EXPECT_EQ(told_.stats["runs_merged"], 1);
  profile(9, 1);  // of the same run, which was not over
  router_.finish();
  EXPECT_EQ(totals(), (Totals{{1, 4}, {101, 5}, {102, 13}}));
}

TEST(KernelName, Symbols) {
  EXPECT_STREQ(kernelName("_Z5scaleIfLi32EEvPfPFviE"), "scale<float, 32>");
  EXPECT_STREQ(kernelName("_ZN3app4fillEPi"), "app::fill");
  EXPECT_STREQ(kernelName("plain"), "plain");
  EXPECT_STREQ(kernelName("a"), "a");  // which is a mangled type, too
  EXPECT_STREQ(kernelName("app::fill"), "app::fill");
  EXPECT_STREQ(kernelName(""), "");
  // As nvcc -rdc=true names `static __global__` and those of an anonymous namespace.
  EXPECT_STREQ(kernelName("__nv_static_21__c82d82ba_5_st_cu_c_k__Z6stat_kPi"), "stat_k");
  EXPECT_STREQ(
      kernelName("__nv_static_21__c82d82ba_5_st_cu_c_k__ZN32_GLOBAL__N__c82d82ba_5_st_cu_c_k6anon_kEPi"),
      "(anonymous namespace)::anon_k");
  EXPECT_STREQ(kernelName("__nv_static_99_short"), "__nv_static_99_short");
}

}  // namespace
}  // namespace cui::hostlib
