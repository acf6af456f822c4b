// csv, jsonl: the trace's tables and views, a file each.
#include <algorithm>

#include "db/exporters/exporters.h"
#include "db/exporters/output_file.h"
#include "db/exporters/trace_formats.h"

namespace cui::db {

namespace {

/// What an answer to "the trace as files" has, in the words of docs/schema.md. The tables of the store's own
/// (chunks, counters) are left out, and so is access_lane, whose rows are those of access times 32; `--table`
/// asks for any of them.
constexpr const char* usualTables[] = {"meta",
                                       "process",
                                       "device",
                                       "source_file",
                                       "site",
                                       "launch",
                                       "allocation",
                                       "shared_variable",
                                       "launch_shared_variable",
                                       "memory_operation",
                                       "synchronization",
                                       "barrier",
                                       "warp_barrier",
                                       "warp_time",
                                       "access_time",
                                       "site_metric",
                                       "access",
                                       "trace_stat"};

bool isName(const std::string& table) {
  return !table.empty() && std::all_of(table.begin(), table.end(), [](unsigned char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
}

Error exportTable(const TraceReader& reader, const ExportOptions& options, const char* format,
                  const std::string& table) {
  if (!isName(table)) return {ErrorCode::sql, "no table or view is called '" + table + "'"};
  OutputFile file(options.path + "/" + table + "." + format);
  const std::unique_ptr<RowWriter> writer = findExporter(format)->make(file.stream());
  Error error = reader.query(
      "SELECT * FROM " + table,
      [&](Row row) {
        writer->row(row);
        return !file.failed();
      },
      {}, [&](std::span<const std::string> columns) { writer->begin(columns); });
  if (error) return error;
  writer->end();
  return file.finish();
}

Error exportTables(const TraceReader& reader, const ExportOptions& options, const char* format) {
  if (Error error = makeFolder(options.path)) return error;
  std::vector<std::string> tables = options.tables;
  if (tables.empty()) tables.assign(std::begin(usualTables), std::end(usualTables));
  for (const std::string& table : tables)
    if (Error error = exportTable(reader, options, format, table)) return error;
  return {};
}

}  // namespace

Error exportCsv(const TraceReader& reader, const ExportOptions& options) {
  return exportTables(reader, options, "csv");
}

Error exportJsonLines(const TraceReader& reader, const ExportOptions& options) {
  return exportTables(reader, options, "jsonl");
}

}  // namespace cui::db
