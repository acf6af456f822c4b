// See upgrade.h.
#include "db/store/upgrade.h"

#include "db/schema/schema.h"
#include "db/store/chunk_index.h"
#include "db/store/materialize.h"
#include "db/store/sqlite.h"
#include "db/store/statement_progress.h"
#include "db/store/trace_file.h"

namespace cui::db {

Error checkSchemaVersion(const std::string& path, std::int64_t version) {
  const std::string both = path + ": schema version " + std::to_string(version) +
                           ", this program reads version " + std::to_string(schemaVersion());
  if (version > schemaVersion() || version < 1)
    return {ErrorCode::newerSchema, both + "; use the cuinstrument that wrote it or a newer one"};
  if (version < schemaVersion()) return {ErrorCode::olderSchema, both + "; run cuinstrument upgrade on it"};
  return {};
}

Error upgrade(const std::string& path, int& from,
              const std::function<bool(std::uint64_t done, std::uint64_t total)>& proceed) try {
  if (Error error = checkTraceFile(path)) return error;
  TraceFileLock lock;  // before the database, so that it is released after it
  if (Error error = lock.acquire(path)) return error;
  Database database(path, SQLITE_OPEN_READWRITE);
  from = static_cast<int>(database.integer("PRAGMA user_version"));
  Error version = checkSchemaVersion(path, from);
  if (version.code != ErrorCode::olderSchema) return version;
  database.execute("BEGIN IMMEDIATE");
  const auto total =
      static_cast<std::uint64_t>(database.integer("SELECT total(record_count) FROM access_chunk"));
  RecordProgress progress(database, proceed, total);
  for (int next = from + 1; next <= schemaVersion(); ++next) {
    applyMigration(database, next);
    // What SQL alone cannot do.
    if (next == 3) indexChunks(database, [&](std::uint64_t done) { return progress.reach(done); });
  }
  if (database.integer("SELECT value = '1' FROM meta WHERE key = 'materialized'") != 0)
    renewMaterializedViews(database);
  database.execute("COMMIT");
  return {};
} catch (const StoreFailure& failure) {
  return failure.error();  // closing the database rolled back
} catch (const std::exception& failure) {
  return {ErrorCode::internal, path + ": " + failure.what()};
}

}  // namespace cui::db
