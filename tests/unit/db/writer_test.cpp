// What is written is what is read: events, records of every form, values, stats.
#include "db/store/trace_writer.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/unit/db/read_back.h"
#include "tests/unit/db/trace_fixture.h"

namespace cui::db {
namespace {

using namespace test;

class Writer : public testing::Test {
 protected:
  std::string finish() {
    EXPECT_OK(writer_->close());
    return path_;
  }
  TemporaryFolder folder_;
  const std::string path_ = folder_.file("a.db");
  std::unique_ptr<TraceWriter> writer_ = openWriter(path_);
};

TEST_F(Writer, LeavesASingleCompleteFile) {
  EXPECT_OK(writer_->addLaunch(launchRow(1)));
  finish();
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_.path())) ++files;
  EXPECT_EQ(files, 1u);
  EXPECT_TRUE(openReader(path_)->complete());
}

TEST_F(Writer, RecordsUnits) {
  EXPECT_OK(writer_->addUnit(unit, siteBase));  // again: nothing new
  finish();
  EXPECT_EQ(rows(path_,
                 "SELECT site_id, function, file, line, column, kind, space, type, bytes, expression, base, "
                 "status, reason, index_expression FROM site ORDER BY site_id LIMIT 4"),
            "1001|scale|scale.cu|10|12|load|global|const float|4|in[i]|in|instrumented||i\n"
            "1002|scale|scale.cu|10|3|store|global|float|4|out[i]|out|instrumented||i\n"
            "1003|scale|scale.cu|11|5|load|shared|float|4|tile[x][y]|tile|instrumented||y\n"
            "1004|scale|scale.cu|12|5|load|generic|unsigned|0|f.bit|f|skipped|bit-field|");
  EXPECT_EQ(rows(path_, "SELECT name, is_kernel, line FROM function"), "scale|1|8");
  EXPECT_EQ(rows(path_, "SELECT path, absolute_path, text_hash FROM source_file"),
            "scale.cu|/src/scale.cu|0000000000001234");
  EXPECT_EQ(rows(path_, "SELECT name, function, type, bytes, dynamic FROM shared_variable"),
            "tile|scale|float[32][32]|4096|0\nscratch|scale|float[]|0|1");
}

TEST_F(Writer, MergesSitesWithEqualIds) {
  // A second unit that includes the same header: its site 0 is our site 1, its site 1 is new.
  format::SiteEntry other[] = {sites[1], sites[1]};
  other[1].id = 2001;
  other[1].expression = "out[j]";
  format::UnitTable second = unit;
  second.unitId = 0xbeef;
  second.siteCount = 2;
  second.sites = other;
  EXPECT_OK(writer_->addUnit(second, 100));
  EXPECT_OK(writer_->addLaunch(launchRow(1)));
  Slots slots = {header(1, 0, 4, ~0u, 4, Space::global),
                 header(100 - siteBase, 128, 4, ~0u, 4, Space::global),
                 header(101 - siteBase, 256, 4, ~0u, 4, Space::global)};
  EXPECT_OK(writer_->addRecords(1, slots.data(), slots.size()));
  finish();
  EXPECT_EQ(rows(path_, "SELECT site_id, requests FROM site_metric"), "1002|2\n2001|1");
  EXPECT_EQ(rows(path_, "SELECT count(*) FROM site"), "6");
  EXPECT_EQ(rows(path_, "SELECT count(*) FROM trace_stat"), "0");
}

TEST_F(Writer, SaysSoWhenOneIdNamesTwoSites) {
  format::SiteEntry other = sites[1];
  other.expression = "something_else[i]";
  format::UnitTable second = unit;
  second.siteCount = 1;
  second.sites = &other;
  EXPECT_OK(writer_->addUnit(second, 100));
  finish();
  EXPECT_EQ(rows(path_, "SELECT name, severity, value FROM trace_stat"), "site_id_collision|error|1");
}

TEST_F(Writer, RecordsEvents) {
  DeviceRow device;
  device.name = "CPU";
  device.backend = "cpu";
  device.multiprocessors = 2;
  EXPECT_OK(writer_->addDevice(device));
  LaunchRow launch = launchRow(1, 4, 64);
  launch.stream = 0x55;
  EXPECT_OK(writer_->addLaunch(launch));
  EXPECT_OK(writer_->updateLaunch(1, 1500, 0, ""));
  EXPECT_OK(writer_->setLaunchTime(1, 1600, 1700));
  launch = launchRow(2);
  launch.kernel = "chosen<int>";  // where the call does not say which kernel it is
  EXPECT_OK(writer_->addLaunch(launch));
  EXPECT_OK(writer_->updateLaunch(2, 2500, 9, "cudaErrorInvalidConfiguration"));
  AllocationRow allocation;
  allocation.unit = &unit;
  allocation.address = 0x7f0000000000;
  allocation.bytes = 4096;
  allocation.timeNs = 10;
  EXPECT_OK(writer_->addAllocation(allocation));
  EXPECT_OK(writer_->setFreed(allocation.address, "cudaFree", 20));
  allocation.timeNs = 30;  // the address is used again
  EXPECT_OK(writer_->addAllocation(allocation));
  EXPECT_OK(writer_->setFreed(0x1234, "cudaFree", 40));
  EXPECT_OK(writer_->addVariable(unit, 2, 0x100, 4, 0));
  MemoryOperationRow copy;
  copy.unit = &unit;
  copy.entry = 1;
  copy.direction = 1;
  copy.bytes = 4096;
  copy.beginNs = 11;
  copy.endNs = 12;
  EXPECT_OK(writer_->addMemoryOperation(copy));
  SynchronizationRow wait;
  wait.api = "cudaDeviceSynchronize";
  wait.beginNs = 13;
  wait.endNs = 14;
  EXPECT_OK(writer_->addSynchronization(wait));
  EXPECT_OK(writer_->addStat("dropped", "data_loss", 2, 1, "first"));
  EXPECT_OK(writer_->addStat("dropped", "data_loss", 3, 1, "second"));
  EXPECT_OK(writer_->addStat("dropped", "data_loss", 7, 0, "whole trace"));
  finish();
  EXPECT_EQ(rows(path_,
                 "SELECT launch_id, kernel, grid_x, block_x, dynamic_shared_bytes, stream_id, host_begin_ns, "
                 "host_end_ns, gpu_begin_ns, gpu_end_ns, error, error_name, caller, file, line FROM launch"),
            "1|scale<float>|4|64|256|85|1000|1500|1600|1700|0||main|scale.cu|30\n"
            "2|chosen<int>|1|32|256|0|2000|2500|||9|cudaErrorInvalidConfiguration|main|scale.cu|30");
  EXPECT_EQ(rows(path_,
                 "SELECT api, bytes, name, type, element_bytes, space, file, line, allocated_ns, freed_ns, "
                 "freed_api FROM allocation"),
            "cudaMalloc|4096|d_in|float|4|global|scale.cu|25|10|20|cudaFree\n"
            "cudaMalloc|4096|d_in|float|4|global|scale.cu|25|30||\n"
            "__constant__|4|factor|float|4|constant|scale.cu|5|0||");
  EXPECT_EQ(rows(path_, "SELECT api, direction, bytes, begin_ns, end_ns, line FROM memory_operation"),
            "cudaMemcpy|host_to_device|4096|11|12|27");
  EXPECT_EQ(rows(path_, "SELECT api, begin_ns, end_ns FROM synchronization"), "cudaDeviceSynchronize|13|14");
  EXPECT_EQ(
      rows(path_, "SELECT name, severity, value, launch_id, detail FROM trace_stat ORDER BY 1, 3"),
      "dropped|data_loss|5|1|first\ndropped|data_loss|7||whole trace\nunknown_free|info|1||frees of memory "
      "whose allocation was not seen");
}

TEST_F(Writer, RecordsEveryFormForStockSqlite) {
  EXPECT_OK(writer_->addLaunch(launchRow(1, 6, 96)));
  Slots slots;
  // 0: affine downwards, warp 2 of block 5, lanes 1 to 3 of a row of 96 threads.
  slots.push_back(header(0, 1000, -8, 0b1110, 4, Space::global, AddressForm::affine, false, 5, 2));
  // 1: offsets, lanes 0 and 31.
  slots.push_back(header(1, 5000, 0, 0x80000001u, 4, Space::global, AddressForm::offsets32));
  std::int32_t offsets[32] = {};
  offsets[31] = -400;
  appendBytes(slots, offsets, sizeof offsets);
  // 2: full addresses beyond 2^32, with values: two doubles, one of them not a number.
  slots.push_back(header(4, 0x700000000000, 0, 0b11, 8, Space::global, AddressForm::full64, true));
  std::uint64_t addresses[32] = {0x700000000000, 0x10};
  appendBytes(slots, addresses, sizeof addresses);
  double values[32] = {2.5, std::numeric_limits<double>::quiet_NaN()};
  appendBytes(slots, values, sizeof values);
  // 3: affine with values: floats.
  slots.push_back(header(0, 64, 4, 0b101, 4, Space::global, AddressForm::affine, true));
  float floats[32] = {1.0f, 99.0f, -3.25f};
  appendBytes(slots, floats, sizeof floats);
  // 4: shared.
  slots.push_back(header(2, 12, 4, 1, 4, Space::shared));
  EXPECT_OK(writer_->addRecords(1, slots.data(), slots.size()));
  EXPECT_EQ(writer_->recordCount(), 5u);
  finish();
  EXPECT_EQ(stockSqlite(path_,
                        "SELECT sequence, site_id, block_x, block_y, block_z, warp, active_mask, address, "
                        "stride, bytes, kind, space FROM access"),
            "0|1001|5|0|0|2|14|1000|-8|4|load|global\n"
            "1|1002|0|0|0|0|2147483649|5000||4|store|global\n"
            "2|1005|0|0|0|0|3|123145302310912||8|load|global\n"
            "3|1001|0|0|0|0|5|64|4|4|load|global\n"
            "4|1003|0|0|0|0|1|12|4|4|load|shared");
  EXPECT_EQ(stockSqlite(path_,
                        "SELECT sequence, lane, thread_x, thread_y, thread_z, address, value FROM "
                        "access_lane ORDER BY sequence, lane"),
            "0|1|65|0|0|1000|\n0|2|66|0|0|992|\n0|3|67|0|0|984|\n"
            "1|0|0|0|0|5000|\n1|31|31|0|0|4600|\n"
            "2|0|0|0|0|123145302310912|2.5\n2|1|1|0|0|16|NaN\n"
            "3|0|0|0|0|64|1.0\n3|2|2|0|0|72|-3.25\n"
            "4|0|0|0|0|12|");
  EXPECT_EQ(rows(path_, "SELECT min_address, max_address FROM site_metric WHERE site_id = 1005"),
            "16|123145302310919");
}

TEST_F(Writer, ThreadAndBlockCoordinatesAreThreeDimensional) {
  LaunchRow launch = launchRow(1);
  launch.grid[0] = 2, launch.grid[1] = 3, launch.grid[2] = 4;
  launch.block[0] = 4, launch.block[1] = 2, launch.block[2] = 8;
  EXPECT_OK(writer_->addLaunch(launch));
  // Block 17 = 1 + 2 * (2 + 3 * 2); warp 1, lane 5: thread 37 = 1 + 4 * (1 + 2 * 4).
  const auto record = header(0, 0, 4, 1u << 5, 4, Space::global, AddressForm::affine, false, 17, 1);
  EXPECT_OK(writer_->addRecords(1, &record, 1));
  finish();
  EXPECT_EQ(rows(path_, "SELECT block_x, block_y, block_z FROM access"), "1|2|2");
  EXPECT_EQ(rows(path_, "SELECT thread_x, thread_y, thread_z, lane FROM access_lane"), "1|1|4|5");
}

TEST_F(Writer, SequencesCountPerLaunchAcrossFlushes) {
  EXPECT_OK(writer_->addLaunch(launchRow(1)));
  EXPECT_OK(writer_->addLaunch(launchRow(2)));
  const auto record = header(0, 0, 4, ~0u, 4, Space::global);
  for (const std::uint64_t launch : {1u, 2u, 1u}) EXPECT_OK(writer_->addRecords(launch, &record, 1));
  EXPECT_OK(writer_->flush());
  EXPECT_OK(writer_->addRecords(1, &record, 1));
  finish();
  EXPECT_EQ(rows(path_, "SELECT launch_id, sequence FROM access ORDER BY 1, 2"), "1|0\n1|1\n1|2\n2|0");
  EXPECT_EQ(rows(path_, "SELECT launch_id, requests, thread_accesses, sectors FROM site_metric"),
            "1|3|96|12\n2|1|32|4");
  EXPECT_EQ(problems(*openReader(path_)),
            "launches data_loss: launch 1 (scale<float>): the call never returned\n"
            "launches data_loss: launch 2 (scale<float>): the call never returned\n");
}

TEST_F(Writer, OtherRecordTypes) {
  EXPECT_OK(writer_->addLaunch(launchRow(1)));
  format::WarpRecord entry = {};
  entry.flags =
      format::makeFlags(format::RecordType::kernelEntry, AddressForm::affine, Space::generic, false);
  entry.siteAndGeneration = siteBase;
  entry.address = format::kernelAddress(0, 1'700'000'000'123'456'789);
  format::WarpRecord tile = {}, scratch = {};
  tile.flags = scratch.flags =
      format::makeFlags(format::RecordType::sharedVariable, AddressForm::affine, Space::shared, false);
  tile.siteAndGeneration = scratch.siteAndGeneration = siteBase;
  tile.activeMask = 4096;
  scratch.stride = 1;  // variable 1, dynamic: 256 bytes by the launch
  scratch.address = 4096;
  for (const auto& record : {entry, tile, scratch, tile}) EXPECT_OK(writer_->addRecords(1, &record, 1));
  finish();
  EXPECT_EQ(rows(path_, "SELECT entered, name FROM launch JOIN function USING(function_id)"), "1|scale");
  EXPECT_EQ(rows(path_,
                 "SELECT name, address, l.bytes FROM launch_shared_variable l JOIN shared_variable "
                 "USING(shared_variable_id)"),
            "tile|0|4096\nscratch|4096|256");
  EXPECT_EQ(rows(path_, "SELECT count(*) FROM access"), "0");
}

TEST_F(Writer, SizesTooWideForARecordComeFromTheSite) {
  EXPECT_OK(writer_->addLaunch(launchRow(1)));
  const auto record = header(0, 0, 0, 1, 5000, Space::global);  // stores 0: see the site (4)
  EXPECT_OK(writer_->addRecords(1, &record, 1));
  finish();
  EXPECT_EQ(rows(path_, "SELECT bytes FROM access"), "4");
}

TEST_F(Writer, WhatCannotBeKeptIsCounted) {
  EXPECT_OK(writer_->addLaunch(launchRow(1)));
  Slots slots = {header(500, 0, 4, ~0u, 4, Space::global),  // no such site
                 header(1, 0, 4, ~0u, 4, Space::global),
                 header(1, 0, 0, ~0u, 4, Space::global, AddressForm::offsets32)};  // its payload is missing
  EXPECT_OK(writer_->addRecords(1, slots.data(), slots.size()));
  EXPECT_OK(writer_->addCounters(1, 900, 5, 160));
  finish();
  EXPECT_EQ(rows(path_, "SELECT name, severity, value, launch_id FROM trace_stat ORDER BY name"),
            "malformed_record|data_loss|1|1\nunknown_site|data_loss|6|1");
  EXPECT_EQ(rows(path_, "SELECT count(*) FROM access"), "1");
}

TEST_F(Writer, IsInertAfterClose) {
  finish();
  EXPECT_OK(writer_->addLaunch(launchRow(1)));
  EXPECT_OK(writer_->flush());
  EXPECT_OK(writer_->close());
  EXPECT_EQ(rows(path_, "SELECT count(*) FROM launch"), "0");
}

// As a GPU's pool hands them on: what one warp slot did, launch after launch, then what the next one did.
TEST_F(Writer, ManyLaunchesInterleaved) {
  constexpr std::uint64_t launches = 200;
  for (std::uint64_t id = 1; id <= launches; ++id) EXPECT_OK(writer_->addLaunch(launchRow(id)));
  for (std::uint64_t round = 0; round < 3; ++round)
    for (std::uint64_t id = 1; id <= launches; ++id) {
      const auto record = header(0, id * 1000 + round * 128, 4, ~0u, 4, Space::global);
      EXPECT_OK(writer_->addRecords(id, &record, 1));
    }
  finish();
  EXPECT_EQ(rows(path_, "SELECT count(*), sum(address = launch_id * 1000 + sequence * 128) FROM access"),
            "600|600");
  EXPECT_EQ(rows(path_, "SELECT count(*), sum(requests) FROM site_metric"), "200|600");
  EXPECT_EQ(rows(path_, "SELECT count(*) FROM access_chunk"), "200");
}

}  // namespace
}  // namespace cui::db
