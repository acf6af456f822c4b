// TraceReader::validate: is the trace complete and consistent? Each check is one function.
#include <algorithm>
#include <exception>
#include <map>
#include <thread>

#include "db/store/chunk_check.h"
#include "db/store/chunk_index.h"
#include "db/store/ordered_work.h"
#include "db/store/reader_impl.h"
#include "db/store/units.h"

namespace cui::db {

namespace {

using Severity = ValidationFinding::Severity;
constexpr unsigned mostThreads = 16;  // each has a few chunks in memory

/// What the stored records of one (launch, site) add up to; compared with site_metric.
struct Recount {
  std::int64_t requests = 0, threadAccesses = 0, bytes = 0, sectors = 0, idealSectors = 0, wavefronts = 0,
               idealWavefronts = 0;
  bool operator==(const Recount&) const = default;
};
using RecountKey = std::pair<std::int64_t, std::int64_t>;  // launch id, site id

class Validation {
 public:
  /// `threads`: 0: everything on the caller's.
  Validation(Database& database, const std::function<bool()>& shouldCancel, unsigned threads)
      : database_(database), shouldCancel_(shouldCancel), threads_(threads) {}

  std::vector<ValidationFinding> run() {
    attempt("integrity", [this] { integrity(); });
    attempt("complete", [this] { closed(); });
    attempt("stats", [this] { stats(); });
    attempt("chunks", [this] { chunks(); });
    attempt("metrics", [this] { metrics(); });
    attempt("counters", [this] { counters(); });
    attempt("launches", [this] { launches(); });
    attempt("sites", [this] { sites(); });
    attempt("allocations", [this] { allocations(); });
    attempt("materialized", [this] { materialized(); });
    return std::move(findings_);
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
      report(check, Severity::error, failure.error().message);
    }
  }

  void report(const char* check, Severity severity, std::string detail) {
    // A damaged trace fails in thousands of places; the first of a kind say what is wrong.
    constexpr int most = 20;
    const int count = ++reported_[check];
    if (count < most) findings_.push_back({check, severity, std::move(detail)});
    if (count == most) findings_.push_back({check, severity, "… and more of the same check"});
  }

  /// One finding for each row of a query that has the text in its first column.
  void reportRows(const char* check, Severity severity, std::string_view sql) {
    Statement query(database_, sql);
    while (query.step()) report(check, severity, query.text(0));
  }

  void integrity() {
    Statement query(database_, "PRAGMA quick_check(5)");
    while (query.step())
      if (query.text(0) != "ok") report("integrity", Severity::error, query.text(0));
  }

  void closed() {
    reportRows(
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
      report("stats",
             severity == "info"        ? Severity::info
             : severity == "data_loss" ? Severity::dataLoss
                                       : Severity::error,
             query.text(1));
    }
  }

  void chunks() {
    const std::vector<SiteInfo> sites = loadSites(database_);
    Statement query(database_,
                    "SELECT access_chunk_id, launch_id, first_sequence, record_count, codec_version, data, "
                    "min_site_number, max_site_number, min_block, max_block, min_address, max_address "
                    "FROM access_chunk ORDER BY launch_id, first_sequence");
    index_.prepare(database_,
                   "SELECT record_count, min_block, max_block, min_address, max_address "
                   "FROM access_chunk_site WHERE site_number = ? AND access_chunk_id = ?");
    std::int64_t launch = 0, expected = 0;
    bool first = true;
    OrderedWork<ChunkCheck, ChunkChecker> work(threads_);
    const auto finish = [&](std::size_t most) {
      while (work.count() > most) {
        std::exception_ptr failure;
        const ChunkCheck check = work.take(failure);
        if (failure) std::rethrow_exception(failure);
        take(check, sites);
      }
    };
    while (query.step()) {
      if (first || query.integer(1) != launch) expected = 0;
      first = false;
      launch = query.integer(1);
      if (query.integer(2) != expected)
        report("chunks", Severity::dataLoss,
               "launch " + std::to_string(launch) + ": records " + std::to_string(expected) + " to " +
                   std::to_string(query.integer(2) - 1) + " are missing");
      expected = query.integer(2) + query.integer(3);
      if (shouldCancel_ && shouldCancel_())
        throw StoreFailure({ErrorCode::cancelled, database_.path() + ": validation cancelled"});
      work.submit(storedChunk(query, sites.size()));
      finish(std::size_t{2} * threads_);
    }
    finish(0);
    if (allDecoded_ && database_.integer("SELECT count(*) FROM access_chunk_site") != indexRows_)
      report("chunks", Severity::error, "access_chunk_site has rows of chunks or sites that do not exist");
  }

  static ChunkCheck storedChunk(const Statement& row, std::size_t siteCount) {
    ChunkCheck check;
    check.id = row.integer(0);
    check.launchId = row.integer(1);
    check.recordCount = row.integer(3);
    check.codecVersion = row.integer(4);
    const auto data = row.blob(5);
    check.data.assign(data.begin(), data.end());
    check.minSite = row.integer(6);
    check.maxSite = row.integer(7);
    check.minBlock = row.integer(8);
    check.maxBlock = row.integer(9);
    check.minAddress = static_cast<std::uint64_t>(row.integer(10));
    check.maxAddress = static_cast<std::uint64_t>(row.integer(11));
    check.siteCount = siteCount;
    return check;
  }

  void take(const ChunkCheck& check, const std::vector<SiteInfo>& sites) {
    const std::string name = "access_chunk " + std::to_string(check.id);
    if (check.unknownSite) return badSite(name);
    if (!check.error.empty()) report("chunks", Severity::error, name + ": " + check.error);
    if (check.outside) report("chunks", Severity::error, name + ": a record outside the chunk's ranges");
    for (const SiteTotals& totals : check.sites) recount(check.launchId, sites[totals.siteNumber].id, totals);
    if (check.error.empty())
      checkIndex(check, name);
    else
      allDecoded_ = false;
  }

  void badSite(const std::string& chunk) {
    allDecoded_ = false;
    report("chunks", Severity::error, chunk + ": a record of a site that does not exist");
  }

  /// A look-up that trusts a wrong index misses accesses.
  void checkIndex(const ChunkCheck& check, const std::string& name) {
    bool same = true;
    for (const SiteTotals& totals : check.sites) {
      index_.bind(totals.siteNumber, check.id);
      same = same && index_.step() &&
             ChunkSiteRow{index_.integer(0), index_.integer(1), index_.integer(2), index_.integer(3),
                          index_.integer(4)} == chunkSiteRow(totals);
    }
    index_.reset();
    indexRows_ += static_cast<std::int64_t>(check.sites.size());
    if (!same)
      report("chunks", Severity::error, name + ": its rows in access_chunk_site are not what it holds");
  }

  void recount(std::int64_t launch, std::int64_t site, const SiteTotals& totals) {
    Recount& sum = recounts_[{launch, site}];
    sum.requests += static_cast<std::int64_t>(totals.requests);
    sum.threadAccesses += static_cast<std::int64_t>(totals.threadAccesses);
    sum.bytes += static_cast<std::int64_t>(totals.bytes);
    sum.sectors += static_cast<std::int64_t>(totals.sectors);
    sum.idealSectors += static_cast<std::int64_t>(totals.idealSectors);
    sum.wavefronts += static_cast<std::int64_t>(totals.wavefronts);
    sum.idealWavefronts += static_cast<std::int64_t>(totals.idealWavefronts);
  }

  void metrics() {
    Statement query(database_,
                    "SELECT launch_id, site_id, requests, thread_accesses, bytes, sectors, ideal_sectors, "
                    "wavefronts, ideal_wavefronts, bank_conflicts FROM site_metric");
    while (query.step()) {
      const Recount stored = {query.integer(2), query.integer(3), query.integer(4), query.integer(5),
                              query.integer(6), query.integer(7), query.integer(8)};
      const std::string where =
          "launch " + std::to_string(query.integer(0)) + ", site " + std::to_string(query.integer(1));
      const auto found = recounts_.find({query.integer(0), query.integer(1)});
      const Recount counted = found == recounts_.end() ? Recount() : found->second;
      if (counted.requests != stored.requests)
        report("metrics", counted.requests < stored.requests ? Severity::dataLoss : Severity::error,
               where + ": " + std::to_string(counted.requests) + " records stored, " +
                   std::to_string(stored.requests) + " measured");
      else if (!(counted == stored))
        report("metrics", Severity::error, where + ": the records do not add up to site_metric");
      if (stored.wavefronts - stored.idealWavefronts != query.integer(9))
        report("metrics", Severity::error, where + ": bank_conflicts is not wavefronts - ideal_wavefronts");
      if (found != recounts_.end()) recounts_.erase(found);
    }
    for (const auto& [key, sum] : recounts_)
      report("metrics", Severity::error,
             "launch " + std::to_string(key.first) + ", site " + std::to_string(key.second) +
                 ": records without a site_metric row");
  }

  void counters() {
    if (database_.integer("SELECT count(*) FROM site_counter") == 0) {
      if (database_.integer("SELECT count(*) FROM site_metric") != 0)
        report("counters", Severity::info,
               "the device's own counts were not recorded; completeness is not proven");
      return;
    }
    Statement query(database_,
                    "SELECT launch_id, site_id, c.requests, c.thread_accesses, m.requests, m.thread_accesses "
                    "FROM (SELECT launch_id, site_id FROM site_counter UNION SELECT launch_id, site_id FROM "
                    "site_metric) LEFT JOIN site_counter c USING(launch_id, site_id) LEFT JOIN site_metric m "
                    "USING(launch_id, site_id)");
    while (query.step()) {
      if (query.integer(2) == query.integer(4) && query.integer(3) == query.integer(5)) continue;
      report("counters", query.integer(4) < query.integer(2) ? Severity::dataLoss : Severity::error,
             "launch " + std::to_string(query.integer(0)) + ", site " + std::to_string(query.integer(1)) +
                 ": the device counted " + std::to_string(query.integer(2)) + " requests by " +
                 std::to_string(query.integer(3)) + " threads, the trace has " +
                 std::to_string(query.integer(4)) + " by " + std::to_string(query.integer(5)));
    }
  }

  void launches() {
    reportRows(
        "launches", Severity::dataLoss,
        "SELECT 'launch ' || launch_id || ' (' || kernel || '): the call never returned' FROM launch "
        "WHERE host_end_ns IS NULL AND file <> ''");  // '': the recorder never saw the call, only its kernel
    reportRows(
        "launches", Severity::error,
        "SELECT DISTINCT 'launch ' || m.launch_id || ': records, but no such launch' FROM site_metric m "
        "LEFT JOIN launch l USING(launch_id) WHERE l.launch_id IS NULL");
    reportRows(
        "launches", Severity::error,
        "SELECT DISTINCT 'launch ' || launch_id || ' was refused (' || error_name || ') but has records' "
        "FROM launch JOIN site_metric USING(launch_id) WHERE error <> 0");
    reportRows(
        "launches", Severity::info,
        "SELECT 'launch ' || launch_id || ' was refused: ' || error_name FROM launch WHERE error <> 0");
    reportRows(
        "launches", Severity::info,
        "SELECT 'launch ' || launch_id || ' (' || kernel || ') left no records: its kernel is not "
        "instrumented, accesses no memory, or did not run' FROM launch l WHERE error = 0 AND entered = 0 "
        "AND NOT EXISTS(SELECT 1 FROM site_metric m WHERE m.launch_id = l.launch_id)");
  }

  void sites() {
    reportRows("sites", Severity::error,
               "SELECT DISTINCT 'site ' || site_id || ' has measurements but no site row' FROM "
               "(SELECT site_id FROM site_metric UNION SELECT site_id FROM site_counter) "
               "WHERE site_id NOT IN (SELECT site_id FROM site)");
    reportRows("sites", Severity::info,
               "SELECT count(*) || ' sites not instrumented: ' || reason FROM site WHERE status = 'skipped' "
               "GROUP BY reason ORDER BY count(*) DESC");
  }

  void allocations() {
    const std::int64_t count = database_.integer(
        "SELECT count(*) FROM site_metric m WHERE m.sector_requests > 0 AND m.wavefront_requests = 0 AND NOT "
        "EXISTS"
        "(SELECT 1 FROM site_allocation t WHERE t.launch_id = m.launch_id AND t.site_id = m.site_id)");
    if (count != 0)
      report("allocations", Severity::info,
             std::to_string(count) +
                 " site(s) in a launch access several allocations or memory whose allocation "
                 "was not seen");
  }

  void materialized() {
    if (database_.integer("SELECT value = '1' FROM meta WHERE key = 'materialized'") == 0) return;
    const std::int64_t rows = database_.integer("SELECT count(*) FROM access");
    const std::int64_t records = database_.integer("SELECT total(record_count) FROM access_chunk");
    if (rows != records)
      report(
          "materialized", Severity::error,
          "table access has " + std::to_string(rows) + " rows for " + std::to_string(records) + " records");
  }

  Database& database_;
  const std::function<bool()>& shouldCancel_;
  const unsigned threads_;
  std::vector<ValidationFinding> findings_;
  std::map<std::string, int> reported_;
  std::map<RecountKey, Recount> recounts_;
  Statement index_;
  std::int64_t indexRows_ = 0;
  bool allDecoded_ = true;
};

}  // namespace

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
