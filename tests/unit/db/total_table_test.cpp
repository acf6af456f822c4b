// The virtual table access_total: sums over accesses, whatever a statement names.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/unit/db/access_table_fixture.h"

namespace cui::db {
namespace {

using namespace test;

using TotalTable = AccessTable;

/// Sums over access_total are those over access, by whatever columns and under whatever condition.
TEST_F(TotalTable, IsWhatTheRecordsAddUpTo) {
  const auto virtually = openReader(chunks()), plainly = openReader(plain());
  const std::vector<std::pair<std::string, std::vector<std::string>>> columns = {
      {"launch_id", {"= 2", "> 1", "IN (1, 3)", "= 4"}},
      {"site_id", {"= 1001", "IN (1002, 1003)", "<> 1001", "= 7"}},
      {"block_x", {"< 7", "= 5", "> 99"}},
      {"block_y", {"= 1", "> 0"}},
      {"block_z", {"= 1", "<= 0"}},
      {"warp", {"= 1", "< 2"}},
      {"active_mask", {"= 4294967295", "< 99999"}},
      {"address", {"= 131072", "> 70000", "BETWEEN 100 AND 66000"}},
      {"stride", {"= 4", "IS NULL", "< 0"}},
      {"bytes", {"= 4", "> 4"}},
      {"kind", {"= 'load'", "= 'store'"}},
      {"space", {"= 'shared'", "<> 'shared'"}}};
  std::string lanes = "0";
  for (int lane = 0; lane < 32; ++lane) lanes += " + (active_mask >> " + std::to_string(lane) + " & 1)";
  std::mt19937 random(7);
  std::size_t rowsSeen = 0;
  for (int i = 0; i < 300; ++i) {
    std::string by, condition;
    for (const auto& [name, values] : columns) {
      // Up to all twelve: then their parts do not fit in one number.
      if (i % 20 == 0 || random() % 4 == 0) by += name + ", ";
      if (random() % 8 == 0)
        condition +=
            (condition.empty() ? " WHERE " : " AND ") + name + " " + values[random() % values.size()];
    }
    const std::string group = condition + (by.empty() ? "" : " GROUP BY " + by.substr(0, by.size() - 2)) +
                              (by.empty() ? "" : " ORDER BY " + by.substr(0, by.size() - 2));
    const std::string query =
        "SELECT " + by + "sum(requests), sum(thread_accesses) FROM access_total" + group;
    const std::string expected =
        rows(*plainly, "SELECT " + by + "nullif(count(*), 0), sum(" + lanes + ") FROM access" + group);
    rowsSeen += static_cast<std::size_t>(std::count(expected.begin(), expected.end(), '\n')) + 1;
    ASSERT_EQ(rows(*virtually, query), expected) << query;
  }
  EXPECT_GT(rowsSeen, 10'000u);
}

/// Regular and irregular records, and strides that run down.
TEST_F(TotalTable, KnowsWhichBytesWereTouched) {
  const auto virtually = openReader(chunks()), plainly = openReader(plain());
  for (const std::string by : {"launch_id", "site_id", "launch_id, block_x, warp", "space, kind"}) {
    const std::string group = " GROUP BY " + by + " ORDER BY " + by;
    EXPECT_EQ(
        rows(*virtually, "SELECT " + by + ", min(min_address), max(max_address) FROM access_total" + group),
        rows(*plainly,
             "SELECT " + by + ", min(address), max(address + bytes - 1) FROM thread_access" + group))
        << by;
  }
}

TEST_F(TotalTable, HasFewRows) {
  const auto reader = openReader(chunks());
  // One a chunk, counted without looking into it; with the site, one for each of the four in every chunk.
  EXPECT_EQ(rows(*reader, "SELECT count(*) FROM access_total"), "24");
  EXPECT_EQ(rows(*reader, "SELECT launch_id, sum(requests) FROM access_total GROUP BY 1"),
            "1|500\n2|500\n3|500");
  EXPECT_EQ(rows(*reader,
                 "SELECT count(site_id), count(DISTINCT site_id), count(DISTINCT rowid) FROM access_total"),
            "96|4|96");
}

}  // namespace
}  // namespace cui::db
