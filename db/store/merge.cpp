// See merge.h.
#include "db/store/merge.h"

#include <filesystem>
#include <system_error>

#include "db/schema/schema.h"
#include "db/store/materialize.h"
#include "db/store/sqlite.h"
#include "db/store/trace_file.h"
#include "db/store/trace_merger.h"

namespace cui::db {

namespace {

Error checkNames(const std::vector<std::string>& inputs, const std::string& output) {
  if (inputs.size() < 2) return {ErrorCode::sql, "merge needs two traces at least"};
  for (const std::string& input : inputs) {
    if (Error error = checkTraceFile(input)) return error;
    std::error_code ignored;
    if (std::filesystem::equivalent(input, output, ignored))
      return {ErrorCode::sql, output + ": is one of the traces to merge; choose another name"};
  }
  return {};
}

Error mergeInto(const std::vector<std::string>& inputs, const std::string& output,
                const std::function<bool(std::uint64_t done, std::uint64_t total)>& proceed,
                bool& materialized) try {
  Database database(output, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI);
  database.execute("PRAGMA page_size = 4096; PRAGMA synchronous = OFF; PRAGMA journal_mode = DELETE");
  createSchema(database);
  mergeRows(database, inputs, proceed, materialized);
  database.execute("REPLACE INTO meta VALUES('materialized', '0')");
  if (!materialized)
    database.execute(
        "INSERT INTO trace_stat VALUES('access_not_materialized', 'info', 1, NULL, 'run cuinstrument "
        "materialize "
        "to make the tables')");
  return {};
} catch (const StoreFailure& failure) {
  return failure.error();
} catch (const std::exception& failure) {
  return {ErrorCode::internal, output + ": " + failure.what()};
}

}  // namespace

Error mergeTraces(const std::vector<std::string>& inputs, const std::string& output,
                  const std::function<bool(std::uint64_t done, std::uint64_t total)>& proceed) {
  if (Error error = checkNames(inputs, output)) return error;
  bool materialized = false;
  Error error;
  {
    TraceFileLock lock;  // before the database, so that it is released after it
    error = lock.create(output);
    if (error) return error;
    error = mergeInto(inputs, output, proceed, materialized);
  }
  if (!error && materialized) error = materialize(output, proceed);
  if (error) {
    std::error_code ignored;
    for (const char* suffix : {"", "-journal", "-wal", "-shm"})
      std::filesystem::remove(output + suffix, ignored);
  }
  return error;
}

}  // namespace cui::db
