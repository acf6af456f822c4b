#include "hostlib/device_forms.h"

#include <gtest/gtest.h>

#include <array>
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

/// What lanes of `mask` access, of which lane i is at `address(i)`.
template <class Address>
std::vector<Slot> places(std::uint32_t mask, Address address) {
  Slot header = rowsRecord(0, 0, 0, 0);
  header.word[1] &= ~(std::uint64_t{3} << 50);
  std::array<std::uint64_t, 32> all{};
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    all[lane] = (mask >> lane & 1u) != 0 ? address(lane) : 0xdeadbeef;
  std::vector<Slot> out;
  appendPlaces(header, mask, all, out);
  return out;
}

TEST(Places, OfLanesInLine) {
  for (const std::uint32_t mask : {~0u, 0x70u, 0x80000100u}) {
    const std::vector<Slot> out = places(mask, [](std::uint32_t lane) { return 4000 - 8 * lane; });
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

TEST(Places, OfLanesAnywhere) {
  for (const std::uint64_t apart : {std::uint64_t{4}, std::uint64_t{1} << 40}) {
    const auto address = [apart](std::uint32_t lane) { return (1ull << 44) + apart * lane * lane; };
    const std::vector<Slot> out = places(0xfffffff0, address);
    ASSERT_EQ(out.size(), apart == 4 ? 5u : 9u);
    EXPECT_EQ(numberOf(out[0]), 0u);
    EXPECT_EQ(out[0].word[0], address(4));
    const std::vector<std::uint64_t> lanes = addresses(out);
    for (std::uint32_t lane = 4; lane < 32; ++lane) EXPECT_EQ(lanes[lane], address(lane));
    EXPECT_EQ(lanes[0], address(4)) << "of a lane that takes no part nothing is left";
  }
}

TEST(Places, WhatHasNoStrideOf32Bits) {
  const std::vector<Slot> out = places(0x3, [](std::uint32_t lane) { return std::uint64_t{lane} << 32; });
  ASSERT_EQ(out.size(), 9u);
  EXPECT_EQ(addresses(out)[1], 1ull << 32);
}

TEST(Places, OfALoneLane) {
  const std::vector<Slot> out = places(1u << 9, [](std::uint32_t) { return 4000u; });
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].word[0], 4000u);
  EXPECT_EQ(numberOf(out[0]), 0u);
}

}  // namespace
}  // namespace cui::hostlib
