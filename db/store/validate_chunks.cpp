// The checks of validate that look at every stored record. See validation.h.
#include <exception>

#include "db/store/chunk_index.h"
#include "db/store/ordered_work.h"
#include "db/store/validation.h"

namespace cui::db {

namespace {

using Severity = ValidationFinding::Severity;

ChunkCheck storedChunk(const Statement& row, std::size_t siteCount) {
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

}  // namespace

void ChunkValidation::chunks() {
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
      report_.add("chunks", Severity::dataLoss,
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
    report_.add("chunks", Severity::error, "access_chunk_site has rows of chunks or sites that do not exist");
}

void ChunkValidation::take(const ChunkCheck& check, const std::vector<SiteInfo>& sites) {
  const std::string name = "access_chunk " + std::to_string(check.id);
  if (check.unknownSite) {
    allDecoded_ = false;
    return report_.add("chunks", Severity::error, name + ": a record of a site that does not exist");
  }
  if (!check.error.empty()) report_.add("chunks", Severity::error, name + ": " + check.error);
  if (check.outside) report_.add("chunks", Severity::error, name + ": a record outside the chunk's ranges");
  for (const SiteTotals& totals : check.sites) recount(check.launchId, sites[totals.siteNumber].id, totals);
  if (check.error.empty())
    checkIndex(check, name);
  else
    allDecoded_ = false;
}

/// A look-up that trusts a wrong index misses accesses.
void ChunkValidation::checkIndex(const ChunkCheck& check, const std::string& name) {
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
    report_.add("chunks", Severity::error, name + ": its rows in access_chunk_site are not what it holds");
}

void ChunkValidation::recount(std::int64_t launch, std::int64_t site, const SiteTotals& totals) {
  Recount& sum = recounts_[{launch, site}];
  sum.requests += static_cast<std::int64_t>(totals.requests);
  sum.threadAccesses += static_cast<std::int64_t>(totals.threadAccesses);
  sum.bytes += static_cast<std::int64_t>(totals.bytes);
  sum.sectors += static_cast<std::int64_t>(totals.sectors);
  sum.idealSectors += static_cast<std::int64_t>(totals.idealSectors);
  sum.wavefronts += static_cast<std::int64_t>(totals.wavefronts);
  sum.idealWavefronts += static_cast<std::int64_t>(totals.idealWavefronts);
}

void ChunkValidation::metrics() {
  if (database_.integer("SELECT count(*) FROM meta WHERE key = 'mode' AND value = 'profile'") != 0) {
    report_.addRows(
        "metrics", Severity::error,
        "SELECT 'launch ' || launch_id || ', site ' || site_id || ': the sums contradict each other' "
        "FROM site_metric WHERE bank_conflicts <> wavefronts - ideal_wavefronts OR sectors < ideal_sectors "
        "OR "
        "wavefronts < ideal_wavefronts OR sector_requests + wavefront_requests > requests OR "
        "thread_accesses > 32 * requests OR useful_bytes > bytes OR min_address > max_address");
    report_.add("metrics", Severity::info, "a profile has no records that its sums could be compared with");
    return;
  }
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
      report_.add("metrics", counted.requests < stored.requests ? Severity::dataLoss : Severity::error,
                  where + ": " + std::to_string(counted.requests) + " records stored, " +
                      std::to_string(stored.requests) + " measured");
    else if (!(counted == stored))
      report_.add("metrics", Severity::error, where + ": the records do not add up to site_metric");
    if (stored.wavefronts - stored.idealWavefronts != query.integer(9))
      report_.add("metrics", Severity::error,
                  where + ": bank_conflicts is not wavefronts - ideal_wavefronts");
    if (found != recounts_.end()) recounts_.erase(found);
  }
  for (const auto& [key, sum] : recounts_)
    report_.add("metrics", Severity::error,
                "launch " + std::to_string(key.first) + ", site " + std::to_string(key.second) +
                    ": records without a site_metric row");
}

}  // namespace cui::db
