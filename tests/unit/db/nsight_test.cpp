// The views with Nsight's names, and queries as people's scripts have them.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "db/exporters/trace_formats.h"
#include "tests/unit/db/read_back.h"
#include "tests/unit/db/trace_fixture.h"

namespace cui::db {
namespace {

using namespace test;

class Nsight : public testing::Test {
 protected:
  Nsight() {
    WriterOptions options;
    options.monotonicNs = 1000;
    options.realtimeNs = 5000;
    auto writer = openWriter(path_, options);
    for (std::uint64_t id = 1; id <= 3; ++id) {
      LaunchRow row = launchRow(id, 2, 64);
      row.stream = id == 2 ? 77 : 0;
      row.hostBeginNs = static_cast<std::int64_t>(1000 + 100 * id);
      EXPECT_OK(writer->addLaunch(row));
      EXPECT_OK(writer->updateLaunch(id, row.hostBeginNs + 10, id == 3 ? 9 : 0, id == 3 ? "invalid" : ""));
    }
    EXPECT_OK(writer->setLaunchTime(1, 1150, 1190));
    // Launch 1: a load of 4 sectors, a store of 32, a shared load of 32 wavefronts.
    Slots slots = {header(0, 0x10000, 4, ~0u, 4, Space::global),
                   header(1, 0x20000, 128, ~0u, 4, Space::global), header(2, 0, 128, ~0u, 4, Space::shared)};
    EXPECT_OK(writer->addRecords(1, slots.data(), slots.size()));
    AllocationRow allocation;
    allocation.unit = &unit;
    allocation.address = 0x10000;
    allocation.bytes = 4096;
    allocation.timeNs = 1010;
    EXPECT_OK(writer->addAllocation(allocation));
    EXPECT_OK(writer->setFreed(0x10000, "cudaFree", 1990));
    const auto copy = [&](const char* api, int direction, std::uint64_t bytes, std::int64_t begin) {
      MemoryOperationRow row;
      row.api = api;
      row.direction = direction;
      row.bytes = bytes;
      row.beginNs = begin;
      row.endNs = begin + 5;
      EXPECT_OK(writer->addMemoryOperation(row));
    };
    copy("cudaMemcpy", 1, 100, 1020);
    copy("cudaMemcpy", 2, 50, 1500);
    copy("cudaMemcpyAsync", 3, 25, 1510);
    copy("cudaMemset", -1, 10, 1030);
    SynchronizationRow wait;
    wait.api = "cudaDeviceSynchronize";
    wait.beginNs = 1300;
    wait.endNs = 1400;
    EXPECT_OK(writer->addSynchronization(wait));
    EXPECT_OK(writer->close());
  }
  /// As a user's script: with stock SQLite.
  std::string ask(const std::string& sql) { return stockSqlite(path_, sql); }
  TemporaryFolder folder_;
  const std::string path_ = folder_.file("a.db");
};

TEST_F(Nsight, KernelsWithTheirNamesAndTimes) {
  // From Nsight Systems' documentation: kernel names come from StringIds, the short one without arguments.
  EXPECT_EQ(ask("SELECT k.start, k.\\\"end\\\", s.value, f.value, k.gridX, k.blockX, k.streamId, "
                "k.dynamicSharedMemory "
                "FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = k.demangledName "
                "JOIN StringIds f ON f.id = k.shortName ORDER BY k.start"),
            "150|190|scale<float>|scale|2|64|0|256\n200|210|scale<float>|scale|2|64|77|256");
}

TEST_F(Nsight, KernelSummary) {
  EXPECT_EQ(
      ask("SELECT value, count(*), sum(\\\"end\\\" - start), avg(\\\"end\\\" - start) FROM "
          "CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds ON StringIds.id = demangledName GROUP BY demangledName"),
      "scale<float>|2|50|25.0");
}

TEST_F(Nsight, LaunchLatencyByCorrelation) {
  // Kernel 1 began 50 ns after its call; 2's own time is not known, so it is the call's.
  EXPECT_EQ(ask("SELECT k.start - r.start, s.value FROM CUPTI_ACTIVITY_KIND_RUNTIME r JOIN "
                "CUPTI_ACTIVITY_KIND_KERNEL k USING(correlationId) JOIN StringIds s ON s.id = r.nameId "
                "WHERE s.value LIKE 'cudaLaunchKernel%' ORDER BY k.start"),
            "50|cudaLaunchKernel\n0|cudaLaunchKernel");
  EXPECT_EQ(
      ask("SELECT returnValue FROM CUPTI_ACTIVITY_KIND_RUNTIME r LEFT JOIN CUPTI_ACTIVITY_KIND_KERNEL k "
          "USING(correlationId) JOIN StringIds s ON s.id = r.nameId WHERE k.start IS NULL AND "
          "s.value = 'cudaLaunchKernel'"),
      "9");  // the refused launch
}

TEST_F(Nsight, Copies) {
  EXPECT_EQ(ask("SELECT label, count(*), sum(bytes), srcKind, dstKind FROM CUPTI_ACTIVITY_KIND_MEMCPY JOIN "
                "ENUM_CUDA_MEMCPY_OPER e ON e.id = copyKind GROUP BY copyKind ORDER BY copyKind"),
            "Host-to-Device|1|100|1|3\nDevice-to-Host|1|50|3|1\nDevice-to-Device|1|25|3|3");
  EXPECT_EQ(ask("SELECT start, \\\"end\\\", bytes, memKind FROM CUPTI_ACTIVITY_KIND_MEMSET"), "30|35|10|3");
}

TEST_F(Nsight, RuntimeCallsHaveDistinctCorrelationsAndNames) {
  EXPECT_EQ(ask("SELECT count(*), count(DISTINCT correlationId) FROM CUPTI_ACTIVITY_KIND_RUNTIME"), "8|8");
  EXPECT_EQ(ask("SELECT value, count(*) FROM CUPTI_ACTIVITY_KIND_RUNTIME JOIN StringIds ON id = nameId GROUP "
                "BY value "
                "ORDER BY value"),
            "cudaDeviceSynchronize|1\ncudaLaunchKernel|3\ncudaMemcpy|2\ncudaMemcpyAsync|1\ncudaMemset|1");
  EXPECT_EQ(ask("SELECT count(*) = count(DISTINCT id), count(*) = count(id) FROM StringIds"), "1|1");
}

TEST_F(Nsight, WaitsAllocationsAndTheRest) {
  EXPECT_EQ(ask("SELECT start, \\\"end\\\", label FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION JOIN "
                "ENUM_CUPTI_SYNC_TYPE e "
                "ON e.id = syncType"),
            "300|400|Context synchronize");
  EXPECT_EQ(
      ask("SELECT start, memoryOperationType, bytes, name FROM CUDA_GPU_MEMORY_USAGE_EVENTS ORDER BY start"),
      "10|0|4096|d_in\n990|1|4096|d_in");
  EXPECT_EQ(ask("SELECT count(*) FROM NVTX_EVENTS"), "0");
  EXPECT_EQ(ask("SELECT utcEpochNs FROM TARGET_INFO_SESSION_START_TIME"), "5000");
  EXPECT_EQ(ask("SELECT count(*) FROM TARGET_INFO_GPU"), "0");  // none was reported here
}

/// For scripts that ask sqlite_master for tables before they read one.
TEST_F(Nsight, ExportedTheyAreTablesWithTheSameRows) {
  ExportOptions options;
  options.path = folder_.file("nsys.sqlite");
  std::ofstream(options.path) << "what was there before";
  EXPECT_OK(findTraceFormat("nsys")->run(*openReader(path_), options));
  EXPECT_EQ(stockSqlite(options.path, "SELECT type, count(*) FROM sqlite_master GROUP BY type"), "table|12");
  const std::string names = stockSqlite(
      options.path, "SELECT group_concat(name, ' ') FROM (SELECT name FROM sqlite_master ORDER BY name)");
  std::istringstream each(names);
  for (std::string name; each >> name;)
    EXPECT_EQ(stockSqlite(options.path, "SELECT * FROM " + name), ask("SELECT * FROM " + name)) << name;
  EXPECT_EQ(
      stockSqlite(
          options.path,
          "SELECT value, count(*), sum(\\\"end\\\" - start), avg(\\\"end\\\" - start) FROM "
          "CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds ON StringIds.id = demangledName GROUP BY demangledName"),
      "scale<float>|2|50|25.0");
  options.path = folder_.file("nowhere/nsys.sqlite");
  EXPECT_EQ(findTraceFormat("nsys")->run(*openReader(path_), options).code, ErrorCode::io);
}

TEST_F(Nsight, ComputeMetricsByTheirNames) {
  const auto metric = [&](const std::string& name) {
    return ask("SELECT value FROM ncu_metric WHERE launch_id = 1 AND metric = '" + name + "'");
  };
  EXPECT_EQ(metric("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"), "1");
  EXPECT_EQ(metric("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), "4");
  EXPECT_EQ(metric("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"), "32");
  EXPECT_EQ(metric("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio"), "32.0");
  EXPECT_EQ(metric("smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio"), "4.0");
  EXPECT_EQ(metric("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"), "32");
  EXPECT_EQ(metric("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"), "31");
  EXPECT_EQ(ask("SELECT count(*), count(DISTINCT metric) FROM ncu_metric"),
            "12|12");  // launch 2 left no records
}

}  // namespace
}  // namespace cui::db
