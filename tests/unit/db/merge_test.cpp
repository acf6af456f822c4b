// Traces as one: what stays apart, what becomes one, and that nothing is lost.
#include "db/store/merge.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "tests/unit/db/analyses_fixture.h"

namespace cui::db {
namespace {

using namespace test;

class Merge : public testing::Test {
 protected:
  /// Launches that begin at `times`, each of one warp that loads 32 elements of d_in and one that reads
  /// shared memory; lanes of a third are irregular, with values. The recording began at `realtimeNs` of the
  /// day, 0 of its own clock.
  std::string trace(const char* name, const std::vector<std::int64_t>& times, std::int64_t realtimeNs,
                    std::uint64_t materializeLimit = 1000) {
    const std::string path = folder_.file(name);
    WriterOptions options;
    options.backend = "cpu";
    options.program = std::string("/bin/") + name;
    options.materializeLimit = materializeLimit;
    options.realtimeNs = realtimeNs;
    const auto writer = openWriter(path, options);
    DeviceRow device;
    device.name = "GPU";
    device.backend = "cpu";
    EXPECT_OK(writer->addDevice(device));
    AllocationRow allocation;
    allocation.unit = &unit;
    allocation.api = "cudaMalloc";
    allocation.address = 0x10000;
    allocation.bytes = 4096;
    allocation.timeNs = 5;
    EXPECT_OK(writer->addAllocation(allocation));
    MemoryOperationRow fill;
    fill.unit = &unit;
    fill.entry = 1;
    fill.direction = -1;
    fill.destination = 0x10000;
    fill.bytes = 4096;
    fill.beginNs = fill.endNs = 6;
    EXPECT_OK(writer->addMemoryOperation(fill));
    SynchronizationRow wait;
    wait.unit = &unit;
    wait.beginNs = wait.endNs = 7;
    EXPECT_OK(writer->addSynchronization(wait));
    for (std::size_t i = 0; i < times.size(); ++i) {
      LaunchRow row = launchRow(i + 1, 2, 64);
      row.hostBeginNs = times[i];
      EXPECT_OK(writer->addLaunch(row));
      EXPECT_OK(writer->updateLaunch(i + 1, times[i] + 1, 0, ""));
      Slots slots = {header(0, 0x10000 + 128 * i, 4, ~0u, 4, Space::global),
                     header(2, 0, 128, ~0u, 4, Space::shared, AddressForm::affine, false, 1, 1),
                     header(0, 0x10000, 0, 0x7, 4, Space::global, AddressForm::offsets32, true, 1, 0)};
      const std::int32_t offsets[32] = {400, 0, 8};
      appendBytes(slots, offsets, sizeof offsets);
      const float values[32] = {1, 2, 3};
      appendBytes(slots, values, sizeof values);
      EXPECT_OK(writer->addRecords(i + 1, slots.data(), slots.size()));
      EXPECT_OK(writer->addCounters(i + 1, siteBase + 0, 2, 35));
      EXPECT_OK(writer->addCounters(i + 1, siteBase + 2, 1, 32));
    }
    EXPECT_OK(writer->close());
    return path;
  }
  TemporaryFolder folder_;
  const std::string out_ = folder_.file("out.db");
};

TEST_F(Merge, LaunchesByTimeAndEverythingElseApart) {
  // The second began 100 ns later: its launches at 7, 50 and 900 are at 107, 150 and 1000 of the first's
  // clock.
  const std::string a = trace("a", {120, 800}, 1'000'000), b = trace("b", {7, 50, 900}, 1'000'100);
  EXPECT_OK(mergeTraces({a, b}, out_));
  const auto reader = openReader(out_);
  ASSERT_TRUE(reader);
  EXPECT_EQ(problems(*reader), "");
  EXPECT_EQ(rows(*reader, "SELECT launch_id, device_id, host_begin_ns FROM launch"),
            "1|1|107\n2|0|120\n3|1|150\n4|0|800\n5|1|1000");
  // Addresses of 17 bits: b's have one more.
  EXPECT_EQ(rows(*reader, "SELECT address, bytes, allocated_ns, device_id FROM allocation"),
            "65536|4096|5|0\n196608|4096|105|1");
  EXPECT_EQ(rows(*reader, "SELECT destination FROM memory_operation"), "65536\n196608");
  // One process of the system's wrote both, so the second gets the next free number.
  const auto pid = std::to_string(getpid()), next = std::to_string(getpid() + 1);
  EXPECT_EQ(rows(*reader, "SELECT process_id, pid, program, begin_ns FROM process"),
            pid + "|" + pid + "|/bin/a|0\n" + next + "|" + pid + "|/bin/b|100");
  for (const char* table : {"launch", "device", "allocation", "memory_operation", "synchronization"})
    EXPECT_EQ(rows(*reader, std::string("SELECT DISTINCT process_id - ") + pid + ", device_id FROM " + table +
                                " ORDER BY 1"),
              "0|0\n1|1")
        << table;
  // In Nsight's views times begin with the first recording.
  EXPECT_EQ(rows(*reader,
                 "SELECT start, (globalPid >> 24) - " + pid + " FROM CUPTI_ACTIVITY_KIND_KERNEL ORDER BY 1"),
            "107|1\n120|0\n150|1\n800|0\n1000|1");
  EXPECT_EQ(rows(*reader, "SELECT count(*) FROM site"), rows(a, "SELECT count(*) FROM site"));
  EXPECT_EQ(rows(*reader, "SELECT launch_id, min_address FROM site_metric WHERE site_id = 1001 ORDER BY 1"),
            "1|196608\n2|65536\n3|196608\n4|65536\n5|196608");
  EXPECT_EQ(rows(*reader, "SELECT DISTINCT min_address FROM site_metric WHERE site_id = 1003"), "0");
  EXPECT_EQ(rows(*reader, "SELECT sum(requests), sum(thread_accesses) FROM site_counter"),
            "15|335");  // 5 x (3, 67)
}

TEST_F(Merge, EveryLaneIsWhereItWas) {
  const std::string a = trace("a", {120, 800}, 0), b = trace("b", {7, 50, 900}, 100);
  EXPECT_OK(mergeTraces({a, b}, out_));
  const std::string lanes =
      "SELECT l.address - iif(a.space = 'shared', 0, %), l.thread_x, l.lane, l.value, a.block_x, a.site_id "
      "FROM "
      "access_lane l JOIN access a USING(launch_id, sequence) JOIN launch n USING(launch_id) WHERE "
      "n.device_id = $ ORDER BY "
      "launch_id, sequence, lane";
  const auto asked = [&](const char* base, const char* device) {
    std::string sql = lanes;
    sql.replace(sql.find('%'), 1, base);
    return sql.replace(sql.find('$'), 1, device);
  };
  EXPECT_EQ(rows(out_, asked("0", "0")), rows(a, asked("0", "0")));
  EXPECT_EQ(rows(out_, asked("131072", "1")), rows(b, asked("0", "0")));
  EXPECT_NE(rows(out_, asked("0", "0")).find("|2.0|"), std::string::npos);  // values came along
  // The plain tables are there because both had them.
  EXPECT_EQ(stockSqlite(out_, "SELECT count(*) FROM access"), "15");
}

TEST_F(Merge, TheAnalysesSeeOneProgram) {
  const std::string a = trace("a", {120, 800}, 0), b = trace("b", {7, 50, 900}, 100);
  EXPECT_OK(mergeTraces({a, b}, out_));
  const auto reader = openReader(out_);
  ASSERT_TRUE(reader);
  const Analysis* const bounds[] = {findAnalysis("bounds")};
  std::vector<AnalysisResult> results;
  EXPECT_OK(runAnalyses(bounds, *reader, {}, results));
  // Every global access is to its own process's allocation. (The shared variable has no extent in this
  // trace.)
  for (const Finding& finding : results[0].findings)
    EXPECT_EQ(finding.verdict.find("d_in"), std::string::npos) << finding.verdict;
}

TEST_F(Merge, ThreeTracesWithoutPlainTables) {
  const std::string a = trace("a", {10}, 0, 0), b = trace("b", {10}, 0), c = trace("c", {10}, 0);
  EXPECT_OK(mergeTraces({a, b, c}, out_));
  const auto reader = openReader(out_);
  ASSERT_TRUE(reader);
  EXPECT_EQ(problems(*reader), "");
  EXPECT_FALSE(reader->materialized());
  EXPECT_EQ(rows(*reader, "SELECT address FROM allocation"), "65536\n196608\n327680");
  EXPECT_EQ(rows(*reader, "SELECT sum(value) FROM trace_stat WHERE name = 'merged_trace'"), "3");
  EXPECT_EQ(rows(*reader, "SELECT count(*) FROM access"), "9");
}

TEST_F(Merge, OfMergedTraces) {
  const std::string a = trace("a", {10}, 0), b = trace("b", {20}, 0), c = trace("c", {15}, 0);
  const std::string ab = folder_.file("ab.db");
  EXPECT_OK(mergeTraces({a, b}, ab));
  EXPECT_OK(mergeTraces({ab, c}, out_));
  const auto reader = openReader(out_);
  ASSERT_TRUE(reader);
  EXPECT_EQ(problems(*reader), "");
  const std::string first = std::to_string(getpid());
  EXPECT_EQ(rows(*reader, "SELECT device_id, process_id - " + first +
                              ", program FROM launch JOIN process "
                              "USING(process_id) ORDER BY launch_id"),
            "0|0|/bin/a\n2|2|/bin/c\n1|1|/bin/b");
}

TEST_F(Merge, RefusesAndLeavesNothing) {
  const std::string a = trace("a", {10}, 0), b = trace("b", {20}, 0);
  EXPECT_EQ(mergeTraces({a}, out_).code, ErrorCode::sql);
  EXPECT_EQ(mergeTraces({a, b}, b).code, ErrorCode::sql);
  EXPECT_EQ(rows(b, "SELECT count(*) FROM launch"), "1");  // still there
  EXPECT_EQ(mergeTraces({a, folder_.file("absent")}, out_).code, ErrorCode::io);
  std::ofstream(folder_.file("text")) << "no trace";
  EXPECT_EQ(mergeTraces({a, folder_.file("text")}, out_).code, ErrorCode::notADatabase);
  EXPECT_EQ(mergeTraces({a, b}, folder_.file("text")).code, ErrorCode::notADatabase);
  EXPECT_EQ(mergeTraces({a, b}, out_, [](std::uint64_t, std::uint64_t) { return false; }).code,
            ErrorCode::cancelled);
  EXPECT_FALSE(std::filesystem::exists(out_));
}

/// After the chunks of either come the plain tables, if both have them.
TEST_F(Merge, ItCanBeCancelledUntilTheEnd) {
  const std::string a = trace("a", {10}, 0), b = trace("b", {20}, 0);
  int asked = 0;
  EXPECT_EQ(mergeTraces({a, b}, out_, [&](std::uint64_t, std::uint64_t) { return ++asked <= 2; }).code,
            ErrorCode::cancelled);
  EXPECT_FALSE(std::filesystem::exists(out_));
  asked = 0;
  EXPECT_OK(mergeTraces({a, b}, out_, [&](std::uint64_t, std::uint64_t) { return ++asked > 0; }));
  EXPECT_GT(asked, 2);
}

TEST_F(Merge, ADamagedTraceIsNamed) {
  const std::string a = trace("a", {10}, 0, 0), b = trace("b", {20}, 0, 0);
  stockSqlite(a, "SELECT 1");
  const std::string command =
      std::string(CUI_SQLITE3) + " '" + b + "' \"UPDATE access_chunk SET data = x'00'\"";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const Error error = mergeTraces({a, b}, out_);
  EXPECT_EQ(error.code, ErrorCode::corrupt);
  EXPECT_EQ(error.message.rfind(b + ": ", 0), 0u) << error.message;
  EXPECT_FALSE(std::filesystem::exists(out_));
}

}  // namespace
}  // namespace cui::db
