// The virtual tables over the chunks: they must say what the plain tables say, whatever the condition, and
// read no more chunks than they have to.
#include "db/store/access_table.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <limits>
#include <random>

#include "db/store/access_filter.h"
#include "tests/unit/db/access_table_fixture.h"

namespace cui::db {
namespace {

using namespace test;

TEST_F(AccessTable, HasTheColumnsOfThePlainOnes) {
  for (const std::string name : {"access", "access_lane", "thread_access"}) {
    const std::string columns = "SELECT group_concat(name) FROM pragma_table_info('";
    EXPECT_EQ(rows(chunks(), columns + name + "')"), rows(plain(), columns + name + "')")) << name;
    EXPECT_EQ(rows(chunks(), columns + "stored_" + name + "')"), rows(plain(), columns + name + "')"))
        << name;
  }
}

TEST_F(AccessTable, SaysWhatThePlainOnesSay) {
  const auto virtually = openReader(chunks()), plainly = openReader(plain());
  for (const std::string name : {"access", "access_lane", "thread_access"}) {
    const std::string query = " ORDER BY launch_id, sequence" + std::string(name == "access" ? "" : ", lane");
    const std::string expected = rows(*plainly, "SELECT * FROM " + name + query);
    EXPECT_GT(expected.size(), 50'000u);
    EXPECT_EQ(rows(*virtually, "SELECT * FROM " + name + query), expected) << name;
    EXPECT_EQ(rows(*plainly, "SELECT * FROM stored_" + name + query), expected) << name;
  }
}

TEST_F(AccessTable, PlainTablesComeFirst) {
  const auto plan = [](const std::string& path, const char* table) {
    return rows(path, std::string("EXPLAIN QUERY PLAN SELECT * FROM ") + table);
  };
  EXPECT_EQ(plan(plain(), "access").find("VIRTUAL"), std::string::npos);
  EXPECT_NE(plan(plain(), "stored_access").find("VIRTUAL"), std::string::npos);
  EXPECT_NE(plan(chunks(), "access").find("VIRTUAL"), std::string::npos);
}

/// Conditions of every kind, alone and together, with values of every type.
TEST_F(AccessTable, AnyConditionLeavesTheSameRows) {
  const auto virtually = openReader(chunks()), plainly = openReader(plain());
  struct Column {
    const char* name;
    std::vector<std::string> values;
    bool ofAccess, ofLane;
  };
  const std::vector<Column> columns = {
      {"launch_id", {"1", "2", "3", "4", "-1", "2.5", "NULL", "'2'", "1e30"}, true, true},
      {"sequence",
       {"0", "63", "64", "130", "499", "500", "100.5", "64.0", "-0.5", "'77'", "9223372036854775807"},
       true,
       true},
      {"site_id", {"1001", "1002", "1003", "1005", "7", "1001.0", "'1002'"}, true, false},
      {"block_x", {"0", "5", "9", "9.0", "99", "-3"}, true, false},
      {"block_y", {"0", "1", "4", "9223372036854775807"}, true, false},
      {"block_z", {"0", "1", "-9223372036854775808"}, true, false},
      {"warp", {"0", "1", "2"}, true, false},
      {"address",
       {"0", "100", "65536", "131072", "0x600000000000", "-1e30", "x'00'", "131072.0", "131200.25"},
       true,
       true},
      {"lane", {"0", "5", "5.0", "31"}, false, true},
      {"thread_x", {"0", "7", "95"}, false, true},
      {"kind", {"'load'", "'store'"}, true, false},
      {"stride", {"4", "NULL"}, true, false}};
  std::mt19937 random(5);
  std::size_t some = 0;
  for (int i = 0; i < 400; ++i) {
    const int table = static_cast<int>(random() % 3);
    std::string condition;
    for (unsigned terms = 1 + random() % 3; terms > 0; --terms) {
      const Column& column = columns[random() % columns.size()];
      if ((table == 0 && !column.ofAccess) || (table == 1 && !column.ofLane) ||
          (table == 2 && std::string_view(column.name) == "stride"))
        continue;
      const auto value = [&] { return column.values[random() % column.values.size()]; };
      static constexpr const char* operators[] = {" = ", " > ", " >= ", " < ", " <= ", " <> ", " IS "};
      condition += (condition.empty() ? " WHERE " : " AND ") + std::string(column.name);
      if (random() % 5 == 0)
        (condition += " IN (" + value()) += ", " + value() + ")";
      else
        condition += operators[random() % std::size(operators)] + value();
    }
    static constexpr const char* tables[] = {"access", "access_lane", "thread_access"};
    const std::string query =
        std::string("SELECT count(*), sum(address), sum(sequence), max(launch_id) FROM ") + tables[table] +
        condition;
    const std::string expected = rows(*plainly, query);
    some += expected[0] != '0';
    ASSERT_EQ(rows(*virtually, query), expected) << query;
  }
  EXPECT_GT(some, 130u);
}

TEST_F(AccessTable, JoinsAndViewsWork) {
  const auto virtually = openReader(chunks()), plainly = openReader(plain());
  for (const char* query :
       {"SELECT count(*), sum(l.address) FROM access JOIN access_lane l USING(launch_id, sequence) WHERE "
        "site_id = 1001",
        "SELECT s.expression, count(*) FROM access a JOIN site s USING(site_id) GROUP BY 1 ORDER BY 1",
        "SELECT count(*) FROM access a, access b WHERE a.launch_id = 1 AND b.launch_id = a.launch_id "
        "AND b.sequence = a.sequence + 1 AND a.address = b.address",
        "SELECT l.kernel, count(*) FROM launch l JOIN thread_access USING(launch_id) WHERE lane = 31 GROUP "
        "BY 1",
        "SELECT site_id, min(address), max(address) FROM access WHERE site_id IN "
        "(SELECT site_id FROM site WHERE space = 'global') AND launch_id IN (1, 3) GROUP BY 1 ORDER BY 1",
        "SELECT sequence FROM access WHERE launch_id = 2 ORDER BY sequence DESC LIMIT 3",
        "SELECT launch_id, sequence FROM access ORDER BY launch_id, sequence LIMIT 3 OFFSET 498"})
    EXPECT_EQ(rows(*virtually, query), rows(*plainly, query)) << query;
}

TEST_F(AccessTable, ItsOwnOrderNeedsNoSorting) {
  const auto reader = openReader(chunks());
  const auto sorts = [&](const char* query) {
    return rows(*reader, std::string("EXPLAIN QUERY PLAN ") + query).find("B-TREE") != std::string::npos;
  };
  EXPECT_FALSE(sorts("SELECT * FROM access ORDER BY launch_id, sequence"));
  EXPECT_FALSE(sorts("SELECT * FROM access WHERE launch_id = 1 ORDER BY sequence"));
  EXPECT_FALSE(sorts("SELECT * FROM thread_access ORDER BY launch_id, sequence, lane"));
  EXPECT_TRUE(sorts("SELECT * FROM access ORDER BY sequence"));
  EXPECT_TRUE(sorts("SELECT * FROM access ORDER BY launch_id DESC"));
  EXPECT_TRUE(sorts("SELECT * FROM access_lane ORDER BY launch_id, lane"));
  EXPECT_FALSE(sorts("SELECT launch_id, sum(requests) FROM access_total GROUP BY launch_id"));
  EXPECT_TRUE(sorts("SELECT site_id, sum(requests) FROM access_total GROUP BY launch_id, site_id"));
}

/// The reader's progress function is asked before each chunk (and, in queries as short as these, at no other
/// time).
TEST_F(AccessTable, ReadsOnlyTheChunksItNeeds) {
  const auto reader = openReader(chunks());
  const auto chunksRead = [&](const std::string& query) {
    int count = 0;
    reader->setProgress([&count] {
      ++count;
      return false;
    });
    rows(*reader, query);
    reader->setProgress({});
    return count;
  };
  // 500 records a launch are 8 chunks of 64; 24 in all.
  EXPECT_EQ(chunksRead("SELECT count(*) FROM access"), 0);
  EXPECT_EQ(chunksRead("SELECT count(*) FROM access WHERE launch_id = 2"), 0);
  EXPECT_EQ(chunksRead("SELECT sum(requests) FROM access_total WHERE launch_id = 2"), 0);
  EXPECT_EQ(chunksRead("SELECT sum(requests) FROM access_total WHERE launch_id = 1 AND block_x < 4"), 1);
  EXPECT_EQ(chunksRead("SELECT sum(address) FROM access"), 24);
  EXPECT_EQ(chunksRead("SELECT sum(address) FROM access WHERE launch_id = 2"), 8);
  EXPECT_EQ(chunksRead("SELECT address FROM access WHERE launch_id = 2 AND sequence = 200"), 1);
  EXPECT_EQ(chunksRead("SELECT address FROM access WHERE launch_id = 2 AND sequence BETWEEN 60 AND 70"), 2);
  EXPECT_EQ(chunksRead("SELECT address FROM access_lane WHERE launch_id = 2 AND sequence = 499"), 1);
  EXPECT_EQ(chunksRead("SELECT sum(address) FROM access WHERE site_id = 1004"), 0);  // never ran
  EXPECT_EQ(chunksRead("SELECT sum(address) FROM access WHERE address > 0x710000000000 AND site_id <= 1002"),
            0);
  // Between the arrays: each chunk's own range would hold it, no site's does. (1003 has an array at both ends
  // of the address space.)
  EXPECT_EQ(chunksRead("SELECT sum(address) FROM access WHERE address = 0x500000000000 AND "
                       "site_id IN (1001, 1002, 1005)"),
            0);
  // Records come five a block: blocks 0 to 3 are records 0 to 19, in the first chunk of each launch.
  EXPECT_EQ(chunksRead("SELECT sum(address) FROM access WHERE launch_id = 1 AND block_x < 4"), 1);
  EXPECT_EQ(chunksRead("SELECT sum(address) FROM access WHERE launch_id = 2 AND block_y = 4 AND block_x = 9"),
            2);
  // The inner loop of a join finds its chunk in memory.
  EXPECT_EQ(
      chunksRead("SELECT sum(l.address) FROM access a CROSS JOIN access_lane l USING(launch_id, sequence) "
                 "WHERE launch_id = 2 AND sequence BETWEEN 60 AND 70"),
      2);
}

TEST_F(AccessTable, CanBeCancelled) {
  const auto reader = openReader(chunks());
  int calls = 0;
  reader->setProgress([&calls] { return ++calls == 3; });
  const Error error = reader->query("SELECT sum(address) FROM access", [](Row) { return true; });
  EXPECT_EQ(error.code, ErrorCode::cancelled);
  EXPECT_EQ(calls, 3);
}

/// A connection of a user's own, with the tables registered as the extension does it.
class Connection {
 public:
  explicit Connection(const std::string& path) {
    EXPECT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
    EXPECT_EQ(registerAccessTables(handle, nullptr), SQLITE_OK);
  }
  ~Connection() { EXPECT_EQ(sqlite3_close(handle), SQLITE_OK); }  // fails where something was left open
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  /// The first column of the first row, or the error.
  std::string run(const std::string& sql) {
    std::string result;
    char* message = nullptr;
    sqlite3_exec(
        handle, sql.c_str(),
        [](void* out, int, char** values, char**) {
          auto& text = *static_cast<std::string*>(out);
          if (text.empty() && values[0]) text = values[0];
          return 0;
        },
        &result, &message);
    if (message) result = message;
    sqlite3_free(message);
    return result;
  }
  sqlite3* handle = nullptr;
};

TEST_F(AccessTable, TwoTracesInOneConnection) {
  Connection connection(chunks());
  EXPECT_EQ(connection.run("ATTACH '" + plain() + "' AS other"), "");
  EXPECT_EQ(connection.run("CREATE VIRTUAL TABLE temp.other_access USING access(other)"), "");
  EXPECT_EQ(connection.run("SELECT count(*) FROM access a JOIN other_access b USING(launch_id, sequence) "
                           "WHERE a.address = b.address AND a.site_id = b.site_id"),
            "1500");
  EXPECT_EQ(connection.run("CREATE VIRTUAL TABLE temp.none USING access(\"no such\")"),
            chunks() + ": unknown database \"no such\"");
  EXPECT_EQ(connection.run(
                "CREATE VIRTUAL TABLE temp.quoted USING access_lane('other'); SELECT max(lane) FROM quoted"),
            "31");
}

TEST_F(AccessTable, WhatIsNoTraceIsRefused) {
  {
    Connection connection(":memory:");
    EXPECT_EQ(connection.run("SELECT * FROM access"), "this database is no cuinstrument trace");
    EXPECT_EQ(connection.run("CREATE TABLE access(x); INSERT INTO access VALUES(7); SELECT x FROM access"),
              "7");
  }
  const std::string copy = folder_->file("version.db");
  std::filesystem::copy_file(chunks(), copy, std::filesystem::copy_options::overwrite_existing);
  Connection connection(copy);
  EXPECT_EQ(connection.run("PRAGMA user_version = 99"), "");
  EXPECT_NE(connection.run("SELECT * FROM access").find("schema version 99, this extension reads version "),
            std::string::npos);
}

TEST_F(AccessTable, RowsCannotBeChanged) {
  Connection connection(chunks());
  EXPECT_EQ(connection.run("DELETE FROM access"), "table access may not be modified");
}

TEST_F(AccessTable, DamagedChunksAreErrors) {
  const std::string path = folder_->file("damaged.db");
  std::filesystem::copy_file(chunks(), path, std::filesystem::copy_options::overwrite_existing);
  const auto answer = [&](const std::string& change, const std::string& query) {
    Connection connection(path);
    connection.run("BEGIN; " + change);
    std::string text = connection.run(query);
    connection.run("ROLLBACK");
    return text;
  };
  const std::string scan = "SELECT sum(address) FROM access";
  EXPECT_EQ(answer("UPDATE access_chunk SET data = x'00' WHERE access_chunk_id = 7", scan),
            "access_chunk 7: damaged header");
  EXPECT_EQ(answer("UPDATE access_chunk SET record_count = 63 WHERE access_chunk_id = 7", scan),
            "access_chunk 7: damaged records");
  EXPECT_EQ(answer("UPDATE access_chunk SET record_count = -1 WHERE access_chunk_id = 7",
                   "SELECT count(*) FROM access"),
            "access_chunk 7: impossible record count");
  EXPECT_EQ(answer("UPDATE access_chunk SET codec_version = 9 WHERE access_chunk_id = 7", scan),
            "access_chunk 7: unknown codec version");
  EXPECT_EQ(answer("DELETE FROM site WHERE site_id = 1005", scan).find("access_chunk"), 0u);
  EXPECT_EQ(answer("UPDATE launch SET grid_x = -5, grid_y = 9223372036854775807",
                   "SELECT count(*) FROM access WHERE block_y < 3 AND block_z > 0"),
            "0");
}

TEST(AccessFilterTest, RealNumbersAndEdges) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const auto interval = [](Relation comparison, const Value& value) {
    AccessFilter filter;
    filter.narrow(AccessField::address, comparison, value);
    const Interval i = filter[AccessField::address];
    return filter.impossible() ? std::string("none") : std::to_string(i.low) + ".." + std::to_string(i.high);
  };
  const std::string from = std::to_string(std::numeric_limits<std::int64_t>::min()) + "..",
                    to = ".." + std::to_string(most);
  EXPECT_EQ(interval(Relation::equal, std::int64_t{7}), "7..7");
  EXPECT_EQ(interval(Relation::greater, std::int64_t{7}), "8" + to);
  EXPECT_EQ(interval(Relation::greater, most), "none");
  EXPECT_EQ(interval(Relation::less, std::numeric_limits<std::int64_t>::min()), "none");
  EXPECT_EQ(interval(Relation::atMost, 7.5), from + "7");
  EXPECT_EQ(interval(Relation::less, -7.5), from + "-8");
  EXPECT_EQ(interval(Relation::atLeast, 7.5), "8" + to);
  EXPECT_EQ(interval(Relation::greater, 7.0), "8" + to);
  EXPECT_EQ(interval(Relation::less, 8.0), from + "7");
  EXPECT_EQ(interval(Relation::equal, 7.5), "none");
  EXPECT_EQ(interval(Relation::equal, 8.0), "8..8");
  EXPECT_EQ(interval(Relation::atLeast, 1e300), "none");
  EXPECT_EQ(interval(Relation::less, 1e300), from + std::to_string(most));
  EXPECT_EQ(interval(Relation::equal, std::monostate()), "none");
  EXPECT_EQ(interval(Relation::equal, std::string_view("7")), from + std::to_string(most));
}

}  // namespace
}  // namespace cui::db
