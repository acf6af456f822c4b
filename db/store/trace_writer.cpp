// TraceWriter's life: opening, committing, closing and failing. See trace_writer.h; rows are in
// writer_rows.cpp, records in record_sink.cpp.
#include "db/store/trace_writer.h"

#include <unistd.h>

#include <ctime>

#include "db/schema/schema.h"
#include "db/store/access_table.h"
#include "db/store/materialize.h"
#include "db/store/signals_blocked.h"
#include "db/store/writer_impl.h"

namespace cui::db {

namespace {

std::string hostName() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

/// Beyond, the plain rows wait until the program has ended: while they are written nothing else is, and
/// records would find the queue full.
constexpr std::uint64_t rowsWhileRunning = 20'000;

}  // namespace

Error TraceWriter::Impl::open(const std::string& path) try {
  path_ = path;
  if (Error error = lock_.create(path)) return error;
  parts_ = std::make_unique<Parts>(path, options_, workDone_);
  Database& database = parts_->database;
  // Someone else's client may hold the write lock for a moment; the recording must not end for that.
  sqlite3_busy_timeout(database.handle(), 10'000);
  // The schema is committed in rollback mode, so that the file itself is a valid trace from the start.
  database.execute("PRAGMA page_size = 4096; PRAGMA synchronous = OFF; PRAGMA journal_mode = DELETE");
  createSchema(database);
  parts_->lateIndices.drop(database);
  registerAccessTables(database.handle(), nullptr,
                       AccessTableNames::stored);  // materializing copies from them
  const auto meta = [&](std::string_view key, std::string_view value) {
    parts_->setMeta.run(database, key, value);
  };
  database.execute("BEGIN IMMEDIATE");
  meta("tool_version", options_.toolVersion.empty() ? std::string(CUI_VERSION) : options_.toolVersion);
  meta("format_version", std::to_string(format::recordFormatVersion));
  meta("complete", "0");
  meta("mode", options_.storeAccesses ? "trace" : "profile");
  if (!options_.storeAccesses)
    parts_->stats.add("accesses_not_stored", "info", 1, 0,
                      "a profile: totals by launch and site; what looks at single accesses finds none");
  meta("begin_monotonic_ns", std::to_string(options_.monotonicNs));
  meta("begin_realtime_ns", std::to_string(options_.realtimeNs));
  mayMaterialize_ = options_.materializeLimit != 0;
  meta("materialized", "0");
  setMaterialized(mayMaterialize_);
  if (!mayMaterialize_)
    parts_->stats.add("access_not_materialized", "info", 1, 0,
                      "run cuinstrument materialize to make the tables");
  Statement(database, "INSERT INTO process VALUES(?1,?2,?3,?4,?5,?6,?7,NULL,?1)")
      .run(getpid(), options_.program, options_.commandLine, options_.workingDirectory, hostName(),
           options_.backend, options_.monotonicNs);
  parts_->finishRows();
  database.execute("COMMIT");
  // From here a crash of the program or the machine leaves the last commit (or the one before it).
  database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  return {};
} catch (const StoreFailure& failure) {
  return giveUp(failure.error());
} catch (const std::exception& failure) {
  return giveUp({ErrorCode::internal, path + ": " + failure.what()});
}

/// The first failure: rolls back what was not committed and lets go of the file.
Error TraceWriter::Impl::giveUp(const Error& error) noexcept {
  error_ = error;
  if (parts_) {
    finalCount_ = parts_->sink.recordCount();
    finalLosses_ = parts_->stats.losses();
  }
  parts_.reset();
  lock_.release();
  return error_;
}

void TraceWriter::Impl::setMaterialized(bool materialized) {
  if (materialized == materialized_) return;
  if (materialized)
    createMaterialized(parts_->database);
  else
    dropMaterialized(parts_->database);
  parts_->setMeta.run(parts_->database, "materialized", materialized ? "1" : "0");
  materialized_ = materialized;
  lastMaterialized_ = 0;
}

void TraceWriter::Impl::materializePending(bool closing) {
  if (!mayMaterialize_) return;
  const std::uint64_t rows = parts_->sink.plainRowCount();
  mayMaterialize_ = rows <= options_.materializeLimit;
  setMaterialized(mayMaterialize_ && (closing || rows <= rowsWhileRunning));
  if (materialized_)
    lastMaterialized_ = materializeChunks(parts_->database, parts_->units.sites(), lastMaterialized_);
  if (!mayMaterialize_)
    parts_->stats.add("access_not_materialized", "info", 1, 0,
                      "more than " + std::to_string(options_.materializeLimit) +
                          " rows; run cuinstrument materialize to make the tables");
}

/// Plain tables are made by this thread, of chunks that have been written: while there are few rows.
Error TraceWriter::Impl::commit() {
  if (!inTransaction_) return error_;
  const bool few = materialized_ && parts_->sink.plainRowCount() <= rowsWhileRunning;
  if (few || options_.encoderThreads == 0) return flush();
  if (materialized_ && guarded([this](Parts&) { setMaterialized(false); })) return error_;
  return gathered([](Parts& parts) {
    parts.sink.settleLaunches();
    parts.handOnRows();
    parts.rows.commit();
  });
}

Error TraceWriter::Impl::flush() {
  if (!inTransaction_) return error_;
  return guarded([this](Parts& parts) {
    parts.sink.flush();
    parts.finishRows();
    materializePending(false);
    parts.finishRows();
    parts.database.execute("COMMIT");
    inTransaction_ = false;
  });
}

Error TraceWriter::Impl::close() {
  if (!parts_) return error_;
  Error result = guarded([this](Parts& parts) {
    Database& database = parts.database;
    parts.sink.flush();
    parts.finishRows();
    materializePending(true);
    parts.finishRows();
    if (materialized_) indexMaterialized(database);
    parts.lateIndices.make(database);
    timespec now = {};
    clock_gettime(CLOCK_MONOTONIC, &now);
    Statement(database, "UPDATE process SET end_ns = ?")
        .run(std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec);
    parts.setMeta.run(database, "complete", "1");
    database.execute("COMMIT");
    inTransaction_ = false;
    finalCount_ = parts.sink.recordCount();
  });
  if (result) return result;
  // A reader that has the trace open keeps the write-ahead log alive: valid, but not a single file.
  sqlite3_busy_timeout(parts_->database.handle(), 1000);
  try {
    parts_->database.execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE");
  } catch (const StoreFailure& failure) {
    if (failure.error().code != ErrorCode::busy) return giveUp(failure.error());
  }
  reclaim();
  finalLosses_ = parts_->stats.losses();
  parts_.reset();
  lock_.release();
  return {};
}

/// Dropped plain tables leave free pages. Copying the rest pays where it is the smaller part. False if it
/// could not be done; the trace is complete all the same.
bool TraceWriter::Impl::reclaim() noexcept try {
  Database& database = parts_->database;
  if (2 * database.integer("PRAGMA freelist_count") > database.integer("PRAGMA page_count"))
    database.execute("VACUUM");
  return true;
} catch (const std::exception&) {
  return false;
}

TraceWriter::TraceWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TraceWriter::~TraceWriter() = default;

std::unique_ptr<TraceWriter> TraceWriter::open(const std::string& path, const WriterOptions& options,
                                               Error& error) try {
  const SignalsBlocked blocked;  // on the program's own thread
  auto impl = std::make_unique<Impl>(options);
  error = impl->open(path);
  if (error) return nullptr;
  return std::unique_ptr<TraceWriter>(new TraceWriter(std::move(impl)));
} catch (const std::exception& failure) {
  error = {ErrorCode::internal, path + ": " + failure.what()};
  return nullptr;
}

Error TraceWriter::commit() {
  return impl_->commit();
}
Error TraceWriter::flush() {
  return impl_->flush();
}
Error TraceWriter::close() {
  return impl_->close();
}
const Error& TraceWriter::error() const {
  return impl_->error();
}
std::map<std::string, std::int64_t> TraceWriter::losses() const {
  return impl_->losses();
}
std::uint64_t TraceWriter::recordCount() const {
  return impl_->recordCount();
}
std::uint64_t TraceWriter::workDone() const {
  return impl_->workDone();
}

}  // namespace cui::db
