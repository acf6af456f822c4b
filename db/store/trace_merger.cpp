// See trace_merger.h.
#include "db/store/trace_merger.h"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <map>

#include "db/store/merged_chunks.h"
#include "db/store/statement_progress.h"
#include "db/store/table_copy.h"
#include "db/store/upgrade.h"

namespace cui::db {

namespace {

using Proceed = std::function<bool(std::uint64_t done, std::uint64_t total)>;

/// One of the traces, and how far what it has is moved.
struct Source {
  std::string path;
  std::int64_t clockNs = 0;  ///< added to times
  std::int64_t addresses = 0;
  std::int64_t records = 0;
  bool complete = false, materialized = false;
};

std::string number(std::int64_t value) {
  return std::to_string(value);
}

/// For ATTACH: nothing may be written beside the trace.
std::string readOnlyUri(const std::string& path) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path).string())
    uri += c == '%' ? "%25" : c == '?' ? "%3f" : c == '#' ? "%23" : std::string(1, c);
  return uri + "?mode=ro";
}

constexpr const char* mappedProcess = "(SELECT new FROM process_map WHERE old = t.process_id)";

class Merger {
 public:
  Merger(Database& database, std::vector<std::string> inputs, const Proceed& proceed)
      : database_(database), proceed_(proceed) {
    for (std::string& input : inputs) sources_.push_back({std::move(input)});
  }

  void run() {
    database_.execute(
        "CREATE TEMP TABLE launch_map(source, old, new, ns, PRIMARY KEY(source, old));"
        "CREATE TEMP TABLE file_map(old PRIMARY KEY, new); CREATE TEMP TABLE function_map(old PRIMARY KEY, "
        "new);"
        "CREATE TEMP TABLE shared_map(old PRIMARY KEY, new); CREATE TEMP TABLE process_map(old PRIMARY KEY, "
        "new)");
    const StatementProgress asking(database_, [this] { return !proceed_ || proceed_(done_, total_); });
    std::uint64_t highest = 0;
    for (std::size_t i = 0; i < sources_.size(); ++i) attached(i, [&] { look(i, highest); });
    placeAddresses(highest);
    database_.execute(
        "CREATE TEMP TABLE launch_order AS SELECT source, old, row_number() OVER (ORDER BY ns, source, old) "
        "AS new FROM "
        "launch_map; DELETE FROM launch_map; INSERT INTO launch_map SELECT source, old, new, 0 FROM "
        "launch_order");
    for (std::size_t i = 0; i < sources_.size(); ++i)
      attached(i, [&] {
        database_.execute("BEGIN IMMEDIATE");
        copy(i);
        database_.execute("COMMIT");
      });
  }

  bool allMaterialized() const {
    return std::all_of(sources_.begin(), sources_.end(), [](const Source& s) { return s.materialized; });
  }

 private:
  template <class Action>
  void attached(std::size_t i, Action action) {
    const std::string& path = sources_[i].path;
    Statement(database_, "ATTACH ? AS src").run(readOnlyUri(path));
    try {
      action();
    } catch (const StoreFailure& failure) {  // the file in the message is the one that is read
      throw StoreFailure({failure.error().code, path + ": " + failure.error().message});
    }
    database_.execute("DETACH src");
  }

  std::int64_t meta(const char* key) {
    return database_.integer(
        std::string("SELECT ifnull((SELECT CAST(value AS INTEGER) FROM src.meta WHERE key = '") + key +
        "'), 0)");
  }

  /// What must be known of all traces before the first is copied.
  void look(std::size_t i, std::uint64_t& highest) {
    Source& source = sources_[i];
    if (Error error = checkSchemaVersion(source.path, database_.integer("PRAGMA src.user_version")))
      throw StoreFailure({error.code, error.message.substr(source.path.size() + 2)});
    source.complete = meta("complete") == 1;
    source.materialized = meta("materialized") == 1;
    source.records = database_.integer("SELECT total(record_count) FROM src.access_chunk");
    source.clockNs = meta("begin_realtime_ns") - meta("begin_monotonic_ns");
    total_ += static_cast<std::uint64_t>(source.records);
    database_.execute("INSERT INTO launch_map SELECT " + number(static_cast<std::int64_t>(i)) +
                      ", launch_id, 0, host_begin_ns + " + number(source.clockNs - sources_[0].clockNs) +
                      " FROM src.launch");
    for (const char* sql :
         {"SELECT max(address + bytes) FROM src.allocation", "SELECT max(max_address) FROM src.site_metric",
          "SELECT max(max(source, destination) + bytes) FROM src.memory_operation"})
      highest = std::max(highest, static_cast<std::uint64_t>(database_.integer(sql)));
  }

  void placeAddresses(std::uint64_t highest) {
    const auto bits = static_cast<int>(std::bit_width(highest));
    // SQL's numbers have a sign.
    if (bits > 62 || (std::uint64_t{sources_.size()} - 1) >> (62 - bits) != 0)
      throw StoreFailure({ErrorCode::sql, "too many traces with addresses of " + number(bits) + " bits"});
    const std::int64_t first = sources_[0].clockNs;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      sources_[i].addresses = static_cast<std::int64_t>(std::uint64_t{i} << bits);
      sources_[i].clockNs -= first;
    }
  }

  std::int64_t highestId(const std::string& table, const std::string& column) {
    return database_.integer("SELECT ifnull(max(" + column + "), 0) FROM main." + table);
  }

  void copy(std::size_t i) {
    const Source& source = sources_[i];
    const auto moved = [](const std::string& column, std::int64_t distance) {
      return "t." + column + " + " + number(distance);
    };
    copyTable(database_, "unit", {{}, "INSERT OR IGNORE", ""});
    copyTable(database_, "source_file", {{}, "INSERT OR IGNORE", "source_file_id"});
    database_.execute(
        "DELETE FROM file_map; INSERT INTO file_map SELECT s.source_file_id, d.source_file_id FROM "
        "src.source_file s JOIN "
        "main.source_file d USING(absolute_path, text_hash)");
    std::map<std::string, std::string> columns = {
        {"source_file_id", "(SELECT new FROM file_map WHERE old = t.source_file_id)"}};
    copyTable(database_, "function", {columns, "INSERT OR IGNORE", "function_id"});
    database_.execute(
        "DELETE FROM function_map; INSERT INTO function_map SELECT s.function_id, d.function_id FROM "
        "src.function s JOIN "
        "main.function d USING(name)");
    columns["function_id"] = "(SELECT new FROM function_map WHERE old = t.function_id)";
    columns["site_number"] = number(database_.integer("SELECT ifnull(max(site_number), -1) FROM main.site")) +
                             " + row_number() OVER (ORDER BY t.site_number)";
    copyTable(database_, "site",
              {columns, "INSERT", "", " WHERE site_id NOT IN (SELECT site_id FROM main.site)"});
    copyTable(database_, "shared_variable", {{}, "INSERT OR IGNORE", "shared_variable_id"});
    database_.execute(
        "DELETE FROM shared_map; INSERT INTO shared_map SELECT s.shared_variable_id, d.shared_variable_id "
        "FROM "
        "src.shared_variable s JOIN main.shared_variable d USING(file, line, column, name, function)");
    columns["shared_variable_id"] = "(SELECT new FROM shared_map WHERE old = t.shared_variable_id)";
    columns["launch_id"] =
        "(SELECT new FROM launch_map WHERE source = " + number(static_cast<std::int64_t>(i)) +
        " AND old = t.launch_id)";
    const std::int64_t firstDevice = i == 0 ? 0 : highestId("device", "device_id") + 1;
    columns["device_id"] = moved("device_id", firstDevice);
    copyProcesses(i);
    columns["process_id"] = mappedProcess;
    copyRows(source, columns);
    copyMeta(i);
    copyStats(source, columns.at("launch_id"));
    tell(i, firstDevice);
    done_ +=
        copyMergedChunks(database_, i, static_cast<std::uint64_t>(source.addresses),
                         [this](std::uint64_t done) { return !proceed_ || proceed_(done_ + done, total_); });
  }

  /// The tables whose rows all come along.
  void copyRows(const Source& source, const std::map<std::string, std::string>& common) {
    for (const std::string& table : plainTables(database_)) {
      std::map<std::string, std::string> columns = common;
      for (const std::string& column : columnsOf(database_, table)) {
        const bool time = column.size() > 3 && column.compare(column.size() - 3, 3, "_ns") == 0;
        // 0 is no time (a variable was always there) and no address (a fill has no source).
        const auto unlessZero = [&](std::int64_t distance) {
          std::string moved = "iif(t.";
          moved.append(column).append(" = 0, 0, t.").append(column).append(" + ");
          return moved.append(number(distance)).append(")");
        };
        if (time)
          columns[column] = unlessZero(source.clockNs);
        else if (column == table + "_id" && columns.count(column) == 0)
          columns[column] = "t." + column + " + " + number(highestId(table, column));
        else if (column == "parent_id")
          columns[column] = "t.parent_id + " + number(highestId(table, table + "_id"));
        else if ((table == "allocation" && column == "address") ||
                 (table == "memory_operation" && (column == "source" || column == "destination")))
          columns[column] = unlessZero(source.addresses);
        else if (column == "min_address" || column == "max_address")
          columns[column] = std::string("iif(t.sector_requests > 0, t.")
                                .append(column)
                                .append(" + ")
                                .append(number(source.addresses))
                                .append(", t.")
                                .append(column)
                                .append(")");
      }
      copyTable(database_, table, {columns, "INSERT", ""});
    }
  }

  /// Processes keep their numbers as far as no other has the same.
  void copyProcesses(std::size_t i) {
    database_.execute(
        "DELETE FROM process_map; INSERT INTO process_map SELECT process_id, iif(process_id IN (SELECT "
        "process_id "
        "FROM main.process), row_number() OVER (ORDER BY process_id) + max((SELECT ifnull(max(process_id), "
        "0) "
        "FROM main.process), (SELECT max(process_id) FROM src.process)), process_id) FROM src.process");
    const std::string clock = " + " + number(sources_[i].clockNs);
    copyTable(
        database_, "process",
        {{{"process_id", mappedProcess}, {"begin_ns", "t.begin_ns" + clock}, {"end_ns", "t.end_ns" + clock}},
         "INSERT",
         ""});
  }

  void copyMeta(std::size_t i) {
    if (i == 0) copyTable(database_, "meta", {{}, "INSERT", "", " WHERE key <> 'materialized'"});
    if (!sources_[i].complete) database_.execute("UPDATE main.meta SET value = '0' WHERE key = 'complete'");
  }

  void copyStats(const Source&, const std::string& launchId) {
    database_.execute(
        "INSERT INTO main.trace_stat(name, severity, value, launch_id, detail) SELECT t.name, t.severity, "
        "t.value, iif(t.launch_id IS NULL, NULL, " +
        launchId +
        "), t.detail FROM src.trace_stat t WHERE t.name "
        "<> 'access_not_materialized' ON CONFLICT DO UPDATE SET value = value + excluded.value");
  }

  void tell(std::size_t i, std::int64_t firstDevice) {
    std::string detail = sources_[i].path;
    Statement query(
        database_,
        "SELECT group_concat(new || ' on ' || host, ', ') FROM src.process JOIN process_map ON old = "
        "process_id");
    if (query.step()) detail += ": process " + query.text(0);
    query.reset();
    detail += ", devices from " + number(firstDevice) + ", addresses from " + number(sources_[i].addresses);
    // A row for each trace: told apart by its first launch.
    Statement(
        database_,
        "INSERT INTO main.trace_stat VALUES('merged_trace', 'info', 1, (SELECT min(new) FROM launch_map "
        "WHERE source = ?), ?) ON CONFLICT DO UPDATE SET value = value + 1, detail = detail || '; ' || "
        "excluded.detail")
        .run(static_cast<std::int64_t>(i), detail);
  }

  Database& database_;
  const Proceed& proceed_;
  std::vector<Source> sources_;
  std::uint64_t done_ = 0, total_ = 0;
};

}  // namespace

void mergeRows(Database& database, const std::vector<std::string>& inputs,
               const std::function<bool(std::uint64_t done, std::uint64_t total)>& proceed,
               bool& materialized) {
  Merger merger(database, inputs, proceed);
  merger.run();
  materialized = merger.allMaterialized();
}

}  // namespace cui::db
