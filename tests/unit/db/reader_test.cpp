// Opening, querying, cancelling and validating.
#include "db/store/trace_reader.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>

#include "db/schema/schema.h"
#include "tests/unit/db/read_back.h"
#include "tests/unit/db/trace_fixture.h"

namespace cui::db {
namespace {

using namespace test;

/// Changes a closed trace behind the store's back.
void tamper(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  char* message = nullptr;
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK) << message;
  sqlite3_close(database);
}

class Reader : public testing::Test {
 protected:
  Reader() {
    auto writer = openWriter(path_);
    EXPECT_OK(writer->addLaunch(launchRow(1, 4, 32)));
    Slots slots;
    for (std::uint32_t block = 0; block < 4; ++block) {
      slots.push_back(header(0, block * 128, 4, ~0u, 4, Space::global, AddressForm::affine, false, block));
      slots.push_back(header(2, 0, 128, ~0u, 4, Space::shared, AddressForm::affine, false, block));
    }
    EXPECT_OK(writer->addRecords(1, slots.data(), slots.size()));
    EXPECT_OK(writer->addCounters(1, siteBase + 0, 4, 128));
    EXPECT_OK(writer->addCounters(1, siteBase + 2, 4, 128));
    EXPECT_OK(writer->updateLaunch(1, 2000, 0, ""));
    EXPECT_OK(writer->close());
  }
  std::string problemsAfter(const std::string& sql) {
    tamper(path_, sql);
    const auto reader = openReader(path_);
    return reader ? problems(*reader) : "";
  }
  Error openError(const std::string& path) {
    Error error;
    EXPECT_EQ(TraceReader::open(path, error), nullptr);
    return error;
  }
  TemporaryFolder folder_;
  const std::string path_ = folder_.file("a.db");
};

TEST_F(Reader, HoldsStillWhileAProgramWrites) {
  const std::string path = folder_.file("growing.db");
  const auto launches = [](const TraceReader& reader) {
    Error error;
    const std::int64_t count = reader.integer("SELECT count(*) FROM launch", error);
    EXPECT_FALSE(error) << error.message;
    return count;
  };
  auto writer = openWriter(path);
  EXPECT_OK(writer->addLaunch(launchRow(1)));
  EXPECT_OK(writer->flush());
  auto still = openReader(path);
  const auto moving = openReader(path);
  EXPECT_OK(still->holdStill());
  EXPECT_OK(still->holdStill());  // as often as one likes
  EXPECT_OK(writer->addLaunch(launchRow(2)));
  EXPECT_OK(writer->flush());
  EXPECT_EQ(launches(*still), 1);
  EXPECT_EQ(launches(*moving), 2);
  EXPECT_EQ(still->query("BEGIN", [](Row) { return true; }).code, ErrorCode::sql);  // not by SQL
  EXPECT_OK(writer->close());
  EXPECT_EQ(launches(*still), 1);
  EXPECT_FALSE(still->complete());
  EXPECT_TRUE(openReader(path)->complete());
}

TEST_F(Reader, SaysInOneLineThatAViewIsDamaged) {
  tamper(path_,
         "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'SELECT', '`SELECT') "
         "WHERE type = 'view' AND sql LIKE '%' || char(10) || '%'");
  const Error error = openError(path_);
  EXPECT_EQ(error.code, ErrorCode::corrupt) << error.message;
  EXPECT_EQ(error.message.find('\n'), std::string::npos) << error.message;
  EXPECT_EQ(error.message.rfind(path_ + ": damaged", 0), 0u) << error.message;
}

TEST_F(Reader, OpensOnlyTraces) {
  EXPECT_EQ(openError(folder_.file("missing.db")).code, ErrorCode::io);
  EXPECT_EQ(openError(folder_.path()).code, ErrorCode::notADatabase);
  const std::string text = folder_.file("text");
  std::ofstream(text) << "hello";
  EXPECT_EQ(openError(text).message, text + ": not a trace (not an SQLite database)");
  const std::string empty = folder_.file("empty");
  std::ofstream{empty};
  EXPECT_EQ(openError(empty).code, ErrorCode::notADatabase);
  const std::string other = folder_.file("other.db");
  tamper(other, "CREATE TABLE t(x)");
  EXPECT_EQ(openError(other).message, other + ": not a trace (an SQLite database of another application)");
  const std::string cut = folder_.file("cut.db");
  std::filesystem::copy_file(path_, cut);
  std::filesystem::resize_file(cut, std::filesystem::file_size(cut) - 1);
  EXPECT_EQ(openError(cut).code, ErrorCode::truncated);
}

TEST_F(Reader, NamesBothVersionsOfALaterSchema) {
  tamper(path_, "PRAGMA user_version = 99");
  const Error error = openError(path_);
  EXPECT_EQ(error.code, ErrorCode::newerSchema);
  EXPECT_NE(
      error.message.find("schema version 99, this program reads version " + std::to_string(schemaVersion())),
      std::string::npos)
      << error.message;
}

TEST_F(Reader, RefusesToWrite) {
  const auto reader = openReader(path_);
  const auto ignore = [](Row) { return true; };
  for (const char* sql :
       {"DELETE FROM access", "CREATE TABLE t(x)", "CREATE TEMP TABLE t(x)", "ATTACH 'x.db' AS x",
        "PRAGMA journal_mode = WAL", "PRAGMA query_only = OFF", "PRAGMA writable_schema = ON", "BEGIN",
        "VACUUM", "SELECT load_extension('x')", "UPDATE launch SET kernel = ''"})
    EXPECT_EQ(reader->query(sql, ignore).code, ErrorCode::sql) << sql;
  EXPECT_EQ(reader->query("SELECT 1; SELECT 2", ignore).message,
            "more than one statement; run them one by one");
  EXPECT_EQ(reader->query("  -- nothing", ignore).code, ErrorCode::sql);
  EXPECT_EQ(reader->query("SELEC 1", ignore).code, ErrorCode::sql);
  EXPECT_EQ(rows(*reader, "SELECT 1 ; -- and a comment is no second statement"), "1");
  EXPECT_EQ(rows(*reader, "SELECT count(*) FROM access"), "8");
}

TEST_F(Reader, BindsParametersAndNamesColumns) {
  const auto reader = openReader(path_);
  const Value parameters[] = {std::int64_t{7}, 2.5, std::string_view("x"), std::monostate()};
  std::vector<std::string> names;
  std::size_t count = 0;
  EXPECT_OK(reader->query(
      "SELECT ?1 AS a, ?2 AS b, ?3, ?4",
      [&](Row row) {
        EXPECT_EQ(asInteger(row[0]), 7);
        EXPECT_EQ(asReal(row[1]), 2.5);
        EXPECT_EQ(asText(row[2]), "x");
        EXPECT_TRUE(isNull(row[3]));
        return ++count != 0;
      },
      parameters,
      [&](std::span<const std::string> columns) { names.assign(columns.begin(), columns.end()); }));
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b", "?3", "?4"}));
}

TEST_F(Reader, CanBeCancelled) {
  const auto reader = openReader(path_);
  int calls = 0;
  reader->setProgress([&calls] { return ++calls == 3; });
  const Error error =
      reader->query("WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
                    [](Row) { return true; });
  EXPECT_EQ(error.code, ErrorCode::cancelled);
  EXPECT_EQ(calls, 3);
  reader->setProgress({});
  EXPECT_EQ(rows(*reader, "SELECT count(*) FROM access"), "8");
}

TEST_F(Reader, AGoodTracePasses) {
  EXPECT_EQ(problems(*openReader(path_)), "");
}

TEST_F(Reader, ValidateSeesCountersThatDisagree) {
  EXPECT_EQ(problemsAfter("UPDATE site_counter SET requests = 5, thread_accesses = 160 WHERE site_id = 1001"),
            "counters data_loss: launch 1, site 1001: the device counted 5 requests by 160 threads, the "
            "trace has 4 "
            "by 128\n");
}

TEST_F(Reader, ValidateSeesACounterWithoutRecords) {
  EXPECT_EQ(problemsAfter("INSERT INTO site_counter VALUES(1, 1002, 1, 32)"),
            "counters data_loss: launch 1, site 1002: the device counted 1 requests by 32 threads, the trace "
            "has 0 by "
            "0\n");
}

TEST_F(Reader, ValidateSeesMissingChunks) {
  const std::string text = problemsAfter("DELETE FROM access_chunk");
  EXPECT_NE(text.find("metrics data_loss: launch 1, site 1001: 0 records stored, 4 measured"),
            std::string::npos);
  EXPECT_NE(text.find("materialized error: table access has 8 rows for 0 records"), std::string::npos)
      << text;
}

TEST_F(Reader, ValidateSeesAGapInTheSequence) {
  const std::string text = problemsAfter("UPDATE access_chunk SET first_sequence = 3");
  EXPECT_NE(text.find("chunks data_loss: launch 1: records 0 to 2 are missing"), std::string::npos) << text;
}

TEST_F(Reader, ValidateSeesDamagedChunks) {
  const std::string text =
      problemsAfter("UPDATE access_chunk SET data = substr(data, 1, length(data) - 4) || x'00000000'");
  EXPECT_NE(text.find("chunks error: access_chunk 1: damaged column"), std::string::npos) << text;
}

TEST_F(Reader, ValidateSeesRecordsOutsideTheirRanges) {
  EXPECT_EQ(problemsAfter("UPDATE access_chunk SET max_block = 2"),
            "chunks error: access_chunk 1: a record outside the chunk's ranges\n");
}

TEST_F(Reader, ValidateSeesChangedMetrics) {
  EXPECT_EQ(problemsAfter("UPDATE site_metric SET sectors = 17 WHERE site_id = 1001"),
            "metrics error: launch 1, site 1001: the records do not add up to site_metric\n");
}

TEST_F(Reader, ValidateSeesUnknownLaunchesAndSites) {
  const std::string text = problemsAfter("DELETE FROM launch; DELETE FROM site WHERE site_id = 1003");
  EXPECT_NE(text.find("launches error: launch 1: records, but no such launch"), std::string::npos) << text;
  EXPECT_NE(text.find("sites error: site 1003 has measurements but no site row"), std::string::npos) << text;
}

TEST_F(Reader, ValidateReportsDeclaredLosses) {
  EXPECT_EQ(problemsAfter("INSERT INTO trace_stat VALUES('dropped', 'data_loss', 3, 1, 'ring full'), "
                          "('note', 'info', 1, NULL, 'nothing')"),
            "stats data_loss: dropped: 3 in launch 1 (ring full)\n");
}

TEST_F(Reader, ValidateSeesOpenLaunches) {
  EXPECT_EQ(problemsAfter("UPDATE launch SET host_end_ns = NULL"),
            "launches data_loss: launch 1 (scale<float>): the call never returned\n");
}

TEST_F(Reader, ValidateSeesAnUnclosedTrace) {
  const std::string text = problemsAfter("UPDATE meta SET value = '0' WHERE key = 'complete'");
  EXPECT_EQ(text.rfind("complete data_loss: ", 0), 0u) << text;
}

}  // namespace
}  // namespace cui::db
