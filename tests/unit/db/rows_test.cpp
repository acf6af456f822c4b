// Rows that are gathered and written by another thread are those that would be written one by one, whatever
// comes when.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

#include "db/store/integer_insert.h"
#include "tests/unit/db/read_back.h"
#include "tests/unit/db/trace_fixture.h"

namespace cui::db {
namespace {

using namespace test;

constexpr std::uint64_t launchCount = 40'000;  // more than wait for their ends

WriterOptions options(unsigned threads) {
  WriterOptions made;
  made.encoderThreads = threads;
  made.materializeLimit = 0;
  return made;
}

Slots entryAndAccess(std::uint64_t launch) {
  format::WarpRecord entry = {};
  entry.flags =
      format::makeFlags(format::RecordType::kernelEntry, AddressForm::affine, Space::generic, false);
  entry.siteAndGeneration = siteBase;
  entry.activeMask = 32;
  return {entry, header(0, 0x1000 + launch * 128, 4, ~0u, 4, Space::global),
          header(1, 0x2000, 4, 0xffu, 4, Space::global)};
}

/// Launches whose parts come `lag` launches after each other.
void record(TraceWriter& writer, std::uint64_t lag, bool commits) {
  for (std::uint64_t i = 1; i <= launchCount + 3 * lag; ++i) {
    if (i <= launchCount) EXPECT_OK(writer.addLaunch(launchRow(i)));
    const auto due = [&](std::uint64_t part) { return i > part * lag && i - part * lag <= launchCount; };
    if (due(1)) EXPECT_OK(writer.updateLaunch(i - lag, static_cast<std::int64_t>(i), i % 97 == 0, "e"));
    if (due(2)) {
      const Slots slots = entryAndAccess(i - 2 * lag);
      EXPECT_OK(writer.addRecords(i - 2 * lag, slots.data(), slots.size()));
    }
    if (due(3)) EXPECT_OK(writer.setLaunchTime(i - 3 * lag, 5, static_cast<std::int64_t>(10 + i)));
    if (i % 9'000 == 0) EXPECT_OK(writer.settleLaunches());
    if (commits && i % 7'000 == 0) EXPECT_OK(writer.commit());
    if (!commits && i % 11'000 == 0) EXPECT_OK(writer.flush());
  }
}

std::string contents(const std::string& path) {
  return rows(path,
              "SELECT launch_id, kernel, host_begin_ns, host_end_ns - launch_id, gpu_begin_ns, gpu_end_ns - "
              "launch_id, "
              "error_name, function_id, entered, instrumented, process_id IS NULL, line FROM launch "
              "WHERE launch_id % 501 < 3 ORDER BY 1") +
         rows(path,
              "SELECT count(*), sum(entered), sum(error <> 0), sum(gpu_end_ns - launch_id) FROM launch") +
         rows(path,
              "SELECT site_id, count(*), sum(requests), sum(thread_accesses), sum(min_address) FROM "
              "site_metric GROUP BY 1") +
         rows(path, "SELECT sum(record_count), count(*), count(DISTINCT launch_id) FROM access_chunk");
}

TEST(Rows, AreTheSameWhicheverThreadWritesThem) {
  for (const std::uint64_t lag : {0u, 3u}) {
    TemporaryFolder folder;
    const std::string alone = folder.file("a.db"), beside = folder.file("b.db");
    for (const auto& [path, threads] : {std::pair(alone, 0u), std::pair(beside, 2u)}) {
      const auto writer = openWriter(path, options(threads));
      record(*writer, lag, threads != 0);
      EXPECT_OK(writer->close());
    }
    EXPECT_EQ(contents(alone), contents(beside));
    EXPECT_EQ(rows(alone, "SELECT count(*), sum(entered), sum(gpu_end_ns IS NULL) FROM launch"),
              "40000|40000|0");
  }
}

/// Then rows are there before it is known how the launches ended.
TEST(Rows, AreChangedWhereTheRestComesLate) {
  TemporaryFolder folder;
  const std::string soon = folder.file("a.db"), late = folder.file("b.db");
  for (const auto& [path, lag] : {std::pair(soon, std::uint64_t{0}), std::pair(late, launchCount)}) {
    const auto writer = openWriter(path, options(1));
    record(*writer, lag, true);
    EXPECT_OK(writer->close());
  }
  const char* const sums =
      "SELECT count(*), sum(entered), sum(host_end_ns), sum(gpu_end_ns), count(function_id) FROM launch";
  const auto sum = [](std::uint64_t each) {
    return std::to_string(launchCount * (launchCount + 1) / 2 + launchCount * each);
  };
  EXPECT_EQ(rows(soon, sums), "40000|40000|" + sum(0) + "|" + sum(10) + "|40000");
  EXPECT_EQ(rows(late, sums), "40000|40000|" + sum(launchCount) + "|" + sum(10 + 3 * launchCount) + "|40000");
}

/// A launch that names a variable, or in a macro another launch's kernel, is called what has run.
TEST(Rows, OfLaunchesHaveTheNameOfWhatHasRun) {
  static constexpr format::KernelEntry kernels[] = {{"scale", 0, 8, 17}, {"copy", 0, 9, 17}};
  static constexpr format::LaunchEntry launches[] = {{"table[i]", "", "main", 0, 30, 3, 0},
                                                     {"copy<int>", "copy", "main", 0, 31, 3, 0},
                                                     {"scale<float>", "scale", "main", 0, 32, 3, 0}};
  static format::UnitTable several = unit;
  several.unitId = 0xabce;
  several.kernelCount = 2;
  several.kernels = kernels;
  several.launchCount = 3;
  several.launches = launches;
  for (const bool late : {false, true}) {
    TemporaryFolder folder;
    const std::string path = folder.file("a.db");
    Error error;
    const auto writer = TraceWriter::open(path, options(0), error);
    ASSERT_FALSE(error) << error.message;
    EXPECT_OK(writer->addUnit(several, siteBase));
    const Slots slots = entryAndAccess(1);
    for (std::uint32_t entry = 0; entry < 4; ++entry) {
      LaunchRow row = launchRow(entry + 1);
      row.unit = &several;
      row.entry = entry % 3;
      EXPECT_OK(writer->addLaunch(row));
      EXPECT_OK(writer->updateLaunch(entry + 1, 7, 0, ""));
    }
    if (late) EXPECT_OK(writer->flush());
    for (std::uint64_t launch = 1; launch <= 3; ++launch)
      EXPECT_OK(writer->addRecords(launch, slots.data(), slots.size()));
    EXPECT_OK(writer->close());
    EXPECT_EQ(
        rows(path, "SELECT launch_id, kernel, f.name FROM launch LEFT JOIN function f USING(function_id)"),
        "1|scale|scale\n2|scale|scale\n3|scale<float>|scale\n4|table[i]|")
        << late;
  }
}

/// Counts come as they lie in a device's table.
TEST(Rows, OfCountersMayComeInAnyOrder) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.db");
  std::vector<std::pair<std::uint64_t, std::uint32_t>> pairs;
  for (std::uint64_t launch = 1; launch <= 3'000; ++launch)
    for (const std::uint32_t site : {0u, 1u, 0u}) pairs.emplace_back(launch, site);
  std::shuffle(pairs.begin(), pairs.end(), std::mt19937(7));
  const auto writer = openWriter(path, options(1));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_OK(writer->addCounters(pairs[i].first, siteBase + pairs[i].second, pairs[i].first, 1));
    if (i == pairs.size() / 2) EXPECT_OK(writer->commit());
  }
  EXPECT_OK(writer->close());
  EXPECT_EQ(rows(path,
                 "SELECT site_id, count(*), sum(requests = 2 * launch_id), sum(requests = launch_id), "
                 "sum(thread_accesses) FROM site_counter GROUP BY 1"),
            "1001|3000|3000|0|6000\n1002|3000|0|3000|3000");
}

TEST(Rows, AreCommittedWithoutWaiting) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.db");
  const auto writer = openWriter(path, options(2));
  const Slots slots = entryAndAccess(1);
  EXPECT_OK(writer->addLaunch(launchRow(1)));
  EXPECT_OK(writer->addLaunch(launchRow(2)));
  EXPECT_OK(writer->addRecords(1, slots.data(), slots.size()));
  EXPECT_OK(writer->updateLaunch(1, 7, 0, ""));
  EXPECT_OK(writer->setLaunchTime(1, 8, 9));
  EXPECT_OK(writer->addStat("records_dropped", "data_loss", 3, 0, "told with the next commit"));
  const auto committed = [&] {
    EXPECT_OK(writer->commit());
    return rows(path,
                "SELECT launch_id, gpu_end_ns FROM launch UNION ALL SELECT value, name FROM trace_stat WHERE "
                "severity <> 'info'");
  };
  std::string seen = committed();
  for (int i = 0; i < 1'000 && seen.empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    seen = committed();
  }
  // Nothing is known of the second launch's end.
  EXPECT_EQ(seen, "1|9\n3|records_dropped");
  EXPECT_OK(writer->flush());
  EXPECT_EQ(rows(path, "SELECT launch_id, gpu_end_ns FROM launch"), "1|9\n2|");
  EXPECT_OK(writer->close());
}

/// It is met by the other thread, and the writer is inert from the next call on that hears of it.
TEST(Rows, ThatCannotBeWrittenAreAFailure) {
  for (const unsigned threads : {0u, 2u}) {
    TemporaryFolder folder;
    const std::string path = folder.file("a.db");
    const auto writer = openWriter(path, options(threads));
    const auto launches = [&] {
      for (std::uint64_t i = 1; i <= launchCount; ++i) {
        if (writer->addLaunch(launchRow(i))) return;
        if (writer->updateLaunch(i, 1, 0, "")) return;
      }
    };
    launches();
    EXPECT_OK(writer->flush());
    launches();  // their numbers are taken
    EXPECT_TRUE(writer->flush());
    EXPECT_NE(writer->error().message.find("UNIQUE constraint failed: launch.launch_id"), std::string::npos)
        << writer->error().message;
    EXPECT_TRUE(writer->close());
    EXPECT_EQ(rows(path, "SELECT count(*) FROM launch"), std::to_string(launchCount));
  }
}

/// Look-ups find the same without them.
TEST(Rows, HaveTheirIndicesWhenTheTraceIsClosed) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.db");
  const std::string indices =
      "SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema WHERE type = 'index' AND name IN "
      "('launch_by_kernel', 'site_metric_by_site', 'access_chunk_by_launch') ORDER BY 1)";
  const std::string lookUp =
      "SELECT count(*), sum(m.requests) FROM launch JOIN site_metric m USING(launch_id) "
      "WHERE kernel = 'scale<float>' AND site_id = 1001 AND launch_id IN (SELECT launch_id FROM access WHERE "
      "launch_id = 2)";
  const auto writer = openWriter(path, options(1));
  for (std::uint64_t launch = 1; launch <= 3; ++launch) {
    const Slots slots = entryAndAccess(launch);
    EXPECT_OK(writer->addLaunch(launchRow(launch)));
    EXPECT_OK(writer->addRecords(launch, slots.data(), slots.size()));
  }
  EXPECT_OK(writer->flush());
  EXPECT_EQ(rows(path, indices), "");
  EXPECT_EQ(rows(path, lookUp), "1|1");
  EXPECT_OK(writer->close());
  EXPECT_EQ(rows(path, indices), "access_chunk_by_launch,launch_by_kernel,site_metric_by_site");
  EXPECT_EQ(rows(path, lookUp), "1|1");
}

/// Whether they fill statements of many rows or not.
TEST(IntegerInsert, TakesAnyNumberOfRows) {
  for (const unsigned columns : {2u, 40u}) {  // 40: fewer than 32 rows fit
    Database database(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI);
    std::string names = "key PRIMARY KEY", marks = "(?";
    for (unsigned i = 1; i < columns; ++i) {
      names += ", c" + std::to_string(i);
      marks += ",?";
    }
    database.execute("CREATE TABLE t(" + names + ")");
    IntegerInsert insert("INTO t", marks + ")", "ON CONFLICT DO UPDATE SET c1 = c1 + excluded.c1");
    std::int64_t expected = 0;
    for (const std::int64_t count : {0, 1, 31, 32, 33, 100}) {
      IntegerRows values;
      for (std::int64_t i = 0; i < count; ++i)
        for (unsigned column = 0; column < columns; ++column) values.push_back(column == 0 ? i : 1);
      insert.run(database, values);
      expected += count;
    }
    EXPECT_EQ(database.integer("SELECT sum(c1) FROM t"), expected);
    EXPECT_EQ(database.integer("SELECT count(*) FROM t"), 100);
    EXPECT_EQ(database.integer("SELECT c1 FROM t WHERE key = 0"), 5);
  }
}

}  // namespace
}  // namespace cui::db
