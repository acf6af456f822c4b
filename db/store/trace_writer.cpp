// See trace_writer.h. Rows of events are written as they come; records go through RecordSink.
#include "db/store/trace_writer.h"

#include <unistd.h>

#include <exception>

#include "db/schema/schema.h"
#include "db/store/materialize.h"
#include "db/store/record_sink.h"
#include "db/store/sqlite.h"
#include "db/store/stats.h"
#include "db/store/trace_file.h"
#include "db/store/units.h"

namespace cui::db {

namespace {

/// A statement that is prepared at its first use.
class LazyStatement {
 public:
  explicit LazyStatement(const char* sql) : sql_(sql) {}
  template <class... T>
  void run(Database& database, const T&... values) {
    if (!statement_.handle()) statement_.prepare(database, sql_);
    statement_.run(values...);
  }
  void finalize() { statement_ = Statement(); }

 private:
  const char* sql_;
  Statement statement_;
};

const char* directionName(int direction) {
  static constexpr const char* names[] = {"host_to_host", "host_to_device", "device_to_host",
                                          "device_to_device", "default"};
  if (direction < 0) return "set";
  return direction < 5 ? names[direction] : "default";
}

std::string hostName() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

}  // namespace

class TraceWriter::Impl {
 public:
  explicit Impl(const WriterOptions& options) : options_(options) {}

  Error open(const std::string& path);

  /// Runs `action` unless the writer is inert; a failure makes it so.
  template <class F>
  Error guarded(F&& action) noexcept {
    if (error_ || !parts_) return error_;
    try {
      if (!inTransaction_) {
        parts_->database.execute("BEGIN IMMEDIATE");
        inTransaction_ = true;
      }
      action(*parts_);
      return {};
    } catch (const StoreFailure& failure) {
      return giveUp(failure.error());
    } catch (const std::exception& failure) {
      return giveUp({ErrorCode::internal, path_ + ": " + failure.what()});
    }
  }

  Error flush();
  Error close();
  const Error& error() const { return error_; }
  std::uint64_t recordCount() const { return parts_ ? parts_->sink.recordCount() : finalCount_; }

  struct Parts {
    Parts(const std::string& path, const WriterOptions& options)
        : database(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE),
          stats(database),
          units(database, stats),
          sink(database, units, stats, {options.chunkRecords, options.bufferedBytes}) {}
    // Statements last, so that they go before the database does.
    Database database;
    Stats stats;
    Units units;
    RecordSink sink;
    LazyStatement addLaunch{
        "INSERT INTO launch(launch_id, kernel, grid_x, grid_y, grid_z, block_x, block_y, block_z, "
        "dynamic_shared_bytes, device_id, stream_id, host_begin_ns, function_id, caller, file, line, column) "
        "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,nullif(?,0),?,?,?,?)"};
    LazyStatement endLaunch{
        "UPDATE launch SET host_end_ns = ?, error = ?, error_name = ? WHERE launch_id = ?"};
    LazyStatement timeLaunch{"UPDATE launch SET gpu_begin_ns = ?, gpu_end_ns = ? WHERE launch_id = ?"};
    LazyStatement addAllocation{
        "INSERT INTO allocation(api, address, bytes, name, type, element_bytes, space, file, line, "
        "allocated_ns, "
        "pitch, device_id, caller, column) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)"};
    LazyStatement setFreed{
        "UPDATE allocation SET freed_ns = ?, freed_api = ? WHERE allocation_id = "
        "(SELECT max(allocation_id) FROM allocation WHERE address = ? AND freed_ns IS NULL)"};
    LazyStatement addMemoryOperation{
        "INSERT INTO memory_operation(api, direction, destination, source, bytes, device_id, stream_id, "
        "begin_ns, "
        "end_ns, error, caller, file, line, column) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)"};
    LazyStatement addSynchronization{
        "INSERT INTO synchronization(api, device_id, stream_id, begin_ns, end_ns, error, caller, file, line, "
        "column) VALUES(?,?,?,?,?,?,?,?,?,?)"};
    LazyStatement addCounter{
        "INSERT INTO site_counter VALUES(?,?,?,?) ON CONFLICT DO UPDATE SET "
        "requests = requests + excluded.requests, thread_accesses = thread_accesses + "
        "excluded.thread_accesses"};
    LazyStatement setMeta{"REPLACE INTO meta VALUES(?, ?)"};
  };

 private:
  Error giveUp(const Error& error) noexcept;
  void materializePending();
  void reclaim() noexcept;

  const WriterOptions options_;
  std::string path_;
  TraceFileLock lock_;
  std::unique_ptr<Parts> parts_;  ///< null once closed or failed
  Error error_;
  bool inTransaction_ = false, materialized_ = false;
  std::int64_t lastMaterialized_ = 0;
  std::uint64_t finalCount_ = 0;
};

Error TraceWriter::Impl::open(const std::string& path) try {
  path_ = path;
  if (Error error = lock_.create(path)) return error;
  parts_ = std::make_unique<Parts>(path, options_);
  Database& database = parts_->database;
  // Someone else's client may hold the write lock for a moment; the recording must not end for that.
  sqlite3_busy_timeout(database.handle(), 10'000);
  // The schema is committed in rollback mode, so that the file itself is a valid trace from the start.
  database.execute("PRAGMA page_size = 4096; PRAGMA synchronous = OFF; PRAGMA journal_mode = DELETE");
  migrate(database);
  const auto meta = [&](std::string_view key, std::string_view value) {
    parts_->setMeta.run(database, key, value);
  };
  database.execute("BEGIN IMMEDIATE");
  meta("tool_version", options_.toolVersion.empty() ? std::string(CUI_VERSION) : options_.toolVersion);
  meta("format_version", std::to_string(format::recordFormatVersion));
  meta("complete", "0");
  meta("begin_monotonic_ns", std::to_string(options_.monotonicNs));
  meta("begin_realtime_ns", std::to_string(options_.realtimeNs));
  materialized_ = options_.materializeLimit != 0;
  meta("materialized", materialized_ ? "1" : "0");
  if (materialized_)
    createMaterialized(database);
  else
    parts_->stats.add("access_not_materialized", "info", 1, 0,
                      "run cuinstrument materialize to make the tables");
  Statement(database, "INSERT INTO process VALUES(?,?,?,?,?,?,?,NULL)")
      .run(getpid(), options_.program, options_.commandLine, options_.workingDirectory, hostName(),
           options_.backend, options_.monotonicNs);
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
  if (parts_) finalCount_ = parts_->sink.recordCount();
  parts_.reset();
  lock_.release();
  return error_;
}

void TraceWriter::Impl::materializePending() {
  if (!materialized_) return;
  if (parts_->sink.recordCount() <= options_.materializeLimit) {
    lastMaterialized_ = materializeChunks(parts_->database, parts_->units.sites(), lastMaterialized_);
    return;
  }
  dropMaterialized(parts_->database);
  parts_->setMeta.run(parts_->database, "materialized", "0");
  parts_->stats.add("access_not_materialized", "info", 1, 0,
                    "more than " + std::to_string(options_.materializeLimit) +
                        " records; run cuinstrument materialize to make the tables");
  materialized_ = false;
}

Error TraceWriter::Impl::flush() {
  if (!inTransaction_) return error_;
  return guarded([this](Parts& parts) {
    parts.sink.flush();
    materializePending();
    parts.database.execute("COMMIT");
    inTransaction_ = false;
  });
}

Error TraceWriter::Impl::close() {
  if (!parts_) return error_;
  Error result = guarded([this](Parts& parts) {
    Database& database = parts.database;
    parts.sink.flush();
    materializePending();
    if (materialized_) indexMaterialized(database);
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
  parts_.reset();
  lock_.release();
  return {};
}

/// Dropped plain tables leave free pages. Copying the rest pays where it is the smaller part; if it
/// cannot be done the trace is complete all the same.
void TraceWriter::Impl::reclaim() noexcept try {
  Database& database = parts_->database;
  if (2 * database.integer("PRAGMA freelist_count") > database.integer("PRAGMA page_count"))
    database.execute("VACUUM");
} catch (const std::exception&) {
}

TraceWriter::TraceWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TraceWriter::~TraceWriter() = default;

std::unique_ptr<TraceWriter> TraceWriter::open(const std::string& path, const WriterOptions& options,
                                               Error& error) try {
  auto impl = std::make_unique<Impl>(options);
  error = impl->open(path);
  if (error) return nullptr;
  return std::unique_ptr<TraceWriter>(new TraceWriter(std::move(impl)));
} catch (const std::exception& failure) {
  error = {ErrorCode::internal, path + ": " + failure.what()};
  return nullptr;
}

Error TraceWriter::addUnit(const format::UnitTable& unit, std::uint32_t siteBase) {
  return impl_->guarded([&](Impl::Parts& parts) { parts.units.add(unit, siteBase); });
}

Error TraceWriter::addDevice(const DeviceRow& row) {
  return impl_->guarded([&](Impl::Parts& parts) {
    Statement(parts.database, "REPLACE INTO device VALUES(?,?,?,?,?,?,?,?,?,?,?)")
        .run(row.device, row.name, row.backend, row.driverVersion, row.runtimeVersion, row.computeMajor,
             row.computeMinor, row.multiprocessors, row.memoryBytes, row.l2Bytes, row.sharedBytesPerBlock);
    // The recorder learns its backend with its first device.
    Statement(parts.database, "UPDATE process SET backend = ? WHERE backend = ''").run(row.backend);
  });
}

Error TraceWriter::setMeta(std::string_view key, std::string_view value) {
  return impl_->guarded([&](Impl::Parts& parts) { parts.setMeta.run(parts.database, key, value); });
}

Error TraceWriter::addLaunch(const LaunchRow& row) {
  return impl_->guarded([&](Impl::Parts& parts) {
    const LaunchInfo& info = parts.units.launch(row.unit, row.entry);
    parts.addLaunch.run(parts.database, row.launchId, info.kernel.empty() ? row.kernel : info.kernel,
                        row.grid[0], row.grid[1], row.grid[2], row.block[0], row.block[1], row.block[2],
                        row.dynamicSharedBytes, row.device, row.stream, row.hostBeginNs, info.functionId,
                        info.caller, info.position.file, info.position.line, info.position.column);
  });
}

Error TraceWriter::updateLaunch(std::uint64_t launchId, std::int64_t hostEndNs, int error,
                                std::string_view errorName) {
  return impl_->guarded([&](Impl::Parts& parts) {
    parts.endLaunch.run(parts.database, hostEndNs, error, errorName, launchId);
  });
}

Error TraceWriter::setLaunchTime(std::uint64_t launchId, std::int64_t beginNs, std::int64_t endNs) {
  return impl_->guarded(
      [&](Impl::Parts& parts) { parts.timeLaunch.run(parts.database, beginNs, endNs, launchId); });
}

Error TraceWriter::addAllocation(const AllocationRow& row) {
  return impl_->guarded([&](Impl::Parts& parts) {
    const CallInfo& call = parts.units.call(row.unit, row.entry);
    parts.addAllocation.run(parts.database, row.api.empty() ? call.api : row.api, row.address, row.bytes,
                            call.variable, call.type, call.elementBytes, nameOf(row.space),
                            call.position.file, call.position.line, row.timeNs, row.pitch, row.device,
                            call.caller, call.position.column);
  });
}

Error TraceWriter::setFreed(std::uint64_t address, std::string_view api, std::int64_t timeNs) {
  return impl_->guarded([&](Impl::Parts& parts) {
    parts.setFreed.run(parts.database, timeNs, api, address);
    if (sqlite3_changes(parts.database.handle()) == 0)
      parts.stats.add("unknown_free", "info", 1, 0, "frees of memory whose allocation was not seen");
  });
}

Error TraceWriter::addVariable(const format::UnitTable& unit, std::uint32_t variable, std::uint64_t address,
                               std::uint64_t bytes, std::int32_t device) {
  return impl_->guarded([&](Impl::Parts& parts) {
    const UnitInfo* info = parts.units.find(&unit);
    if (!info || variable >= info->variables.size()) {
      parts.stats.add("unknown_variable", "error", 1, 0, "a variable that no unit registered");
      return;
    }
    const VariableInfo& v = info->variables[variable];
    parts.addAllocation.run(parts.database,
                            v.space == format::Space::constant ? "__constant__" : "__device__", address,
                            bytes, v.name, v.elementType, v.elementBytes, nameOf(v.space), v.position.file,
                            v.position.line, 0, 0, device, "", v.position.column);
  });
}

Error TraceWriter::addMemoryOperation(const MemoryOperationRow& row) {
  return impl_->guarded([&](Impl::Parts& parts) {
    const CallInfo& call = parts.units.call(row.unit, row.entry);
    parts.addMemoryOperation.run(parts.database, row.api.empty() ? call.api : row.api,
                                 directionName(row.direction), row.destination, row.source, row.bytes,
                                 row.device, row.stream, row.beginNs, row.endNs, row.error, call.caller,
                                 call.position.file, call.position.line, call.position.column);
  });
}

Error TraceWriter::addSynchronization(const SynchronizationRow& row) {
  return impl_->guarded([&](Impl::Parts& parts) {
    const CallInfo& call = parts.units.call(row.unit, row.entry);
    parts.addSynchronization.run(parts.database, row.api.empty() ? call.api : row.api, row.device, row.stream,
                                 row.beginNs, row.endNs, row.error, call.caller, call.position.file,
                                 call.position.line, call.position.column);
  });
}

Error TraceWriter::addRecords(std::uint64_t launchId, const void* slots, std::size_t slotCount) {
  return impl_->guarded([&](Impl::Parts& parts) {
    parts.sink.add(launchId, static_cast<const std::uint8_t*>(slots), slotCount);
  });
}

Error TraceWriter::addCounters(std::uint64_t launchId, std::uint32_t site, std::uint64_t requests,
                               std::uint64_t threadAccesses) {
  return impl_->guarded([&](Impl::Parts& parts) {
    const std::uint32_t number = parts.units.siteNumber(site);
    if (number == Units::unknownSite)
      parts.stats.add("unknown_site", "data_loss", static_cast<std::int64_t>(requests), launchId,
                      "records of a site that no unit registered");
    else
      parts.addCounter.run(parts.database, launchId, parts.units.sites()[number].id, requests,
                           threadAccesses);
  });
}

Error TraceWriter::addStat(std::string_view name, std::string_view severity, std::int64_t value,
                           std::uint64_t launchId, std::string_view detail) {
  return impl_->guarded(
      [&](Impl::Parts& parts) { parts.stats.add(name, severity, value, launchId, detail); });
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
std::uint64_t TraceWriter::recordCount() const {
  return impl_->recordCount();
}

}  // namespace cui::db
