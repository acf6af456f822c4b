// TraceReader::validate: is the trace complete and consistent? Each check is one function.
#include <algorithm>
#include <exception>
#include <thread>

#include "db/store/reader_impl.h"
#include "db/store/skipped_sites.h"
#include "db/store/validation.h"

namespace cui::db {

namespace {

using Severity = ValidationFinding::Severity;
constexpr unsigned mostThreads = 16;  // each has a few chunks in memory

class Validation {
 public:
  /// `threads`: 0: everything on the caller's.
  Validation(Database& database, const std::function<bool()>& shouldCancel, unsigned threads)
      : database_(database), report_(database), chunks_(database, report_, shouldCancel, threads) {}

  std::vector<ValidationFinding> run() {
    attempt("integrity", [this] { integrity(); });
    attempt("complete", [this] { closed(); });
    attempt("stats", [this] { stats(); });
    attempt("chunks", [this] { chunks_.chunks(); });
    attempt("metrics", [this] { chunks_.metrics(); });
    attempt("counters", [this] { counters(); });
    attempt("launches", [this] { launches(); });
    attempt("sites", [this] { sites(); });
    attempt("allocations", [this] { allocations(); });
    attempt("materialized", [this] { materialized(); });
    return report_.take();
  }

 private:
  /// A check that cannot be finished because the trace is damaged has found just that.
  template <class F>
  void attempt(const char* check, F&& run) {
    try {
      run();
    } catch (const StoreFailure& failure) {
      const ErrorCode code = failure.error().code;
      if (code != ErrorCode::corrupt && code != ErrorCode::sql) throw;
      report_.add(check, Severity::error, failure.error().message);
    }
  }

  void integrity() {
    Statement query(database_, "PRAGMA quick_check(5)");
    while (query.step())
      if (query.text(0) != "ok") report_.add("integrity", Severity::error, query.text(0));
  }

  void closed() {
    report_.addRows(
        "complete", Severity::dataLoss,
        "SELECT 'the recording program did not close the trace: what it recorded after the last flush is "
        "missing' WHERE ifnull((SELECT value FROM meta WHERE key = 'complete'), '0') <> '1'");
  }

  void stats() {
    Statement query(
        database_,
        "SELECT severity, name || ': ' || value || CASE WHEN launch_id IS NULL THEN '' ELSE "
        "' in launch ' || launch_id END || ' (' || detail || ')' FROM trace_stat ORDER BY severity, name");
    while (query.step()) {
      const std::string severity = query.text(0);
      report_.add("stats",
                  severity == "info"        ? Severity::info
                  : severity == "data_loss" ? Severity::dataLoss
                                            : Severity::error,
                  query.text(1));
    }
  }

  void counters() {
    if (database_.integer("SELECT count(*) FROM site_counter") == 0) {
      if (database_.integer("SELECT count(*) FROM site_metric") != 0)
        report_.add("counters", Severity::info,
                    "the device's own counts were not recorded; completeness is not proven");
      return;
    }
    // What the device says of itself to be too little proves nothing.
    const bool incomplete =
        database_.integer("SELECT count(*) FROM trace_stat WHERE name = 'counters_incomplete'") != 0;
    Statement query(database_,
                    "SELECT launch_id, site_id, c.requests, c.thread_accesses, m.requests, m.thread_accesses "
                    "FROM (SELECT launch_id, site_id FROM site_counter UNION SELECT launch_id, site_id FROM "
                    "site_metric) LEFT JOIN site_counter c USING(launch_id, site_id) LEFT JOIN site_metric m "
                    "USING(launch_id, site_id)");
    while (query.step()) {
      if (query.integer(2) == query.integer(4) && query.integer(3) == query.integer(5)) continue;
      const Severity more = incomplete ? Severity::info : Severity::error;
      report_.add("counters", query.integer(4) < query.integer(2) ? Severity::dataLoss : more,
                  "launch " + std::to_string(query.integer(0)) + ", site " +
                      std::to_string(query.integer(1)) + ": the device counted " +
                      std::to_string(query.integer(2)) + " requests by " + std::to_string(query.integer(3)) +
                      " threads, the trace has " + std::to_string(query.integer(4)) + " by " +
                      std::to_string(query.integer(5)));
    }
  }

  void launches() {
    report_.addRows(
        "launches", Severity::dataLoss,
        "SELECT 'launch ' || launch_id || ' (' || kernel || '): the call never returned' FROM launch "
        "WHERE host_end_ns IS NULL AND file <> ''");  // '': the recorder never saw the call, only its kernel
    report_.addRows(
        "launches", Severity::error,
        "SELECT DISTINCT 'launch ' || m.launch_id || ': records, but no such launch' FROM site_metric m "
        "LEFT JOIN launch l USING(launch_id) WHERE l.launch_id IS NULL AND NOT (m.launch_id = 0 AND "
        "EXISTS(SELECT 1 FROM trace_stat WHERE name = 'launches_merged'))");
    report_.addRows(
        "launches", Severity::error,
        "SELECT DISTINCT 'launch ' || launch_id || ' was refused (' || error_name || ') but has records' "
        "FROM launch JOIN site_metric USING(launch_id) WHERE error <> 0");
    report_.addRows(
        "launches", Severity::info,
        "SELECT 'launch ' || launch_id || ' was refused: ' || error_name FROM launch WHERE error <> 0");
    report_.addRows("launches", Severity::info,
                    "SELECT 'launch ' || launch_id || ' (' || kernel || ') left no records: it accesses no "
                    "memory, or did "
                    "not run' FROM launch l WHERE error = 0 AND entered = 0 AND instrumented = 1 "
                    "AND NOT EXISTS(SELECT 1 FROM site_metric m WHERE m.launch_id = l.launch_id)");
    report_.addRows("launches", Severity::info, launchesNotInstrumented);
    report_.addRows("launches", Severity::info, launchesWithSkippedSites);
  }

  void sites() {
    report_.addRows("sites", Severity::error,
                    "SELECT DISTINCT 'site ' || site_id || ' has measurements but no site row' FROM "
                    "(SELECT site_id FROM site_metric UNION SELECT site_id FROM site_counter) "
                    "WHERE site_id NOT IN (SELECT site_id FROM site)");
    report_.addRows(
        "sites", Severity::info,
        "SELECT count(*) || ' sites not instrumented: ' || reason FROM site WHERE status = 'skipped' "
        "GROUP BY reason ORDER BY count(*) DESC");
  }

  void allocations() {
    const std::int64_t count = database_.integer(
        "SELECT count(*) FROM site_metric m WHERE m.sector_requests > 0 AND m.wavefront_requests = 0 AND NOT "
        "EXISTS"
        "(SELECT 1 FROM site_allocation t WHERE t.launch_id = m.launch_id AND t.site_id = m.site_id)");
    if (count != 0)
      report_.add("allocations", Severity::info,
                  std::to_string(count) +
                      " site(s) in a launch access several allocations or memory whose allocation "
                      "was not seen");
  }

  void materialized() {
    if (database_.integer("SELECT value = '1' FROM meta WHERE key = 'materialized'") == 0) return;
    const std::int64_t rows = database_.integer("SELECT count(*) FROM access");
    const std::int64_t records = database_.integer("SELECT total(record_count) FROM access_chunk");
    if (rows != records)
      report_.add(
          "materialized", Severity::error,
          "table access has " + std::to_string(rows) + " rows for " + std::to_string(records) + " records");
  }

  Database& database_;
  ValidationReport report_;
  ChunkValidation chunks_;
};

}  // namespace

void ValidationReport::add(const char* check, Severity severity, std::string detail) {
  // A damaged trace fails in thousands of places; the first of a kind say what is wrong.
  constexpr int most = 20;
  const int count = ++reported_[check];
  if (count < most) findings_.push_back({check, severity, std::move(detail)});
  if (count == most) findings_.push_back({check, severity, "… and more of the same check"});
}

void ValidationReport::addRows(const char* check, Severity severity, std::string_view sql) {
  Statement query(database_, sql);
  while (query.step()) add(check, severity, query.text(0));
}

std::vector<ValidationFinding> TraceReader::validate(Error& error) const try {
  error = {};
  const unsigned processors = std::clamp(std::thread::hardware_concurrency(), 1u, mostThreads);
  return Validation(impl_->database, impl_->shouldCancel, processors - 1).run();
} catch (const StoreFailure& failure) {
  error = failure.error();
  return {};
} catch (const std::exception& failure) {
  error = {ErrorCode::internal, impl_->path + ": " + failure.what()};
  return {};
}

bool passes(std::span<const ValidationFinding> findings) {
  return std::none_of(findings.begin(), findings.end(),
                      [](const ValidationFinding& finding) { return finding.severity != Severity::info; });
}

const char* nameOf(ValidationFinding::Severity severity) {
  return severity == Severity::info ? "info" : severity == Severity::dataLoss ? "data_loss" : "error";
}

}  // namespace cui::db
