// The views, on a trace small enough to add up by hand.
#include <gtest/gtest.h>

#include "tests/unit/db/read_back.h"
#include "tests/unit/db/trace_fixture.h"

namespace cui::db {
namespace {

using namespace test;

// Two launches of `scale`. In each, 2 warps load in[] consecutively (4 sectors each), store out[] with a
// stride of 128 bytes (32 sectors each, ideally 4); in the first, one warp reads the shared tile by
// columns (32 wavefronts, ideally 1) with its lower 16 lanes (16 wavefronts, ideally 1).
// Cost: load 4 * 4 = 16 sectors, store 4 * 32 = 128, tile 16 wavefronts = 64; 208 in all.
class Views : public testing::Test {
 protected:
  Views() {
    auto writer = openWriter(path_);
    AllocationRow in;
    in.unit = &unit;
    in.address = 4096;
    in.bytes = 256;
    in.timeNs = 1;
    EXPECT_OK(writer->addAllocation(in));
    for (std::uint64_t launch : {1u, 2u}) {
      EXPECT_OK(writer->addLaunch(launchRow(launch, 1, 64)));
      Slots slots;
      for (std::uint32_t warp : {0u, 1u}) {
        slots.push_back(
            header(0, 4096 + warp * 128, 4, ~0u, 4, Space::global, AddressForm::affine, false, 0, warp));
        slots.push_back(
            header(1, 65536 + warp * 4096, 128, ~0u, 4, Space::global, AddressForm::affine, false, 0, warp));
      }
      if (launch == 1) slots.push_back(header(2, 0, 128, 0xffffu, 4, Space::shared));
      EXPECT_OK(writer->addRecords(launch, slots.data(), slots.size()));
      const auto begin = static_cast<std::int64_t>(launch * 1000);
      EXPECT_OK(writer->updateLaunch(launch, begin + 50, 0, ""));
      EXPECT_OK(writer->setLaunchTime(launch, begin + 60, begin + 90));
    }
    EXPECT_OK(writer->setFreed(4096, "cudaFree", 9001));
    EXPECT_OK(writer->close());
  }
  TemporaryFolder folder_;
  const std::string path_ = folder_.file("a.db");
};

TEST_F(Views, HotSite) {
  EXPECT_EQ(rows(path_,
                 "SELECT site_id, function, file, line, expression, base, kind, space, requests, "
                 "sectors_per_request, sectors, ideal_sectors, excessive_sectors, bank_conflicts, bytes, "
                 "bytes_per_sector, avg_active_threads, cost, round(share, 6) FROM hot_site"),
            "1002|scale|scale.cu|10|out[i]|out|store|global|4|32.0|128|16|112|0|512|4.0|32.0|128|0.615385\n"
            "1003|scale|scale.cu|11|tile[x][y]|tile|load|shared|1||0|0|0|15|64||16.0|64|0.307692\n"
            "1001|scale|scale.cu|10|in[i]|in|load|global|4|4.0|16|16|0|0|512|32.0|32.0|16|0.076923");
  EXPECT_EQ(
      rows(path_,
           "SELECT wavefronts, ideal_wavefronts, wavefronts_per_request FROM hot_site WHERE site_id = 1003"),
      "16|1|16.0");
}

TEST_F(Views, SiteSummaryHasSitesThatNeverRan) {
  EXPECT_EQ(
      rows(path_,
           "SELECT site_id, launches, requests, sectors_per_request FROM site_summary ORDER BY site_id"),
      "1001|2|4|4.0\n1002|2|4|32.0\n1003|1|1|\n1005|0|0|");
}

TEST_F(Views, HotLine) {
  EXPECT_EQ(rows(path_,
                 "SELECT file, line, functions, sites, requests, sectors, ideal_sectors, excessive_sectors, "
                 "bank_conflicts, bytes, cost, round(share, 6) FROM hot_line"),
            "scale.cu|10|scale|2|8|144|32|112|0|1024|144|0.692308\n"
            "scale.cu|11|scale|1|1|0|0|0|15|64|64|0.307692");
}

TEST_F(Views, LaunchSummary) {
  EXPECT_EQ(rows(path_,
                 "SELECT launch_id, kernel, blocks, threads_per_block, host_ns, gpu_ns, sites, requests, "
                 "thread_accesses, sectors, excessive_sectors, bank_conflicts, cost FROM launch_summary"),
            "1|scale<float>|1|64|50|30|3|5|144|72|56|15|136\n"
            "2|scale<float>|1|64|50|30|2|4|128|72|56|0|72");
}

TEST(SiteAllocation, IsTheOneThatWasLive) {
  // One address used twice: launch 1 runs while the first allocation lives, launch 2 after it went, launch
  // 3 with the second one, which is too small for what the site touches.
  TemporaryFolder folder;
  const std::string path = folder.file("a.db");
  auto writer = openWriter(path);
  AllocationRow row;
  row.unit = &unit;
  row.address = 4096;
  row.bytes = 128;
  row.timeNs = 500;
  EXPECT_OK(writer->addAllocation(row));
  EXPECT_OK(writer->setFreed(4096, "cudaFree", 1500));
  row.bytes = 64;
  row.timeNs = 2500;
  EXPECT_OK(writer->addAllocation(row));
  EXPECT_OK(writer->setFreed(0, "cudaFree", 2600));
  const auto record = header(0, 4096, 4, ~0u, 4, Space::global);
  for (std::uint64_t launch : {1u, 2u, 3u}) {
    EXPECT_OK(writer->addLaunch(launchRow(launch)));  // at 1000, 2000, 3000
    EXPECT_OK(writer->addRecords(launch, &record, 1));
  }
  EXPECT_OK(writer->close());
  EXPECT_EQ(rows(path, "SELECT launch_id, allocation_id FROM site_allocation"), "1|1");
  EXPECT_EQ(rows(path, "SELECT count(*) FROM trace_stat"), "0");
}

TEST_F(Views, AllocationSummary) {
  EXPECT_EQ(rows(path_,
                 "SELECT name, bytes, life_ns, leaked, site_launches, requests, loaded_bytes, stored_bytes, "
                 "sectors FROM allocation_summary"),
            "d_in|256|9000|0|2|4|512|0|16");
  EXPECT_EQ(rows(path_, "SELECT launch_id, site_id, name FROM site_allocation ORDER BY 1"),
            "1|1001|d_in\n2|1001|d_in");
}

}  // namespace
}  // namespace cui::db
