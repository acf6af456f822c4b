#include "hostlib/loops.h"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>

#include "hostlib/device_forms.h"

namespace cui::hostlib {
namespace {

Slot slotOf(const format::WarpRecord& record) {
  Slot slot;
  std::memcpy(&slot, &record, sizeof slot);
  return slot;
}

Slot headerOf(std::uint64_t times, std::uint32_t accesses) {
  format::WarpRecord record{};
  record.address = times;
  record.activeMask = ~0u;
  record.warpAndBytes = format::makeWarpAndBytes(3, accesses);
  record.flags = format::markFlags(format::Mark::loop);
  record.generationA = 7;
  record.siteAndGeneration = 7u << 24;
  record.launch = 5;
  record.block = 9;
  return slotOf(record);
}

Slot accessOf(std::uint32_t site, std::uint64_t address, std::int32_t step,
              format::AddressForm form = format::AddressForm::affine) {
  format::WarpRecord record{};
  record.address = address;
  record.activeMask = ~0u;
  record.warpAndBytes = format::makeWarpAndBytes(3, 4);
  record.flags = format::makeFlags(format::RecordType::access, form, format::Space::global, false);
  record.siteAndGeneration = site;
  record.launch = static_cast<std::uint32_t>(step);
  record.block = 9;
  record.stride = 4;
  return slotOf(record);
}

/// Site and address of each record.
std::vector<std::pair<std::uint32_t, std::uint64_t>> expanded(const std::vector<Slot>& record,
                                                              unsigned* calls = nullptr) {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> result;
  std::vector<Slot> buffer;
  expandLoop(record.data(), buffer, [&](const Slot* slots, std::size_t count) {
    if (calls) ++*calls;
    for (std::size_t i = 0; i < count; i += 1 + payloadOf(slots[i])) {
      result.emplace_back(siteOf(slots[i]), slots[i].word[0]);
      EXPECT_EQ(launchKeyOf(slots[i]), 5u);
      EXPECT_EQ(blockOf(slots[i]), 9u);
      EXPECT_EQ(warpOf(slots[i]), 3u);
      EXPECT_EQ(bytesOf(slots[i]), 4u);
    }
  });
  return result;
}

TEST(Loops, AccessesTakeTurns) {
  const std::vector<Slot> record = {headerOf(3, 2), accessOf(1, 1000, 8), accessOf(2, 5000, -4)};
  ASSERT_TRUE(isLoop(record[0]));
  EXPECT_FALSE(isLoop(record[1]));
  EXPECT_EQ(payloadOf(record[0]), 2u);
  EXPECT_EQ(expanded(record), (std::vector<std::pair<std::uint32_t, std::uint64_t>>{
                                  {1, 1000}, {2, 5000}, {1, 1008}, {2, 4996}, {1, 1016}, {2, 4992}}));
}

TEST(Loops, RowsOfNarrowBlocksAdvanceToo) {
  const std::vector<Slot> record = {
      headerOf(2, 1), accessOf(1, format::addressWithRows(1000, 4), -16, format::AddressForm::rows)};
  EXPECT_EQ(expanded(record), (std::vector<std::pair<std::uint32_t, std::uint64_t>>{{1, 1000}, {1, 984}}));
}

TEST(Loops, ManyTimesComeInParts) {
  const std::vector<Slot> record = {headerOf(100'000, 1), accessOf(1, 0, 4)};
  unsigned calls = 0;
  const auto all = expanded(record, &calls);
  ASSERT_EQ(all.size(), 100'000u);
  EXPECT_EQ(all.back().second, 4u * 99'999);
  EXPECT_GT(calls, 10u);
}

}  // namespace
}  // namespace cui::hostlib
