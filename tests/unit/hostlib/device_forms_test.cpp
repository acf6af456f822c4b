#include "hostlib/device_forms.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

namespace cui::hostlib {
namespace {

/// Of a warp that is 32 / 2^k rows of a block.
Slot rowsRecord(std::uint64_t address, std::uint32_t log2Width, std::int32_t stride, std::int32_t rowStride) {
  format::WarpRecord record{};
  record.address = format::addressWithRows(address, log2Width);
  record.activeMask = static_cast<std::uint32_t>(rowStride);
  record.warpAndBytes = format::makeWarpAndBytes(3, 4);
  record.flags =
      format::makeFlags(format::RecordType::access, format::AddressForm::rows, format::Space::global, false);
  record.generationA = 7;
  record.siteAndGeneration = 12 | 7u << 24;
  record.launch = 5;
  record.block = 9;
  record.stride = stride;
  Slot slot;
  std::memcpy(&slot, &record, sizeof slot);
  return slot;
}

std::vector<std::uint64_t> addresses(const std::vector<Slot>& slots) {
  std::vector<std::uint64_t> result;
  const bool near = format::formOf(flagsOf(slots[0])) == format::AddressForm::offsets32;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    std::int32_t offset = 0;
    std::uint64_t address = 0;
    const char* payload = reinterpret_cast<const char*>(slots.data() + 1);
    if (near)
      std::memcpy(&offset, payload + 4 * lane, sizeof offset);
    else
      std::memcpy(&address, payload + 8 * lane, sizeof address);
    result.push_back(near ? slots[0].word[0] + static_cast<std::uint64_t>(std::int64_t{offset}) : address);
  }
  return result;
}

TEST(Rows, TwoRowsOfSixteen) {
  std::vector<Slot> out;
  const Slot record = rowsRecord(0x7f0000001000, 4, 4, 1024);
  ASSERT_TRUE(hasDeviceForm(record));
  expandDeviceForm(&record, out);
  ASSERT_EQ(out.size(), 1 + payloadOf(out[0]));
  EXPECT_FALSE(hasDeviceForm(out[0]));
  const std::vector<std::uint64_t> lanes = addresses(out);
  EXPECT_EQ(lanes[0], 0x7f0000001000u);
  EXPECT_EQ(lanes[15], 0x7f0000001000u + 60);
  EXPECT_EQ(lanes[16], 0x7f0000001000u + 1024);
  EXPECT_EQ(lanes[31], 0x7f0000001000u + 1024 + 60);
  EXPECT_EQ(activeMaskOf(out[0]), 0xffffffffu);
  EXPECT_EQ(bytesOf(out[0]), 4u);
  EXPECT_EQ(out[0].word[1] >> 32 & 31, 3u);
  EXPECT_EQ(siteOf(out[0]), 12u);
  EXPECT_EQ(launchKeyOf(out[0]), 5u);
  EXPECT_EQ(blockOf(out[0]), 9u);
  EXPECT_EQ(numberOf(out[0]), 0u) << "only affine records have a stride";
}

TEST(Rows, EightRowsOfFourBackwards) {
  std::vector<Slot> out;
  const Slot record = rowsRecord(5000, 2, -8, -100);
  expandDeviceForm(&record, out);
  const std::vector<std::uint64_t> lanes = addresses(out);
  EXPECT_EQ(lanes[3], 5000u - 24);
  EXPECT_EQ(lanes[4], 5000u - 100);
  EXPECT_EQ(lanes[31], 5000u - 700 - 24);
}

TEST(Rows, FartherThan32BitsReach) {
  std::vector<Slot> out;
  const Slot record = rowsRecord(1 << 20, 1, 4, 0x40000000);
  expandDeviceForm(&record, out);
  EXPECT_EQ(format::formOf(flagsOf(out[0])), format::AddressForm::full64);
  ASSERT_EQ(out.size(), 9u);
  EXPECT_EQ(addresses(out)[31], (1u << 20) + 15ull * 0x40000000 + 4);
}

/// Of the lanes of `mask`, in shared memory.
Slot partOfRows(std::uint32_t address, std::uint32_t mask, std::int32_t stride, std::int32_t rowStride) {
  const auto above = static_cast<std::uint64_t>(rowStride) & ((1u << format::rowStrideBits) - 1);
  Slot slot = rowsRecord(address | above << format::rowStrideShift | format::partOfRows, 2, stride, 0);
  slot.word[1] |= mask;
  return slot;
}

TEST(Rows, OfAPartOfAWarp) {
  std::vector<Slot> out;
  const Slot record = partOfRows(40000, 0x80000844, 4, -1024);
  ASSERT_TRUE(hasDeviceForm(record));
  EXPECT_EQ(lanesOfAccess(record), 0x80000844u);
  expandDeviceForm(&record, out);
  ASSERT_EQ(out.size(), 5u);
  EXPECT_EQ(activeMaskOf(out[0]), 0x80000844u);
  EXPECT_EQ(out[0].word[0], 40000u);
  const std::vector<std::uint64_t> lanes = addresses(out);
  EXPECT_EQ(lanes[2], 40000u);
  EXPECT_EQ(lanes[6], 40000u - 1024);
  EXPECT_EQ(lanes[11], 40000u - 2 * 1024 + 4);
  EXPECT_EQ(lanes[31], 40000u - 7 * 1024 + 4);
}

TEST(Rows, OfALoneLane) {
  std::vector<Slot> out;
  const Slot record = partOfRows(4000, 1u << 9, 4, 64);
  expandDeviceForm(&record, out);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(format::formOf(flagsOf(out[0])), format::AddressForm::affine);
  EXPECT_EQ(out[0].word[0], 4000u);
  EXPECT_EQ(activeMaskOf(out[0]), 1u << 9);
  EXPECT_EQ(numberOf(out[0]), 0u);
}

TEST(Rows, SayWhichLanesTakePart) {
  EXPECT_EQ(lanesOfAccess(rowsRecord(5000, 2, -8, -100)), 0xffffffffu);
  Slot line = rowsRecord(5000, 0, 4, 0x70);
  line.word[1] &= ~(std::uint64_t{3} << 50);
  EXPECT_EQ(lanesOfAccess(line), 0x70u);
}

/// Lane i at `address(i)`, in shared memory or elsewhere, of the lanes of `mask`; others have anything.
template <class Address>
std::vector<Slot> plainTable(bool shared, std::uint32_t mask, Address address) {
  format::WarpRecord record{};
  record.activeMask = mask;
  record.warpAndBytes = format::makeWarpAndBytes(3, 4);
  record.flags = format::makeFlags(format::RecordType::access,
                                   shared ? format::AddressForm::offsets32 : format::AddressForm::full64,
                                   shared ? format::Space::shared : format::Space::global, false);
  record.siteAndGeneration = 12;
  record.launch = 5;
  record.block = 9;
  record.stride = format::plainTable;
  std::vector<Slot> slots(shared ? 5 : 9);
  char* const payload = reinterpret_cast<char*>(slots.data() + 1);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint64_t there = (mask >> lane & 1u) != 0 ? address(lane) : 0xdeadbeef;
    if (lane == static_cast<std::uint32_t>(std::countr_zero(mask))) record.address = there;
    std::memcpy(payload + std::size_t{lane} * (shared ? 4 : 8), &there, shared ? 4 : 8);
  }
  std::memcpy(slots.data(), &record, sizeof record);
  return slots;
}

TEST(PlainTable, OfLanesInLine) {
  for (const bool shared : {true, false})
    for (const std::uint32_t mask : {~0u, 0x70u, 0x80000100u}) {
      const std::vector<Slot> table =
          plainTable(shared, mask, [](std::uint32_t lane) { return 4000 - 8 * lane; });
      ASSERT_TRUE(hasDeviceForm(table[0]));
      EXPECT_FALSE(isPlain(table[0]));
      EXPECT_EQ(lanesOfAccess(table[0]), mask);
      std::vector<Slot> out;
      expandDeviceForm(table.data(), out);
      ASSERT_EQ(out.size(), 1u);
      EXPECT_TRUE(isPlain(out[0]));
      EXPECT_EQ(format::formOf(flagsOf(out[0])), format::AddressForm::affine);
      EXPECT_EQ(out[0].word[0], 4000u - 8u * static_cast<std::uint32_t>(std::countr_zero(mask)));
      EXPECT_EQ(static_cast<std::int32_t>(numberOf(out[0])), -8);
      EXPECT_EQ(activeMaskOf(out[0]), mask);
      EXPECT_EQ(siteOf(out[0]), 12u);
      EXPECT_EQ(blockOf(out[0]), 9u);
      EXPECT_EQ(bytesOf(out[0]), 4u);
    }
}

TEST(PlainTable, OfLanesAnywhere) {
  for (const std::uint64_t apart : {std::uint64_t{4}, std::uint64_t{1} << 40}) {
    const auto address = [apart](std::uint32_t lane) { return (1ull << 44) + apart * lane * lane; };
    const std::vector<Slot> table = plainTable(false, 0xfffffff0, address);
    std::vector<Slot> out;
    expandDeviceForm(table.data(), out);
    ASSERT_EQ(out.size(), apart == 4 ? 5u : 9u);
    EXPECT_EQ(numberOf(out[0]), 0u);
    EXPECT_EQ(out[0].word[0], address(4));
    const std::vector<std::uint64_t> lanes = addresses(out);
    for (std::uint32_t lane = 4; lane < 32; ++lane) EXPECT_EQ(lanes[lane], address(lane));
    EXPECT_EQ(lanes[0], address(4)) << "of a lane that takes no part nothing is left";
  }
}

TEST(PlainTable, WhatHasNoStrideOf32Bits) {
  const auto address = [](std::uint32_t lane) { return std::uint64_t{lane} << 32; };
  const std::vector<Slot> table = plainTable(false, 0x3, address);
  std::vector<Slot> out;
  expandDeviceForm(table.data(), out);
  ASSERT_EQ(out.size(), 9u);
  EXPECT_EQ(addresses(out)[1], 1ull << 32);
}

TEST(PlainTable, IsNoLineOfBytesWithValues) {
  std::vector<Slot> line = plainTable(true, ~0u, [](std::uint32_t lane) { return lane; });
  const std::uint64_t flags =
      format::makeFlags(format::RecordType::access, format::AddressForm::affine, format::Space::shared, true);
  line[0].word[1] = (line[0].word[1] & 0xff00ffffffffffffu) | flags << 48;
  EXPECT_EQ(numberOf(line[0]), format::plainTable);  // a stride here
  EXPECT_FALSE(hasDeviceForm(line[0]));
  EXPECT_TRUE(isPlain(line[0]));
}

TEST(PlainTable, OfALoneLane) {
  const std::vector<Slot> table = plainTable(true, 1u << 9, [](std::uint32_t) { return 4000u; });
  std::vector<Slot> out;
  expandDeviceForm(table.data(), out);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].word[0], 4000u);
  EXPECT_EQ(numberOf(out[0]), 0u);
}

}  // namespace
}  // namespace cui::hostlib
