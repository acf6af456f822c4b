// See materialize.h.
#include "db/store/materialize.h"

#include <algorithm>
#include <bit>

#include "db/schema/schema.h"
#include "db/store/access_table.h"
#include "db/store/chunk_codec.h"
#include "db/store/sqlite.h"
#include "db/store/statement_progress.h"
#include "db/store/trace_file.h"
#include "db/store/units.h"
#include "db/store/upgrade.h"
#include "db/store/values.h"

namespace cui::db {

namespace {

/// From here on a chunk's rows are copied by one statement: a third of the time a row, but to prepare it
/// takes as long as some hundred rows.
constexpr std::int64_t manyRecords = 1000;

/// Writes one launch's records at a time; the launch's grid gives blocks their coordinates.
class AccessRowWriter {
 public:
  AccessRowWriter(Database& database, const std::vector<SiteInfo>& sites)
      : sites_(sites),
        copy_(database,
              "INSERT INTO access SELECT * FROM stored_access WHERE launch_id = ? AND sequence BETWEEN ? AND "
              "?"),
        insert_(database, "INSERT INTO access VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)"),
        insertLane_(database, "INSERT INTO access_lane_detail VALUES(?,?,?,?,?)"),
        grid_(database, "SELECT grid_x, grid_y, kernel FROM launch WHERE launch_id = ?") {}

  void setLaunch(std::int64_t launchId) {
    launchId_ = launchId;
    grid_.bind(launchId);
    const bool known = grid_.step();  // else: one long row of blocks
    constexpr std::int64_t most = std::int64_t{1} << 31;
    gridX_ = known ? std::clamp<std::int64_t>(grid_.integer(0), 1, most) : std::int64_t{1} << 32;
    gridY_ = known ? std::clamp<std::int64_t>(grid_.integer(1), 1, most) : 1;
    kernel_ = known ? grid_.text(2) : "";
    grid_.reset();
  }

  /// The rows of a whole chunk, without its lanes.
  void copy(std::int64_t firstSequence, std::int64_t recordCount) {
    copy_.run(launchId_, firstSequence, firstSequence + recordCount - 1);
  }
  void write(const AccessRecord& record, std::int64_t sequence) {
    const SiteInfo& site = sites_[record.siteNumber];
    const bool affine = format::formOf(record.flags) == format::AddressForm::affine;
    const std::int64_t block = record.block;
    const int first = std::countr_zero(record.mask);
    insert_.bind(launchId_, sequence, site.id, block % gridX_, block / gridX_ % gridY_,
                 block / (gridX_ * gridY_), record.warp, record.mask,
                 record.lane[static_cast<std::size_t>(first)], record.stride, record.bytes, site.kind,
                 nameOf(format::spaceOf(record.flags)), first);
    if (!affine) insert_.bindNull(10);
    insert_.step();
    writeLanes(record, sequence);
  }
  /// The lanes that access's row does not say.
  void writeLanes(const AccessRecord& record, std::int64_t sequence) {
    if (format::formOf(record.flags) == format::AddressForm::affine && !record.values) return;
    const ValueType type = sites_[record.siteNumber].valueTypes.of(record.bytes, kernel_);
    const std::uint8_t* value = record.values;
    for (std::uint32_t rest = record.mask; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      insertLane_.bind(launchId_, sequence, lane, record.lane[static_cast<std::size_t>(lane)], nullptr);
      if (value) {
        insertLane_.bindValue(5, valueOf(type, value, record.bytes));
        value += record.bytes;
      }
      insertLane_.step();
    }
  }

 private:
  const std::vector<SiteInfo>& sites_;
  Statement copy_, insert_, insertLane_, grid_;
  std::int64_t launchId_ = 0, gridX_ = 1, gridY_ = 1;
  std::string kernel_;
};

[[noreturn]] void damaged(Database& database, std::int64_t chunk, const std::string& what) {
  throw StoreFailure({ErrorCode::corrupt, database.path() + ": damaged: access_chunk " +
                                              std::to_string(chunk) + ": " + what + "; record it again"});
}

}  // namespace

void createMaterialized(Database& database) {
  database.execute(sqlText("materialized"));
  database.execute(sqlText("materialized_views"));
}

void renewMaterializedViews(Database& database) {
  database.execute("DROP VIEW IF EXISTS thread_access; DROP VIEW IF EXISTS access_lane");
  database.execute(sqlText("materialized_views"));
}

void dropMaterialized(Database& database) {
  database.execute(
      "DROP VIEW IF EXISTS thread_access; DROP VIEW IF EXISTS access_lane; DROP TABLE IF EXISTS access; "
      "DROP TABLE IF EXISTS access_lane_detail; DROP TABLE IF EXISTS lane");
}

void indexMaterialized(Database& database) {
  database.execute("CREATE INDEX IF NOT EXISTS access_by_site ON access(site_id, launch_id, sequence)");
}

std::int64_t materializeChunks(Database& database, const std::vector<SiteInfo>& sites, std::int64_t after,
                               const std::function<bool(std::uint64_t done)>& proceed) {
  Statement chunks(database,
                   "SELECT access_chunk_id, launch_id, first_sequence, record_count, codec_version, data "
                   "FROM access_chunk WHERE access_chunk_id > ? ORDER BY access_chunk_id");
  AccessRowWriter rows(database, sites);
  ChunkReader reader;
  AccessRecord record;
  std::uint64_t done = 0;
  for (chunks.bind(after); chunks.step();) {
    after = chunks.integer(0);
    rows.setLaunch(chunks.integer(1));
    std::int64_t sequence = chunks.integer(2);
    const std::int64_t count = chunks.integer(3);
    reader.open(chunks.blob(5), static_cast<std::uint64_t>(count), chunks.integer(4));
    const bool copied = reader.error().empty() && count >= manyRecords;
    if (copied) rows.copy(sequence, count);
    if (copied && reader.plain()) {
      done += static_cast<std::uint64_t>(count);
    } else {
      for (; reader.next(record); ++done) {
        if (record.siteNumber >= sites.size()) damaged(database, after, "unknown site");
        if (copied)
          rows.writeLanes(record, sequence++);
        else
          rows.write(record, sequence++);
      }
      if (!reader.error().empty()) damaged(database, after, reader.error());
    }
    if (proceed && !proceed(done))
      throw StoreFailure({ErrorCode::cancelled, database.path() + ": cancelled; the trace is as it was"});
  }
  return after;
}

Error materialize(const std::string& path,
                  const std::function<bool(std::uint64_t done, std::uint64_t total)>& proceed) try {
  TraceFileLock lock;  // before the database, so that it is released after it
  if (Error error = lock.acquire(path)) return error;
  Database database(path, SQLITE_OPEN_READWRITE);
  if (Error error = checkSchemaVersion(path, database.integer("PRAGMA user_version"))) return error;
  registerAccessTables(database.handle(), nullptr, AccessTableNames::stored);
  database.execute("BEGIN IMMEDIATE");
  const auto total =
      static_cast<std::uint64_t>(database.integer("SELECT total(record_count) FROM access_chunk"));
  RecordProgress progress(database, proceed, total);
  dropMaterialized(database);
  createMaterialized(database);
  materializeChunks(database, loadSites(database), 0,
                    [&](std::uint64_t done) { return progress.reach(done); });
  indexMaterialized(database);
  database.execute(
      "REPLACE INTO meta VALUES('materialized', '1'); "
      "DELETE FROM trace_stat WHERE name = 'access_not_materialized'; COMMIT");
  return {};
} catch (const StoreFailure& failure) {
  return failure.error();  // closing the database rolled back
} catch (const std::exception& failure) {
  return {ErrorCode::internal, path + ": " + failure.what()};
}

}  // namespace cui::db
