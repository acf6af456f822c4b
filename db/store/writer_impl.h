// TraceWriter's inside, shared by trace_writer.cpp (opening, committing, closing, failing) and
// writer_rows.cpp (what each event becomes).
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <string>

#include "db/store/batch_writer.h"
#include "db/store/counter_rows.h"
#include "db/store/late_indices.h"
#include "db/store/launch_rows.h"
#include "db/store/lazy_statement.h"
#include "db/store/record_sink.h"
#include "db/store/row_queue.h"
#include "db/store/sqlite.h"
#include "db/store/statement_progress.h"
#include "db/store/stats.h"
#include "db/store/trace_file.h"
#include "db/store/trace_writer.h"
#include "db/store/units.h"

namespace cui::db {

class TraceWriter::Impl {
 public:
  explicit Impl(const WriterOptions& options) : options_(options) {}

  Error open(const std::string& path);

  /// Runs `action`, which may use the database, unless the writer is inert; a failure makes it so.
  template <class F>
  Error guarded(F&& action) noexcept {
    return gathered([&action](Parts& parts) {
      parts.rows.settle();
      action(parts);
    });
  }
  /// The same of one that only adds to what is gathered.
  template <class F>
  Error gathered(F&& action) noexcept {
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

  Error commit();
  Error flush();
  Error close();
  const Error& error() const { return error_; }
  std::map<std::string, std::int64_t> losses() const {
    return parts_ ? parts_->stats.losses() : finalLosses_;
  }
  std::uint64_t recordCount() const { return parts_ ? parts_->sink.recordCount() : finalCount_; }
  std::uint64_t workDone() const { return workDone_.load(std::memory_order_relaxed); }

  struct Parts {
    Parts(const std::string& path, const WriterOptions& options, std::atomic<std::uint64_t>& workDone)
        : database(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE),
          progress(database,
                   [&workDone] {
                     workDone.fetch_add(1, std::memory_order_relaxed);
                     return true;
                   }),
          units(database, stats),
          writer(database, units, {options.maxFileBytes, options.storeAccesses}),
          rows(writer, options.encoderThreads),
          launches(rows),
          counters(rows),
          sink(rows, launches, units, stats,
               {options.chunkRecords, options.bufferedBytes, options.encoderThreads, options.accessTimes}) {}
    /// All rows that have been added are in the tables: not what the sink still has of records.
    void finishRows() {
      launches.flush();
      handOnRows();
      rows.finish();
    }
    void addEvent(EventValues event) { rows.add(1).events.push_back(std::move(event)); }
    /// Those that wait for no more go to the queue.
    void handOnRows() {
      launches.handOnComplete();
      counters.flush();
      const RowFindings found = rows.takeFindings();
      if (found.notStored != 0)
        stats.add("size_limit", "data_loss", static_cast<std::int64_t>(found.notStored), 0,
                  "accesses measured in site_metric but not stored: the trace reached its largest size");
      if (found.unknownFrees != 0)
        stats.add("unknown_free", "info", static_cast<std::int64_t>(found.unknownFrees), 0,
                  "frees of memory whose allocation was not seen");
      stats.moveTo(rows.add(1).stats);
    }
    // Statements behind the database, so that they go before it does.
    Database database;
    StatementProgress progress;
    Stats stats;
    Units units;
    LazyStatement setMeta{"REPLACE INTO meta VALUES(?, ?)"};
    BatchWriter writer;
    RowQueue rows;  // behind all that has statements: its thread ends before they go
    LaunchRows launches;
    CounterRows counters;
    RecordSink sink;
    LateIndices lateIndices;
  };

 private:
  Error giveUp(const Error& error) noexcept;
  void setMaterialized(bool materialized);
  void materializePending(bool closing);
  bool reclaim() noexcept;

  const WriterOptions options_;
  std::atomic<std::uint64_t> workDone_{0};
  std::string path_;
  TraceFileLock lock_;
  std::unique_ptr<Parts> parts_;  ///< null once closed or failed
  Error error_;
  bool inTransaction_ = false;
  bool materialized_ = false;    ///< the plain tables are there
  bool mayMaterialize_ = false;  ///< not yet too many rows
  std::int64_t lastMaterialized_ = 0;
  std::uint64_t finalCount_ = 0;
  std::map<std::string, std::int64_t> finalLosses_;
};

}  // namespace cui::db
