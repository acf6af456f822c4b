// Traces of older versions, frozen as SQL: refused until upgraded, and then like new ones.
//
// All are of kernel `gather` (tile[t] = in[index[i]]; barrier; out[i] = tile[last - t]), which makes 5
// requests a warp. vN_chunks: schema N, <<<4, 64>>> and <<<2, 64>>>, 8 + 4 warps, so 60 requests, without
// plain tables; their chunks are of codec version 1, from v5 on of version 2. v2_plain: <<<1, 32>>>, so 5
// requests, with plain tables.
#include "db/store/upgrade.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <fstream>
#include <regex>

#include "db/schema/schema.h"
#include "tests/unit/db/read_back.h"
#include "tests/unit/db/trace_fixture.h"

namespace cui::db {
namespace {

using namespace test;

void execute(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  char* message = nullptr;
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK) << message;
  sqlite3_close(database);
}

class Upgrade : public testing::Test {
 protected:
  /// The path of a trace made from frozen/<name>.sql.
  std::string thaw(const std::string& name) {
    std::ifstream in(CUI_FROZEN_TRACES "/" + name + ".sql");
    EXPECT_TRUE(in.good()) << name;
    const std::string path = folder_.file((name + ".db").c_str());
    execute(path, std::string(std::istreambuf_iterator<char>(in), {}));
    return path;
  }
  TemporaryFolder folder_;
};

TEST_F(Upgrade, AnOlderTraceIsRefusedWithBothVersionsAndTheWayOut) {
  const std::string path = thaw("v2_chunks");
  Error error;
  EXPECT_EQ(TraceReader::open(path, error), nullptr);
  EXPECT_EQ(error.code, ErrorCode::olderSchema);
  EXPECT_EQ(error.message, path + ": schema version 2, this program reads version " +
                               std::to_string(schemaVersion()) + "; run cuinstrument upgrade on it");
}

/// What every version's trace answers after the upgrade, and the newest one's before.
void expectAnswers(const std::string& path) {
  const auto reader = openReader(path);
  EXPECT_EQ(problems(*reader), "");  // chunks are decoded and measured again
  EXPECT_EQ(rows(*reader, "SELECT launch_id, count(*) FROM access GROUP BY 1"), "1|40\n2|20");
  EXPECT_EQ(rows(*reader, "SELECT count(*) FROM access JOIN site USING(site_id) WHERE expression = 'out[i]'"),
            "12");
  // index[i] = i * 37 % 256 was recorded with its values, and says where in[index[i]] went.
  EXPECT_EQ(
      rows(*reader,
           "SELECT value FROM thread_access t JOIN site USING(site_id) WHERE expression = 'index[i]' AND "
           "launch_id = 1 AND block_x = 2 AND thread_x = 5"),
      std::to_string((2 * 64 + 5) * 37 % 256));
  EXPECT_EQ(
      rows(*reader,
           "SELECT (t.address - a.address) / 4 FROM thread_access t JOIN site USING(site_id), allocation a "
           "WHERE expression = 'in[index[i]]' AND launch_id = 1 AND block_x = 2 AND thread_x = 5 AND "
           "t.address BETWEEN a.address AND a.address + a.bytes - 1"),
      std::to_string((2 * 64 + 5) * 37 % 256));
  EXPECT_EQ(rows(*reader, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL"), "2");
  for (const char* table : {"launch", "allocation", "memory_operation", "device"})  // version 5 says whose
    EXPECT_EQ(rows(*reader, std::string("SELECT DISTINCT pid = process_id FROM process JOIN ") + table +
                                " USING(process_id)"),
              "1")
        << table;
}

class UpgradeFrom : public Upgrade, public testing::WithParamInterface<int> {};

TEST_P(UpgradeFrom, WithoutPlainTables) {
  const std::string path = thaw("v" + std::to_string(GetParam()) + "_chunks");
  int from = 0;
  std::uint64_t records = 0;
  EXPECT_OK(upgrade(path, from, [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_EQ(total, 60u);
    records = done;
    return true;
  }));
  EXPECT_EQ(from, GetParam());
  EXPECT_EQ(records, from < 3 ? 60u : 0u);  // version 3 brought the chunk index
  expectAnswers(path);
  // 6 blocks pass one barrier each; older versions did not record them.
  EXPECT_EQ(rows(path, "SELECT count(*) FROM barrier"), from < 4 ? "0" : "6");
}

INSTANTIATE_TEST_SUITE_P(Frozen, UpgradeFrom, testing::Values(2, 3, 4, 5, 6, 7),
                         [](const auto& version) { return "V" + std::to_string(version.param); });

/// Version 1 was version 2 without the views; no trace of it is known to be left.
TEST_F(Upgrade, FromTheFirstVersion) {
  const std::string path = thaw("v2_chunks");
  for (const char* view :
       {"site_summary", "hot_site", "hot_line", "launch_summary", "site_allocation", "allocation_summary"})
    execute(path, std::string("DROP VIEW ") + view);
  execute(path, "PRAGMA user_version = 1");
  int from = 0;
  EXPECT_OK(upgrade(path, from));
  EXPECT_EQ(from, 1);
  expectAnswers(path);
}

TEST_F(Upgrade, WithPlainTables) {
  const std::string path = thaw("v2_plain");
  int from = 0;
  EXPECT_OK(upgrade(path, from));
  const auto reader = openReader(path);
  EXPECT_EQ(problems(*reader), "");
  EXPECT_TRUE(reader->materialized());
  EXPECT_EQ(stockSqlite(path, "SELECT count(*), count(DISTINCT site_id) FROM thread_access"), "160|5");
}

/// SQL without its comments: those of a trace stay as they were written.
std::string withoutComments(const std::string& sql) {
  return std::regex_replace(sql, std::regex(" *--[^\n]*"), "");
}

/// Every table, view and index is what a new trace has.
TEST_F(Upgrade, LeavesTheSchemaOfANewTrace) {
  for (const char* const name :
       {"v2_plain", "v2_chunks", "v3_chunks", "v4_chunks", "v5_chunks", "v6_chunks", "v7_chunks"}) {
    const bool plain = std::string_view(name).ends_with("plain");
    const std::string old = thaw(name), fresh = folder_.file("fresh.db");
    int from = 0;
    EXPECT_OK(upgrade(old, from));
    WriterOptions options;
    options.materializeLimit = plain ? 1000 : 0;
    EXPECT_OK(openWriter(fresh, options)->close());
    const char* const schema =
        "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name";
    EXPECT_EQ(withoutComments(rows(old, schema)), withoutComments(rows(fresh, schema)));
  }
}

TEST_F(Upgrade, ATraceOfThisVersionStaysAsItIs) {
  const std::string path = folder_.file("a.db");
  EXPECT_OK(openWriter(path)->close());
  int from = 0;
  EXPECT_OK(upgrade(path, from));
  EXPECT_EQ(from, schemaVersion());
}

TEST_F(Upgrade, AFailedOneChangesNothing) {
  const std::string path = thaw("v2_chunks");
  int from = 0;
  EXPECT_EQ(upgrade(path, from, [](std::uint64_t, std::uint64_t) { return false; }).code,
            ErrorCode::cancelled);
  EXPECT_EQ(
      stockSqlite(path,
                  "PRAGMA user_version; SELECT count(*) FROM sqlite_schema WHERE name LIKE '%chunk_site%'"),
      "2\n0");
  execute(path, "UPDATE access_chunk SET data = x'00' WHERE access_chunk_id = 2");
  EXPECT_EQ(upgrade(path, from).message, path + ": damaged: access_chunk 2: damaged header; record it again");
  EXPECT_EQ(stockSqlite(path, "PRAGMA user_version"), "2");
}

/// Changing each of many launches takes a while, and can be stopped.
TEST_F(Upgrade, ItCanBeCancelledWithinAMigration) {
  const std::string path = thaw("v4_chunks");
  execute(path,
          "CREATE TEMP TABLE one AS SELECT * FROM launch LIMIT 1; UPDATE one SET launch_id = NULL; WITH "
          "RECURSIVE "
          "c(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM c WHERE x < 50000) INSERT INTO launch SELECT one.* "
          "FROM "
          "one, c");
  int from = 0;
  EXPECT_EQ(upgrade(path, from, [](std::uint64_t, std::uint64_t) { return false; }).code,
            ErrorCode::cancelled);
  EXPECT_EQ(stockSqlite(path, "PRAGMA user_version"), "4");
}

TEST_F(Upgrade, WhatIsNotOlderIsRefused) {
  const std::string path = thaw("v2_chunks");
  int from = 0;
  execute(path, "PRAGMA user_version = 99");
  EXPECT_EQ(upgrade(path, from).code, ErrorCode::newerSchema);
  execute(path, "PRAGMA user_version = 0");
  EXPECT_EQ(upgrade(path, from).code, ErrorCode::newerSchema);
  EXPECT_EQ(upgrade("/dev/null", from).code, ErrorCode::notADatabase);
}

}  // namespace
}  // namespace cui::db
