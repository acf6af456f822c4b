// Layout changes, checked against addresses worked out by hand and against the changed declaration itself.
#include "db/analyses/address_change.h"

#include <gtest/gtest.h>

#include <set>

namespace cui::db {
namespace {

using format::Space;

AccessRecord lanes(Space space, std::uint32_t bytes, std::uint64_t first, std::int32_t stride,
                   std::uint32_t mask = ~0u) {
  AccessRecord record;
  record.flags = format::makeFlags(format::RecordType::access, format::AddressForm::affine, space, false);
  record.bytes = bytes;
  record.mask = mask;
  record.address = first;
  record.stride = stride;
  for (std::size_t i = 0; i < 32; ++i)
    record.lane[i] = first + static_cast<std::uint64_t>(static_cast<std::int64_t>(i) * stride);
  return record;
}

struct Cell {
  float left, right;
};

TEST(AddressChange, PaddingIsWhatTheLongerRowGives) {
  static float plain[8][32], padded[8][33];
  const AddressChange change = AddressChange::padRows(sizeof plain[0], sizeof(float));
  for (std::size_t r = 0; r < 8; ++r)
    for (std::size_t c = 0; c < 32; ++c) {
      const auto before = static_cast<std::uint64_t>(&plain[r][c] - &plain[0][0]) * sizeof(float);
      const auto after = static_cast<std::uint64_t>(&padded[r][c] - &padded[0][0]) * sizeof(float);
      EXPECT_EQ(change.map(before), after);
      EXPECT_EQ(change.map(before + 3), after + 3);
    }
  EXPECT_EQ(change.bytesAfter(sizeof plain), sizeof padded);
}

TEST(AddressChange, SwappedIndices) {
  static double plain[3][5], swapped[5][3];
  const AddressChange change = AddressChange::swapIndices(3, 5, sizeof(double));
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t c = 0; c < 5; ++c)
      EXPECT_EQ(change.map(static_cast<std::uint64_t>(&plain[r][c] - &plain[0][0]) * 8),
                static_cast<std::uint64_t>(&swapped[c][r] - &swapped[0][0]) * 8);
  EXPECT_EQ(change.bytesAfter(sizeof plain), sizeof plain);
}

TEST(AddressChange, SwizzlingStaysInTheRowAndIsOneToOne) {
  const AddressChange change = AddressChange::swizzleRows(128, 4);
  std::set<std::uint64_t> seen;
  for (std::uint64_t offset = 0; offset < 32 * 128; offset += 4) {
    EXPECT_EQ(change.map(offset) / 128, offset / 128);
    seen.insert(change.map(offset));
  }
  EXPECT_EQ(seen.size(), 1024u);
  EXPECT_EQ(change.map(5 * 128 + 4 * 3), 5u * 128 + 4 * (3 ^ 5));
}

TEST(AddressChange, FieldsBecomeArrays) {
  // Two structs of 12 bytes, fields at 0 and 8: arrays of 8 and of 4 bytes, the second at 256.
  const AddressChange change = AddressChange::structOfArrays(12, 2, {0, 8});
  EXPECT_EQ(change.map(0), 0u);
  EXPECT_EQ(change.map(12), 8u);
  EXPECT_EQ(change.map(8), 256u);
  EXPECT_EQ(change.map(12 + 8 + 1), 256u + 4 + 1);
  EXPECT_EQ(change.run(4, 8), 4u);  // up to the next field
  EXPECT_EQ(change.bytesAfter(24), 512u);
}

TEST(AddressChange, ColumnOfATileIsFreeOfConflictsWithOneMoreColumn) {
  const AccessRecord column = lanes(Space::shared, 4, 0, 128);
  std::uint32_t requests = 0;
  EXPECT_EQ(measureRecord(column).wavefronts, 32u);
  EXPECT_EQ(measureChanged(column, AddressChange::padRows(128, 4), 0, 4096, 0, requests).wavefronts, 1u);
  EXPECT_EQ(measureChanged(column, AddressChange::swizzleRows(128, 4), 0, 4096, 0, requests).wavefronts, 1u);
  EXPECT_EQ(measureChanged(column, AddressChange::padRows(128, 8), 0, 4096, 0, requests).wavefronts, 2u);
  // Doubles by two per bank pair: half warps of 16 lanes, each a column of its own after padding.
  const AccessRecord wide = lanes(Space::shared, 8, 0, 256);
  EXPECT_EQ(measureRecord(wide).wavefronts, 32u);
  EXPECT_EQ(measureChanged(wide, AddressChange::padRows(256, 8), 0, 8192, 0, requests).wavefronts, 2u);
}

TEST(AddressChange, AFieldTakesItsOwnSectorsOnly) {
  const AddressChange change = AddressChange::structOfArrays(8, 1000, {0, 4});
  std::uint32_t requests = 0;
  // 32 structs of 8 bytes are 8 sectors; one field of them is 128 bytes.
  const AccessRecord field = lanes(Space::global, 4, 0x1000 + 4, 8);
  EXPECT_EQ(measureRecord(field).sectors, 8u);
  EXPECT_EQ(measureChanged(field, change, 0x1000, 8000, 0x1000, requests).sectors, 4u);
  EXPECT_EQ(requests, 1u);
  // The struct copied whole becomes two accesses of 4 sectors.
  const AccessRecord whole = lanes(Space::global, sizeof(Cell), 0x1000, 8);
  EXPECT_EQ(measureChanged(whole, change, 0x1000, 8000, 0x1000, requests).sectors, 8u);
  EXPECT_EQ(requests, 2u);
}

TEST(AddressChange, LanesOutsideTheObjectStay) {
  const AccessRecord record = lanes(Space::shared, 4, 4096, 128);  // the next variable
  std::uint32_t requests = 0;
  EXPECT_EQ(measureChanged(record, AddressChange::padRows(128, 4), 0, 4096, 0, requests),
            measureRecord(record));
}

}  // namespace
}  // namespace cui::db
