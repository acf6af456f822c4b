// divergence: sites whose warps run with few of their 32 threads.
#include <cmath>

#include "db/analyses/site_rows.h"

namespace cui::db {

namespace {
// A grid's last warp is rarely full, and that costs nothing worth a finding.
constexpr double warnBelow = 28, problemBelow = 16;
}  // namespace

Error divergence(const TraceReader& reader, const AnalysisOptions& options, std::vector<Finding>& findings) {
  return reader.query(
      std::string("SELECT ") + siteColumns +
          ", requests, avg_active_threads, (SELECT min(l.block_x * l.block_y * l.block_z) FROM site_metric m "
          "JOIN launch l USING(launch_id) WHERE m.site_id = hot_site.site_id) FROM hot_site WHERE "
          "avg_active_threads < " +
          std::to_string(warnBelow) +
          " ORDER BY (32 - avg_active_threads) * requests DESC, file, line, column, site_id LIMIT " +
          std::to_string(options.limit),
      [&](Row row) {
        Finding finding = siteFinding(row);
        const double requests = asReal(row[8]), active = asReal(row[9]);
        const std::int64_t threads = asInteger(row[10]);
        finding.severity = active < problemBelow ? Finding::Severity::problem : Finding::Severity::warning;
        finding.verdict = formatted("%.1f of 32 threads of a warp are active", active);
        finding.why = "a request costs the same with one thread as with 32";
        if (const double enough = std::ceil(requests * active / 32); enough < requests)
          finding.why += formatted(": %.0f requests do what %.0f could", requests, enough);
        finding.suggestion =
            threads < 32
                ? formatted("blocks have %lld threads: a multiple of 32 fills the warps",
                            static_cast<long long>(threads))
                : "let neighbouring threads take the same branch (compact the work, or branch on the warp), "
                  "and loop equally often";
        finding.numbers = {{"requests", requests}, {"avg_active_threads", active}};
        findings.push_back(std::move(finding));
        return true;
      });
}

}  // namespace cui::db
