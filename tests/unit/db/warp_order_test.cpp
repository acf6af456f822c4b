// Records of a GPU are stored warp by warp where nothing depends on the order of several warps'.
#include "db/store/warp_order.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/unit/db/read_back.h"
#include "tests/unit/db/trace_fixture.h"

namespace cui::db {
namespace {

using namespace test;

/// `turns` records of each of `warps` warps, eight a block, in random order, some with lane offsets; a
/// record's address has its warp and its turn.
Slots mixed(std::uint32_t warps, std::uint32_t turns) {
  Slots slots;
  std::mt19937 random(3);
  std::vector<std::uint32_t> turn(warps);
  for (std::uint32_t left = warps * turns; left != 0;) {
    const std::uint32_t warp = static_cast<std::uint32_t>(random()) % warps;
    if (turn[warp] == turns) continue;
    const std::uint64_t address = 0x10000000 + std::uint64_t{warp} * 0x10000 + turn[warp] * 128;
    const bool irregular = (turn[warp] + warp) % 5 == 0;
    slots.push_back(header(0, address, irregular ? 0 : 4, ~0u, 4, Space::global,
                           irregular ? AddressForm::offsets32 : AddressForm::affine, false, warp / 8,
                           warp % 8));
    std::array<std::int32_t, 32> offset{};
    for (std::size_t lane = 1; lane < 32; ++lane) offset[lane] = static_cast<std::int32_t>(lane * lane * 4);
    if (irregular) appendBytes(slots, offset.data(), sizeof offset);
    ++turn[warp], --left;
  }
  return slots;
}

TEST(WarpOrder, PutsEachWarpsRecordsTogetherInTheirOrder) {
  const Slots slots = mixed(3000, 7);  // numbers of twelve bits: two digits
  WarpOrder order;
  const auto starts = order.of(slots.data(), slots.data() + slots.size());
  ASSERT_EQ(starts.size(), 3000u * 7);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const format::WarpRecord& record = slots[starts[i]];
    ASSERT_EQ(record.block * 8 + format::warpOf(record), i / 7);
    ASSERT_EQ(record.address, 0x10000000 + i / 7 * 0x10000 + i % 7 * 128);
  }
}

TEST(WarpOrder, LeavesWhatIsTogetherAlone) {
  Slots slots;
  for (std::uint32_t i = 0; i < 900; ++i)  // nine in a row
    slots.push_back(
        header(0, i, 4, ~0u, 4, Space::global, AddressForm::affine, false, 900 - i / 9, i / 9 % 2));
  WarpOrder order;
  EXPECT_TRUE(order.of(slots.data(), slots.data() + slots.size()).empty());
  EXPECT_TRUE(order.of(slots.data(), slots.data() + 9).empty());
  EXPECT_TRUE(order.of(slots.data(), slots.data()).empty());
}

/// Block, warp and address in the order of the trace, and what it takes.
std::vector<std::string> stored(const std::string& path, const std::string& backend, bool withMark) {
  WriterOptions options;
  options.materializeLimit = 0;
  auto writer = openWriter(path, options);
  DeviceRow device;
  device.backend = backend;
  EXPECT_OK(writer->addDevice(device));
  EXPECT_OK(writer->addLaunch(launchRow(1, 8, 256)));
  EXPECT_OK(writer->updateLaunch(1, 2000, 0, ""));
  Slots slots = mixed(64, 20);
  if (withMark) {
    format::WarpRecord mark = header(0, 1, 0, 1, 0, Space::global, AddressForm::affine, false, 2, 3);
    mark.flags = format::markFlags(format::Mark::warpProgress);
    slots.push_back(mark);
  }
  EXPECT_OK(writer->addRecords(1, slots.data(), slots.size()));
  EXPECT_OK(writer->close());
  EXPECT_EQ(problems(*openReader(path)), "");
  const std::string order = rows(path, "SELECT block_x, warp, address FROM access ORDER BY sequence");
  const std::string sums = rows(path, "SELECT requests, sectors, min_address, max_address FROM site_metric");
  return {order, sums, rows(path, "SELECT length(data) FROM access_chunk")};
}

TEST(WarpOrder, IsTheTracesOnlyOnAGpuAndWithoutMarks) {
  TemporaryFolder folder;
  const auto cpu = stored(folder.file("cpu.db"), "cpu", false);
  const auto gpu = stored(folder.file("gpu.db"), "cuda", false);
  const auto marked = stored(folder.file("marked.db"), "cuda", true);
  EXPECT_EQ(marked[0], cpu[0]);
  EXPECT_NE(gpu[0], cpu[0]);
  EXPECT_EQ(gpu[0].substr(0, 27), "0|0|268435456\n0|0|268435584");
  EXPECT_EQ(gpu[1], cpu[1]);
  EXPECT_LT(3 * std::stoi(gpu[2]), std::stoi(cpu[2]));
}

}  // namespace
}  // namespace cui::db
