// Heat maps: which arrays have rows, and what is counted where, on traces made by hand.
#include <gtest/gtest.h>

#include <numeric>

#include "tests/unit/db/analyses_fixture.h"

namespace cui::db {
namespace {

using namespace test;

class HeatMap : public AccessAnalyses {
 protected:
  static constexpr std::uint64_t array = 0x10000;

  static Slots lanes(std::uint32_t site, const std::vector<std::int32_t>& offsets) {
    Slots slots = {header(site, array, 0, ~0u, 4, Space::global, AddressForm::offsets32)};
    std::vector<std::int32_t> all(offsets);
    all.resize(32);
    appendBytes(slots, all.data(), 128);
    return slots;
  }
  /// Of one array.
  Finding only() {
    const std::vector<Finding> findings = run("heat_map");
    if (findings.size() != 1) throw std::runtime_error(std::to_string(findings.size()) + " findings");
    return findings[0];
  }
  static double cell(const Grid& grid, std::size_t row, std::size_t column) {
    return grid.cells.at(row * grid.columns.size() + column);
  }
  static double sum(const Grid& grid) { return std::accumulate(grid.cells.begin(), grid.cells.end(), 0.0); }
};

TEST_F(HeatMap, RowsOfAPitchedAllocation) {
  allocate(array, 4 * 512, 10, 512);
  // Columns 0 to 31 of row 1, and 112 to 127 of it with 0 to 15 of row 2. 512 bytes in 64 cells: 2 elements
  // each.
  launch(1, {header(0, array + 512, 4, ~0u, 4, Space::global),
             header(0, array + 512 + 448, 4, ~0u, 4, Space::global)});
  const Finding finding = only();
  ASSERT_EQ(finding.grids.size(), 1u);
  const Grid& grid = finding.grids[0];
  EXPECT_EQ(grid.title, "thread accesses by row and column; rows of 512 bytes, known from its pitch");
  ASSERT_EQ(grid.rows.size(), 4u);
  ASSERT_EQ(grid.columns.size(), 64u);
  EXPECT_EQ(grid.columns[63].first, 126u);
  EXPECT_EQ(grid.columns[63].last, 127u);
  EXPECT_EQ(sum(grid), 64);
  for (std::size_t column = 0; column < 64; ++column) {
    EXPECT_EQ(cell(grid, 1, column), column < 16 || column >= 56 ? 2 : 0) << column;
    EXPECT_EQ(cell(grid, 2, column), column < 8 ? 2 : 0) << column;
  }
}

TEST_F(HeatMap, AColumnOfADeclaredArray) {
  format::WarpRecord tile = {};  // float tile[32][32] at 0 of the launch's shared memory
  tile.flags =
      format::makeFlags(format::RecordType::sharedVariable, AddressForm::affine, Space::shared, false);
  tile.siteAndGeneration = siteBase | 0x5000000u;
  tile.activeMask = 4096;
  launch(1, {tile, header(2, 20, 128, ~0u, 4, Space::shared)});
  const Finding finding = only();
  ASSERT_EQ(finding.grids.size(), 1u);
  const Grid& grid = finding.grids[0];
  EXPECT_EQ(grid.title, "thread accesses by row and column; rows of 128 bytes, known from its declaration");
  ASSERT_EQ(grid.rows.size(), 32u);
  ASSERT_EQ(grid.columns.size(), 32u);
  for (std::size_t row = 0; row < 32; ++row) EXPECT_EQ(cell(grid, row, 5), 1);
  EXPECT_EQ(sum(grid), 32);
}

TEST_F(HeatMap, RowsFromLanesThatRunDownAColumn) {
  // 256 rows of 64 floats, 4 in a cell. Column 2 of every 4th row, and twice column 0 of the first 32.
  allocate(array, 256 * 256, 10);
  launch(1, {header(0, array + 8, 1024, ~0u, 4, Space::global), header(0, array, 256, ~0u, 4, Space::global),
             header(0, array, 256, ~0u, 4, Space::global)});
  const Finding finding = only();
  ASSERT_EQ(finding.grids.size(), 1u);
  const Grid& grid = finding.grids[0];
  EXPECT_EQ(grid.title,
            "thread accesses by row and column; rows of 256 bytes, known from the distances between threads");
  ASSERT_EQ(grid.rows.size(), 64u);
  EXPECT_EQ(grid.rows[63].last, 255u);
  ASSERT_EQ(grid.columns.size(), 64u);
  for (std::size_t row = 0; row < 64; ++row) {
    EXPECT_EQ(cell(grid, row, 2), row < 32 ? 1 : 0);  // one lane in four rows
    EXPECT_EQ(cell(grid, row, 0), row < 8 ? 8 : 0);   // twice four lanes
  }
}

TEST_F(HeatMap, RowsFromABlockNarrowerThanAWarp) {
  allocate(array, 16 * 4096, 10);  // 16 columns of 64 in use
  std::vector<std::int32_t> offsets;
  for (int lane = 0; lane < 32; ++lane) offsets.push_back(lane / 16 * 256 + lane % 16 * 4);
  launch(1, lanes(0, offsets));
  const Finding finding = only();
  ASSERT_EQ(finding.grids.size(), 1u);
  EXPECT_EQ(finding.grids[0].title,
            "thread accesses by row and column; rows of 256 bytes, known from the distances between threads");
}

TEST_F(HeatMap, RowsFromTheRowsOfABlock) {
  allocate(array, 65536, 10);
  LaunchRow row = launchRow(1, 1, 32);
  row.block[1] = 4;
  EXPECT_OK(writer_->addLaunch(row));
  EXPECT_OK(writer_->updateLaunch(1, 1500, 0, ""));
  Slots slots;  // a row of 1,024 bytes for each warp
  for (std::uint32_t warp = 0; warp < 4; ++warp)
    slots.push_back(
        header(0, array + 1024 * warp, 4, ~0u, 4, Space::global, AddressForm::affine, false, 0, warp));
  EXPECT_OK(writer_->addRecords(1, slots.data(), slots.size()));
  const Finding finding = only();
  ASSERT_EQ(finding.grids.size(), 1u);
  EXPECT_EQ(finding.grids[0].columns.back().last, 255u);
}

TEST_F(HeatMap, RowsFromTheStepsOfALoop) {
  allocate(array, 65536, 10);
  Slots slots;
  for (std::uint32_t k = 0; k < 16; ++k)
    slots.push_back(header(0, array + 1024 * k, 4, ~0u, 4, Space::global));
  launch(1, slots, 4);  // 4 blocks of 32: a grid's step is 512
  const Finding finding = only();
  ASSERT_EQ(finding.grids.size(), 1u);
  EXPECT_EQ(finding.grids[0].title,
            "thread accesses by row and column; rows of 1024 bytes, known from the steps of a loop");
}

TEST_F(HeatMap, AListHasNoRows) {
  allocate(array, 65536, 10);
  Slots slots;
  for (std::uint32_t k = 0; k < 8; ++k)  // steps of a grid's and of a block's size
    for (std::uint32_t block = 0; block < 2; ++block)
      for (std::uint32_t warp = 0; warp < 2; ++warp) {
        const std::uint64_t thread = k * 128 + block * 64 + warp * 32,
                            inBlock = block * 512 + k * 64 + warp * 32;
        slots.push_back(
            header(0, array + thread * 4, 4, ~0u, 4, Space::global, AddressForm::affine, false, block, warp));
        slots.push_back(header(1, array + inBlock * 4, 4, ~0u, 4, Space::global, AddressForm::affine, false,
                               block, warp));
      }
  launch(1, slots, 2, 64);
  EXPECT_TRUE(only().grids.empty());
}

TEST_F(HeatMap, RandomAccessesHaveNoRows) {
  allocate(array, 65536, 10);
  Slots slots;
  std::uint32_t random = 1;
  for (int i = 0; i < 50; ++i) {
    std::vector<std::int32_t> offsets;
    for (int lane = 0; lane < 32; ++lane) {
      random = random * 1664525 + 1013904223;
      offsets.push_back(static_cast<std::int32_t>(random >> 16 & ~3u));
    }
    const Slots one = lanes(0, offsets);
    slots.insert(slots.end(), one.begin(), one.end());
  }
  launch(1, slots);
  EXPECT_TRUE(only().grids.empty());
}

}  // namespace
}  // namespace cui::db
