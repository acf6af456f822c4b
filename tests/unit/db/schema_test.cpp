// The schema's names are a contract: columns may be added, none renamed or removed.
#include "db/schema/schema.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/unit/db/read_back.h"
#include "tests/unit/db/trace_fixture.h"

namespace cui::db {
namespace {

using namespace test;

struct Contract {
  const char* table;
  const char* columns;
};

bool hasLine(const std::string& text, const std::string& wanted) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line == wanted) return true;
  return false;
}

class SchemaContract : public testing::TestWithParam<Contract> {};

TEST_P(SchemaContract, HasItsColumns) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.db");
  EXPECT_OK(openWriter(path)->close());
  const std::string present =
      rows(path, std::string("SELECT name FROM pragma_table_info('") + GetParam().table + "')");
  std::istringstream columns(GetParam().columns);
  for (std::string column; columns >> column;)
    EXPECT_TRUE(hasLine(present, column)) << GetParam().table << "." << column;
}

INSTANTIATE_TEST_SUITE_P(
    Tables, SchemaContract,
    testing::Values(
        Contract{"meta", "key value"}, Contract{"process", "process_id program host"},
        Contract{"device", "device_id name backend"},
        Contract{"source_file", "source_file_id path text_hash"}, Contract{"function", "function_id name"},
        Contract{"shared_variable", "shared_variable_id name bytes"},
        Contract{"memory_operation", "memory_operation_id api begin_ns end_ns"},
        Contract{"synchronization", "synchronization_id api begin_ns end_ns"},
        Contract{"phase", "phase_id name begin_ns end_ns"}, Contract{"call_frame", "call_frame_id function"},
        Contract{"site",
                 "site_id function file line column kind space type bytes expression base status reason"},
        Contract{
            "launch",
            "launch_id kernel grid_x grid_y grid_z block_x block_y block_z dynamic_shared_bytes device_id "
            "stream_id host_begin_ns host_end_ns gpu_begin_ns gpu_end_ns"},
        Contract{
            "allocation",
            "allocation_id api address bytes name type element_bytes space file line allocated_ns freed_ns"},
        Contract{"access",
                 "launch_id sequence site_id block_x block_y block_z warp active_mask address stride bytes "
                 "kind space"},
        Contract{"access_lane", "launch_id sequence lane thread_x thread_y thread_z address value"},
        Contract{"site_metric",
                 "launch_id site_id requests thread_accesses bytes sectors ideal_sectors wavefronts "
                 "ideal_wavefronts bank_conflicts min_address max_address"},
        Contract{"trace_stat", "name severity value launch_id detail"},
        Contract{"hot_site",
                 "site_id function file line expression base kind space requests sectors_per_request sectors "
                 "ideal_sectors excessive_sectors excessive_wavefronts bank_conflicts bytes bytes_per_sector "
                 "avg_active_threads share"},
        Contract{"hot_line", "file line requests sectors excessive_sectors bank_conflicts bytes share"},
        Contract{"launch_summary",
                 "launch_id kernel requests sectors excessive_sectors bank_conflicts gpu_ns"},
        Contract{"allocation_summary", "allocation_id name bytes life_ns requests sectors"}),
    [](const auto& contract) { return std::string(contract.param.table); });

TEST(Schema, VersionIsTheLastMigration) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.db");
  EXPECT_OK(openWriter(path)->close());
  EXPECT_EQ(rows(path, "PRAGMA user_version"), std::to_string(schemaVersion()));
}

TEST(Schema, LookUpsUseAnIndex) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.db");
  EXPECT_OK(openWriter(path)->close());
  const auto reader = openReader(path);
  const auto plan = [&](const std::string& sql) {
    std::string text;
    EXPECT_OK(reader->query("EXPLAIN QUERY PLAN " + sql, [&](Row row) {
      text += asText(row[3]) + "\n";
      return true;
    }));
    return text;
  };
  // None of these may scan the big tables; `lane` has 32 rows.
  for (const char* sql :
       {"SELECT * FROM access WHERE launch_id = 1", "SELECT * FROM access WHERE site_id = 1",
        "SELECT * FROM access_lane WHERE launch_id = 1 AND sequence = 2",
        "SELECT * FROM access JOIN access_lane USING(launch_id, sequence) WHERE site_id = 5",
        "SELECT * FROM site_metric WHERE site_id = 1", "SELECT * FROM access_chunk WHERE launch_id = 1"}) {
    const std::string text = plan(sql);
    for (const char* bad : {"SCAN a\n", "SCAN access\n", "SCAN d", "SCAN site_metric", "SCAN access_chunk",
                            "MATERIALIZE", "AUTOMATIC"})
      EXPECT_EQ(text.find(bad), std::string::npos) << sql << "\n" << text;
    EXPECT_NE(text.find("SEARCH"), std::string::npos) << sql << "\n" << text;
  }
}

}  // namespace
}  // namespace cui::db
