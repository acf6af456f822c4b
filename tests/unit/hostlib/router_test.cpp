#include "hostlib/router.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>

#include "fakes.h"

namespace cui::hostlib {
namespace {

using test::entryOf;
using test::fakeLaunch;
using test::Record;
using test::slotOf;

class RouterTest : public test::RoutedTest {
 protected:
  void launch(std::uint64_t id, std::uint32_t entry, std::uint64_t stream, int error = 0) {
    router_.handle(LaunchEvent{id, fakeLaunch(entry, stream)});
    router_.handle(LaunchEndEvent{id, 0, error, ""});
  }
  void ring() {
    router_.handle(GridBaseEvent{0, 1});
    router_.attachRing(0);
  }
  static CuiProfile fiveRequests(std::uint64_t launchKey) {
    CuiProfile profile = {};
    profile.launchKey = launchKey;
    profile.sums[0].requests = 5;
    return profile;
  }
  /// Handed over, and not written yet.
  void profiled(const std::vector<CuiProfile>& profiles) {
    router_.handle(ProfileEvent{0, profiles});
    router_.handle(ProfileEvent{0, {}});
    EXPECT_TRUE(told_.totals.empty());
  }
  void records(std::int32_t device, std::initializer_list<Record> list) {
    std::vector<Slot> slots;
    for (const Record& record : list) {
      slots.push_back(slotOf(record));
      slots.insert(slots.end(), record.payload, Slot{});
    }
    router_.route(device, slots.data(), slots.size());
  }
};

/// Of allocations that no unit made, once each; pools, and what is not there any more, have no container's
/// name.
TEST_F(RouterTest, ContainersNameAllocations) {
  const format::UnitTable unit = {};
  const auto allocate = [&](const format::UnitTable* by, std::uint64_t address, std::uint64_t bytes) {
    CuiAllocation allocation = {};
    allocation.unit = by;
    allocation.address = address;
    allocation.bytes = bytes;
    router_.handle(AllocationEvent{allocation, "cudaMalloc"});
  };
  const auto holds = [&](std::uint32_t entry, std::uint64_t address, std::uint64_t bytes) {
    router_.handle(HoldsEvent{&unit, entry, address, bytes});
  };
  holds(0, 0x1000, 64);  // nothing there yet
  allocate(nullptr, 0x1000, 64);
  allocate(&unit, 0x2000, 64);
  allocate(nullptr, 0x3000, 1 << 20);
  holds(1, 0xfff, 64);
  holds(2, 0x1040, 64);
  holds(3, 0x2000, 64);
  holds(4, 0x3000, 64);
  holds(5, 0x3000 + 4096, 1 << 20);
  EXPECT_TRUE(told_.named.empty());
  holds(6, 0x1000, 64);
  holds(7, 0x1000, 64);
  holds(8, 0x3000 + 256, (1 << 20) - 256);  // aligned by the library
  EXPECT_EQ(told_.named, (std::vector<std::pair<std::uint64_t, std::uint32_t>>{{0x1000, 6}, {0x3000, 8}}));
  router_.handle(FreeEvent{0x1000, "cudaFree", 0});
  holds(9, 0x1000, 64);
  allocate(nullptr, 0x1000, 64);
  holds(10, 0x1000, 0);  // a pointer does not tell how much
  allocate(nullptr, 0x1000, 64);
  allocate(&unit, 0x1000, 64);  // its free was not seen
  holds(11, 0x1000, 64);
  EXPECT_EQ(told_.named.size(), 3u);
  EXPECT_EQ(told_.named.back().second, 10u);
}

TEST_F(RouterTest, CpuRecordsCarryTheLaunchId) {
  launch(1, 0, 0);
  launch(2, 0, 0);
  records(-1, {Record{0, 1, 10}, Record{0, 2, 20, 4}, Record{0, 1, 11}});
  EXPECT_EQ(told_.addresses[1], (std::vector<std::uint64_t>{10, 11}));
  EXPECT_EQ(told_.addresses[2], (std::vector<std::uint64_t>{20}));
}

// One slot here, five in the store; what stands around them keeps its place.
TEST_F(RouterTest, RowsAreWrittenAsOffsets) {
  launch(1, 0, 0);
  Slot rows = slotOf(Record{0, 1, format::addressWithRows(20, 4)});
  rows.word[1] |= std::uint64_t{format::makeFlags(format::RecordType::access, format::AddressForm::rows,
                                                  format::Space::global, false)}
                  << 48;
  std::vector<Slot> slots = {slotOf(Record{0, 1, 10}), rows, rows, slotOf(Record{0, 1, 30})};
  router_.route(-1, slots.data(), slots.size());
  EXPECT_EQ(told_.addresses[1], (std::vector<std::uint64_t>{10, 20, 20, 30}));
}

// Two slots here, a record for each time round behind the drain; a record that is not whole is left out.
TEST_F(RouterTest, LoopsAreWrittenAccessByAccess) {
  launch(1, 0, 0);
  Slot loop = slotOf(Record{0, 1, 3});
  loop.word[1] = std::uint64_t{format::markFlags(format::Mark::loop)} << 48 |
                 std::uint64_t{format::makeWarpAndBytes(0, 1)} << 32 | 0xffffffffu;
  Slot access = slotOf(Record{0, 1, 20});
  access.word[2] = std::uint64_t{4} << 32;  // its step
  std::vector<Slot> slots = {slotOf(Record{0, 1, 10}), loop, access, slotOf(Record{0, 1, 30}), loop};
  router_.route(-1, slots.data(), slots.size());
  EXPECT_EQ(told_.addresses[1], (std::vector<std::uint64_t>{10, 20, 24, 28, 30}));
  EXPECT_EQ(told_.stats["records_cut"], 1);
}

// Stretches of accesses are handed on without a look at each; what stands between them keeps its place.
TEST_F(RouterTest, StretchesOfAccessesKeepTheirPlace) {
  launch(1, 0, 0);
  launch(2, 0, 0);
  std::vector<Slot> slots;
  std::map<std::uint32_t, std::vector<std::uint64_t>> expected;
  const auto add = [&](std::uint32_t launchId, unsigned count, unsigned payload) {
    for (unsigned i = 0; i < count; ++i) {
      expected[launchId].push_back(slots.size());
      slots.push_back(slotOf(Record{i % 4, launchId, slots.size(), payload}));
      slots.insert(slots.end(), payload, Slot{});
    }
  };
  add(1, 300, 0);
  add(1, 1, 4);
  add(1, 300, 0);
  add(2, 3, 0);
  add(1, 5, 0);
  add(1, 2, 4);
  add(2, 100, 0);
  router_.route(-1, slots.data(), slots.size());
  EXPECT_EQ(told_.addresses[1], expected[1]);
  EXPECT_EQ(told_.addresses[2], expected[2]);
  EXPECT_EQ(told_.singles, 700u);
  EXPECT_EQ(told_.stats.count("not single"), 0u);
}

TEST_F(RouterTest, StretchesOfLaunchesThatAreNotKnownWait) {
  ring();
  std::vector<Slot> slots;
  for (std::uint64_t i = 0; i < 40; ++i) slots.push_back(slotOf(Record{0, 1, i}));
  router_.route(0, slots.data(), slots.size());
  EXPECT_TRUE(told_.addresses.empty());
  launch(1, 0, 0);
  records(0, {entryOf(1, base_, 0, 2, 32)});
  router_.route(0, slots.data(), slots.size());
  EXPECT_EQ(told_.addresses[1].size(), 80u);
  EXPECT_EQ(told_.singles, 40u);
}

TEST_F(RouterTest, CpuLaunchIdsBeyond32Bits) {
  const std::uint64_t id = (std::uint64_t{1} << 32) + 5;
  launch(id, 0, 0);
  records(-1, {Record{0, 4, 10}, Record{0, 5, 20}});
  EXPECT_EQ(told_.addresses[id - 1], (std::vector<std::uint64_t>{10}));
  EXPECT_EQ(told_.addresses[id], (std::vector<std::uint64_t>{20}));
}

// Another block's accesses may come before block 0 has announced the kernel.
TEST_F(RouterTest, LaunchesThatAreNotSelectedLeaveNoRecords) {
  Selection selection;
  ASSERT_TRUE(selection.setLaunches("2"));
  Router router(sink_, units_, [this] { return ++newId_; }, 64 * sizeof(Slot), selection);
  for (const std::uint64_t id : {1, 2, 3}) router.handle(LaunchEvent{id, fakeLaunch(0, 0)});
  for (const std::uint32_t id : {1u, 2u, 3u}) {
    const Slot slot = slotOf(Record{0, id, 10 * id});
    router.route(-1, &slot, 1);
  }
  EXPECT_EQ(told_.addresses.size(), 1u);
  EXPECT_EQ(told_.addresses[2], (std::vector<std::uint64_t>{20}));
}

/// Launches 1, 2, … of one kernel, of which only some are recorded.
class ChosenLaunches : public RouterTest {
 protected:
  void choose(const char* launches) {
    Selection selection;
    ASSERT_TRUE(selection.setLaunches(launches));
    router =
        std::make_unique<Router>(sink_, units_, [this] { return ++newId_; }, 64 * sizeof(Slot), selection);
    router->handle(GridBaseEvent{0, 1});
    router->attachRing(0);
  }
  void make(std::uint64_t id, bool silent = false) {
    CuiLaunch launch = fakeLaunch(0, 0);
    launch.silent = silent ? 1 : 0;
    router->handle(LaunchMadeEvent{{id, launch}, {id, 0, 0, ""}});
  }
  void take(const Record& record) {
    const Slot slot = slotOf(record);
    router->route(0, &slot, 1);
  }
  /// The launches up to this one have ended, and all that they say has been read.
  void settle(std::uint64_t last) {
    for (std::uint64_t id = 1; id <= last; ++id) router->handle(LaunchTimeEvent{id, 1, 2});
    router->handle(SettleEvent{0});
  }
  std::unique_ptr<Router> router;
};

/// Launches of which kernel "b" is recorded; a variable holds it, or "a".
class ChosenKernels : public RouterTest {
 protected:
  ChosenKernels() {
    Selection selection;
    selection.setKernels("b");
    router =
        std::make_unique<Router>(sink_, units_, [this] { return ++newId_; }, 64 * sizeof(Slot), selection);
  }
  void make(std::uint64_t id, int error = 0) {
    router->handle(LaunchMadeEvent{{id, fakeLaunch(variable, 0)}, {id, 0, error, ""}});
  }
  void take(std::int32_t device, const std::vector<Record>& records) {
    std::vector<Slot> slots;
    for (const Record& record : records) slots.push_back(slotOf(record));
    router->route(device, slots.data(), slots.size());
  }
  static constexpr std::uint32_t variable = 3;
  std::unique_ptr<Router> router;
};

TEST_F(ChosenKernels, AVariablesKernelDecidesOnADevice) {
  router->handle(GridBaseEvent{0, 1});
  router->attachRing(0);
  for (const std::uint64_t id : {1, 2}) make(id);
  for (const std::uint32_t id : {1u, 2u}) {
    take(0, {Record{0, id, 10 * id}});  // before its kernel is known
    take(0, {entryOf(id, base_, id - 1, 2, 32), Record{0, id, 10 * id + 1}});
  }
  router->handle(CountersEvent{0, {CuiCounter{1, 0, 2, 2}, CuiCounter{2, 0, 2, 2}}});
  router->finish();
  EXPECT_EQ(told_.addresses.size(), 1u);
  EXPECT_EQ(told_.addresses[2], (std::vector<std::uint64_t>{20, 21}));
  EXPECT_EQ(told_.entries[1], 1u);  // its row has the kernel's name all the same
  EXPECT_EQ(told_.entries[2], 1u);
  EXPECT_EQ(told_.counted.size(), 1u);
  EXPECT_EQ(told_.stats["launches_left_out"], 1);
  EXPECT_EQ(router->nothingSelected(), "");
}

// Where there is no device, its launches' records are held until the kernel has said its name.
TEST_F(ChosenKernels, AVariablesKernelDecidesOnTheCpuBackend) {
  for (const std::uint32_t id : {1u, 2u}) {
    router->handle(LaunchEvent{id, fakeLaunch(variable, 0)});
    take(-1, std::vector<Record>(20, Record{0, id, 10 * id}));
    EXPECT_TRUE(told_.addresses.empty());
    take(-1, {entryOf(id, base_, id - 1, 2, 32), Record{0, id, 10 * id + 1}});
    take(-1, std::vector<Record>(20, Record{0, id, 10 * id + 2}));
    router->handle(LaunchEndEvent{id, 0, 0, ""});
  }
  EXPECT_EQ(told_.addresses.size(), 1u);
  ASSERT_EQ(told_.addresses[2].size(), 41u);
  EXPECT_EQ(told_.addresses[2].front(), 20u);
  EXPECT_EQ(told_.addresses[2][20], 21u);
  EXPECT_EQ(told_.entries[1], 1u);
  EXPECT_EQ(told_.stats["launches_left_out"], 1);
}

// Of what never begins, or says nothing, there is only the variable.
TEST_F(ChosenKernels, AVariablesNameStandsForAKernelThatSaysNothing) {
  make(1);
  router->handle(GridBaseEvent{0, 1});
  router->attachRing(0);
  make(2, 1);
  make(3);
  router->finish();
  EXPECT_EQ(told_.stats["launches_left_out"], 3);
  EXPECT_EQ(router->nothingSelected(), "3 launches (one in the variable chosen)");
}

// They run without the recorder, or while nothing is recorded.
TEST_F(ChosenLaunches, ThoseThatAreSilentAreNotWaitedFor) {
  choose("3");
  for (const std::uint64_t id : {1, 2, 3}) make(id, id != 3);
  take(entryOf(3, base_, 0, 2, 32));
  take(Record{0, 3, 30});
  EXPECT_EQ(told_.addresses[3], (std::vector<std::uint64_t>{30}));
}

// Recording is switched off while a launch that is left out begins: one of its blocks records, and the one
// that would announce it does not any more.
TEST_F(ChosenLaunches, ThoseThatAreLeftOutNeedNotAnnounceThemselves) {
  choose("1,5");
  for (std::uint64_t id = 1; id <= 4; ++id) make(id);
  take(entryOf(1, base_, 0, 2, 32));
  take(Record{0, 1, 10});
  take(Record{0, 3, 30});
  settle(4);
  make(5);
  take(entryOf(5, base_, 0, 2, 32));
  take(Record{0, 5, 50});
  router->handle(ProfileEvent{0, {fiveRequests(4)}});
  router->finish();
  EXPECT_EQ(told_.addresses[1], (std::vector<std::uint64_t>{10}));
  EXPECT_EQ(told_.addresses[5], (std::vector<std::uint64_t>{50}));
  EXPECT_EQ(told_.addresses.size(), 2u);
  EXPECT_TRUE(told_.totals.empty());
  EXPECT_EQ(told_.stats.count("records_without_launch"), 0u);
}

// One of those between is recorded: then nobody knows whose they are.
TEST_F(ChosenLaunches, WhatMayBeARecordedLaunchsIsKept) {
  choose("1,3");
  for (std::uint64_t id = 1; id <= 3; ++id) make(id);
  settle(3);
  take(Record{0, 2, 20});
  take(Record{0, 3, 30});
  router->finish();
  EXPECT_EQ(told_.stats["records_without_launch"], 2);
}

TEST_F(RouterTest, RecordsWaitForTheirEntry) {
  ring();
  launch(1, 0, 0);
  records(0, {Record{0, 1, 10}});
  EXPECT_TRUE(told_.addresses.empty());
  records(0, {entryOf(1, base_, 0, 2, 32), Record{0, 1, 11}});
  EXPECT_EQ(told_.addresses[1], (std::vector<std::uint64_t>{10, 11}));
}

TEST_F(RouterTest, RefusedLaunchTakesNoGrid) {
  ring();
  launch(1, 0, 0, 9);
  launch(2, 0, 0);
  records(0, {entryOf(1, base_, 0, 2, 32), Record{0, 1, 10}});
  EXPECT_EQ(told_.addresses[2], (std::vector<std::uint64_t>{10}));
}

TEST_F(RouterTest, KernelThatIsNotInstrumentedIsNotWaitedFor) {
  ring();
  launch(1, 2, 0);  // takes grid 1, sends nothing
  launch(2, 0, 0);
  records(0, {entryOf(2, base_, 0, 2, 32), Record{0, 2, 10}});
  EXPECT_EQ(told_.addresses[2], (std::vector<std::uint64_t>{10}));
}

TEST_F(RouterTest, LaunchThatNobodyAnnouncedGetsARow) {
  ring();
  records(0, {entryOf(1, base_, 1, 2, 32), Record{0, 1, 10}});
  router_.finish();
  EXPECT_EQ(told_.unannounced[101], "b");
  EXPECT_EQ(told_.addresses[101], (std::vector<std::uint64_t>{10}));
  EXPECT_EQ(told_.stats["launch_not_announced"], 1);
  EXPECT_TRUE(router_.losses().empty());
}

/// <<<2, 32>>>, as `entryOf(…, 2, 32)`.
LibraryLaunchEvent libraryLaunch(std::uint64_t id, const char* kernel) {
  LibraryLaunchEvent event = {id, {}, kernel, ""};
  event.launch.grid[0] = 2;
  event.launch.block[0] = 32;
  for (const int i : {1, 2}) event.launch.grid[i] = event.launch.block[i] = 1;
  return event;
}

// An instrumented kernel that other code launched: its records are those of that launch.
TEST_F(RouterTest, LibraryLaunchOfAnInstrumentedKernelHasItsRecords) {
  ring();
  router_.handle(libraryLaunch(1, "detail::for_each<int>"));
  router_.handle(libraryLaunch(2, "b<int, (Kind)3>"));
  router_.handle(libraryLaunch(3, "b"));
  records(0, {entryOf(2, base_, 1, 2, 32), Record{0, 2, 10}, entryOf(3, base_, 1, 2, 32), Record{0, 3, 20},
              entryOf(4, base_, 1, 2, 32)});
  router_.finish();
  EXPECT_EQ(told_.instrumented, (std::map<std::uint64_t, bool>{{1, false}, {2, false}, {3, false}}));
  EXPECT_EQ(told_.addresses[2], (std::vector<std::uint64_t>{10}));
  EXPECT_EQ(told_.addresses[3], (std::vector<std::uint64_t>{20}));
  EXPECT_EQ(told_.unannounced.size(), 1u);  // the third
}

// Launches of the rewritten code are matched first, whatever a library launches between them.
TEST_F(RouterTest, LibraryLaunchesTakeNoRecordsOfOthers) {
  ring();
  router_.handle(libraryLaunch(1, "a"));
  launch(2, 0, 0);
  launch(3, 2, 0);  // of no unit's kernel
  records(0, {entryOf(2, base_, 0, 2, 32), Record{0, 2, 10}});
  router_.finish();
  EXPECT_EQ(told_.addresses[2], (std::vector<std::uint64_t>{10}));
  EXPECT_EQ(told_.instrumented, (std::map<std::uint64_t, bool>{{1, false}, {2, true}, {3, false}}));
}

TEST_F(RouterTest, RecordsWithoutAnyEntryAreKeptAndReported) {
  ring();
  launch(1, 0, 0);
  records(0, {Record{0, 1, 10}, Record{0, 2, 11}});
  router_.finish();
  std::vector<std::uint64_t> kept = told_.addresses[0];
  std::sort(kept.begin(), kept.end());  // in no order of grids
  EXPECT_EQ(kept, (std::vector<std::uint64_t>{10, 11}));
  EXPECT_EQ(router_.losses().at("records_without_launch"), 2);
}

// A kernel that fails at once may not get to say that it has begun.
TEST_F(RouterTest, RecordsWithoutAnEntryAreTheFirstSilentLaunchs) {
  ring();
  launch(1, 0, 0);
  launch(2, 0, 0);
  launch(3, 0, 0);
  records(0, {entryOf(1, base_, 0, 2, 32), Record{0, 1, 10}, Record{0, 2, 11}});
  EXPECT_EQ(told_.addresses[2].size(), 0u);
  router_.finish();
  EXPECT_EQ(told_.addresses[1], (std::vector<std::uint64_t>{10}));
  EXPECT_EQ(told_.addresses[2], (std::vector<std::uint64_t>{11}));
  EXPECT_EQ(told_.addresses[0].size() + told_.addresses[3].size(), 0u);
  EXPECT_EQ(told_.stats["launch_match_guessed"], 1);
  EXPECT_EQ(router_.losses().count("records_without_launch"), 0u);
}

TEST_F(RouterTest, SumsWithoutAnEntryAreTheFirstSilentLaunchs) {
  ring();
  launch(1, 0, 0);
  profiled({fiveRequests(7)});
  router_.finish();
  ASSERT_EQ(told_.totals[1].size(), 1u);
  EXPECT_EQ(told_.totals[1][0].requests, 5u);
}

// The test's router holds 64 slots: beyond, the likeliest launch is taken, and that is said.
TEST_F(RouterTest, HoldingIsBounded) {
  ring();
  launch(1, 0, 7);
  launch(2, 0, 8);
  records(0, {entryOf(9, base_, 0, 2, 32)});
  for (std::uint64_t i = 0; i < 80; ++i) records(0, {Record{0, 9, i}});
  EXPECT_EQ(told_.addresses[1].size(), 80u);
  EXPECT_EQ(told_.stats["launch_match_guessed"], 1);
}

TEST_F(RouterTest, CountersFollowTheMatch) {
  ring();
  launch(1, 0, 0);
  router_.handle(CountersEvent{0, {CuiCounter{1, 0, 5, 160}}});
  EXPECT_TRUE(told_.counted.empty());
  records(0, {entryOf(1, base_, 0, 2, 32)});
  router_.handle(SettleEvent{0});
  EXPECT_EQ(told_.counted[1], 5u);
}

TEST_F(RouterTest, ProfilesFollowTheMatch) {
  ring();
  launch(1, 0, 0);
  profiled({fiveRequests(1), fiveRequests(1)});
  records(0, {entryOf(1, base_, 0, 2, 32)});
  router_.handle(SettleEvent{0});
  ASSERT_EQ(told_.totals[1].size(), 1u);  // added up
  EXPECT_EQ(told_.totals[1][0].requests, 10u);
}

TEST_F(RouterTest, ProfilesOfUnknownLaunchesAreLaunchZeros) {
  ring();
  CuiProfile merged = {};
  merged.launchKey = ~std::uint64_t{0};
  merged.sums[0].requests = 5;
  CuiProfile never = merged;
  never.launchKey = 9;
  router_.handle(ProfileEvent{0, {merged, never}});
  router_.handle(ProfileEvent{0, {}});
  ASSERT_EQ(told_.totals[0].size(), 1u);
  router_.finish();
  EXPECT_EQ(told_.totals[0].size(), 2u);
  EXPECT_EQ(told_.stats["launches_merged"], 10);
}

TEST_F(RouterTest, LaunchesAfterTheTimeLimitAreLeftOut) {
  Router router{sink_, units_, [this] { return ++newId_; }, 64 * sizeof(Slot), {}, 1000};
  for (const std::int64_t beginNs : {999, 1000}) {
    CuiLaunch late = fakeLaunch(0, 0);
    late.hostBeginNs = beginNs;
    router.handle(LaunchEvent{static_cast<std::uint64_t>(beginNs), late});
    const Slot slot = slotOf(Record{0, static_cast<std::uint32_t>(beginNs), 10});
    router.route(-1, &slot, 1);
  }
  EXPECT_EQ(told_.addresses.size(), 1u);
  EXPECT_EQ(told_.addresses[999].size(), 1u);
  EXPECT_EQ(router.losses().at("time_limit"), 1);
}

TEST_F(RouterTest, SharedVariableOncePerLaunch) {
  launch(1, 0, 0);
  const Record shared{base_, 1, 0, 0, format::RecordType::sharedVariable, 128, 0, 3};
  records(-1, {shared, Record{0, 1, 10}, shared, Record{0, 1, 11}});
  EXPECT_EQ(told_.sharedRecords[1], 1u);
  EXPECT_EQ(told_.addresses[1], (std::vector<std::uint64_t>{10, 11}));
}

}  // namespace
}  // namespace cui::hostlib
