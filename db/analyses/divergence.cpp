// divergence: sites whose warps run with few of their 32 threads.
#include <cmath>

#include "db/analyses/site_rows.h"
#include "db/analyses/stable_sort.h"
#include "db/analyses/weights.h"

namespace cui::db {

namespace {
// A grid's last warp is rarely full, and that costs nothing worth a finding.
constexpr double fullFrom = 28;
}  // namespace

Error divergence(const TraceReader& reader, const AnalysisOptions& options, std::vector<Finding>& findings) {
  Weights weights;
  if (Error error = Weights::load(reader, weights)) return error;
  Error error = reader.query(
      std::string("SELECT ") + siteColumns +
          ", requests, avg_active_threads, (SELECT min(l.block_x * l.block_y * l.block_z) FROM site_metric m "
          "JOIN launch l USING(launch_id) WHERE m.site_id = hot_site.site_id) FROM hot_site WHERE "
          "avg_active_threads < " +
          std::to_string(fullFrom) +
          " ORDER BY (32 - avg_active_threads) * requests DESC, file, line, column, site_id",
      [&](Row row) {
        Finding finding = siteFinding(row);
        const double requests = asReal(row[8]), active = asReal(row[9]);
        const std::int64_t threads = asInteger(row[10]);
        const double fewest = weights.of(finding.siteId).fewestRequests;
        weights.weighRequests(finding, requests - fewest);
        finding.verdict = formatted("%.1f of 32 threads of a warp are active", active);
        if (fewest >= requests)
          finding.why = "one warp of a block, or one thread of a warp, does this: no fewer requests could";
        else
          finding.why = formatted(
              "a request costs the same with one thread as with 32: %.0f requests do what %.0f could, %.1f "
              "%% of "
              "those of its launches",
              requests, fewest, 100 * (requests - fewest) / weights.of(finding.siteId).requests);
        if (finding.severity != Finding::Severity::info)
          finding.suggestion = threads < 32
                                   ? formatted("blocks have %lld threads: a multiple of 32 fills the warps",
                                               static_cast<long long>(threads))
                                   : "let neighbouring threads take the same branch (compact the work, or "
                                     "branch on the warp), "
                                     "and loop equally often";
        finding.numbers = {
            {"requests", requests}, {"avg_active_threads", active}, {"fewest_requests", fewest}};
        findings.push_back(std::move(finding));
        return true;
      });
  stableSort(findings, [](const Finding& a, const Finding& b) { return a.saving > b.saving; });
  if (findings.size() > options.limit) findings.resize(options.limit);
  return error;
}

}  // namespace cui::db
