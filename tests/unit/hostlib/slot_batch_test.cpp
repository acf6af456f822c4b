#include "hostlib/slot_batch.h"

#include <gtest/gtest.h>

#include "fakes.h"

namespace cui::hostlib {
namespace {

using test::Record;
using test::slotOf;

std::vector<Slot> slotsOf(const std::vector<Record>& records) {
  std::vector<Slot> slots;
  for (const Record& record : records) {
    slots.push_back(slotOf(record, 1));
    slots.resize(slots.size() + record.payload, Slot{{1, ~std::uint64_t{0}, ~std::uint64_t{0}, 1}});
  }
  return slots;
}

/// A batch of these, appended one after the other.
SlotBatch batchOf(const std::vector<std::vector<Slot>>& parts) {
  SlotBatch batch;
  batch.clear();
  for (const auto& part : parts) batch.append(part.data(), part.size(), 1);
  return batch;
}

TEST(SlotBatch, AccessesOfOneLaunchAreOneRun) {
  const SlotBatch batch = batchOf({slotsOf({{7, 5, 10}, {3, 5, 11}}), slotsOf({{9, 5, 12}, {8, 5, 13}})});
  ASSERT_EQ(batch.runs().size(), 1u);
  const SlotBatch::Run& run = batch.runs()[0];
  EXPECT_TRUE(run.areSingles);
  EXPECT_EQ(run.begin, 0u);
  EXPECT_EQ(run.end, 4u);
  EXPECT_EQ(run.key, 5u);
  EXPECT_EQ(run.minSite, 3u);
  EXPECT_EQ(run.maxSite, 9u);
  for (std::uint64_t i = 0; i < 4; ++i) EXPECT_EQ(batch.data()[i].word[0], 10 + i);
}

TEST(SlotBatch, AnotherLaunchIsAnotherRun) {
  const SlotBatch batch = batchOf({slotsOf({{0, 5, 10}}), slotsOf({{0, 6, 11}}), slotsOf({{0, 5, 12}})});
  ASSERT_EQ(batch.runs().size(), 3u);
  EXPECT_EQ(batch.runs()[1].key, 6u);
  EXPECT_EQ(batch.runs()[2].begin, 2u);
}

// Whatever leadingSingles() would stop at, wherever it stands.
TEST(SlotBatch, NothingElsePassesForSingles) {
  const auto with = [](auto change) {
    std::vector<Slot> slots = slotsOf({{7, 5, 10}, {3, 5, 11}, {4, 5, 12}});
    change(slots[1]);
    return batchOf({slots});
  };
  const auto flags = [](std::uint8_t value) {
    return [value](Slot& slot) { slot.word[1] |= std::uint64_t{value} << 48; };
  };
  using enum format::AddressForm;
  for (const SlotBatch& batch :
       {with([](Slot& slot) { slot.word[1] &= ~std::uint64_t{0xffffffff}; }),      // no lane
        with([](Slot& slot) { slot.word[1] &= ~(std::uint64_t{0xffe0} << 32); }),  // no size
        with([](Slot& slot) { slot.word[2] ^= std::uint64_t{1} << 32; }),          // another launch
        with(flags(format::makeFlags(format::RecordType::access, rows, format::Space::global, false))),
        with(
            flags(format::makeFlags(format::RecordType::kernelEntry, affine, format::Space::generic, false))),
        with(flags(format::markFlags(format::Mark::warpProgress)))}) {
    ASSERT_EQ(batch.runs().size(), 1u);
    EXPECT_FALSE(batch.runs()[0].areSingles);
    EXPECT_EQ(batch.size(), 3u);
  }
}

TEST(SlotBatch, RecordsEndWhereTheTagsDo) {
  std::vector<Slot> slots = slotsOf({{7, 5, 10}, {3, 5, 11}});
  slots.resize(6);
  const SlotBatch some = batchOf({slots});
  EXPECT_EQ(some.size(), 2u);
  EXPECT_TRUE(some.runs().at(0).areSingles);
  EXPECT_EQ(batchOf({std::vector<Slot>(4)}).size(), 0u);
  EXPECT_TRUE(batchOf({std::vector<Slot>(4)}).runs().empty());
  for (const unsigned half : {1u, 2u}) {  // the other half has not arrived
    std::vector<Slot> torn = slotsOf({{7, 5, 10}, {3, 5, 11}, {3, 5, 12}});
    torn[1].word[half] &= half == 1 ? ~std::uint64_t{0} >> 8 : ~(std::uint64_t{0xff} << 24);
    EXPECT_EQ(batchOf({torn}).size(), 1u);
  }
}

TEST(SlotBatch, PayloadIsNotTakenForRecords) {
  std::vector<Slot> slots = slotsOf({{7, 5, 10, 4}, {3, 5, 11}, {3, 5, 12, 4}});
  EXPECT_EQ(batchOf({slots}).size(), 11u);
  slots.pop_back();  // not a whole one
  const SlotBatch batch = batchOf({slots});
  EXPECT_EQ(batch.size(), 6u);
  EXPECT_FALSE(batch.runs().at(0).areSingles);
}

TEST(SlotBatch, AnyTagIsFineWhereThereAreNoLaps) {
  std::vector<Slot> slots;
  for (const std::uint8_t lap : {9, 9}) slots.push_back(slotOf({7, 5, 10}, lap));
  SlotBatch batch;
  batch.clear();
  EXPECT_EQ(batch.append(slots.data(), 2, SlotBatch::anyTag), 2u);
  EXPECT_TRUE(batch.runs()[0].areSingles);
}

TEST(SlotBatch, WhoTakesTheMemoryLeavesOther) {
  SlotBatch batch = batchOf({slotsOf({{7, 5, 10}})});
  const db::SlotMemory kept = std::move(batch.memory());
  batch.memory() = db::SlotMemory(10);
  batch.clear();
  EXPECT_EQ(batch.size(), 0u);
  EXPECT_TRUE(batch.runs().empty());
  const std::vector<Slot> slots(SlotBatch::capacity, slotOf({1, 2, 3}, 1));
  EXPECT_EQ(batch.append(slots.data(), slots.size(), 1), SlotBatch::capacity);
  EXPECT_EQ(batch.room(), 0u);
}

}  // namespace
}  // namespace cui::hostlib
