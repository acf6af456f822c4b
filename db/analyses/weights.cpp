// See weights.h.
#include "db/analyses/weights.h"

#include <algorithm>

#include "db/analyses/site_rows.h"

namespace cui::db {

Error Weights::load(const TraceReader& reader, Weights& weights) {
  weights = {};
  Error error;
  weights.cost_ = 0;
  error = reader.query("SELECT total(sectors + 4 * wavefronts) FROM site_metric", [&](Row row) {
    weights.cost_ = asReal(row[0]);
    return true;
  });
  if (error) return error;
  // What one warp of a block does, or one thread of a warp that was chosen to, no fewer warps can do. Blocks
  // smaller than a warp are no choice of threads.
  return reader.query(
      "WITH launch_total AS (SELECT launch_id, sum(requests) AS requests, sum(sectors + 4 * wavefronts) AS "
      "cost "
      "FROM site_metric GROUP BY launch_id) "
      "SELECT m.site_id, sum(t.requests), sum(t.cost), sum(m.requests), sum(m.sectors + 4 * m.wavefronts), "
      "sum(max((m.thread_accesses + 31) / 32, iif(threads < 32 AND (threads = 1 OR m.thread_accesses > "
      "m.requests), "
      "0, min(m.requests, blocks * iif(m.thread_accesses = m.requests, (threads + 31) / 32, 1))))) "
      "FROM site_metric m JOIN launch_total t USING(launch_id) JOIN (SELECT launch_id, grid_x * grid_y * "
      "grid_z AS "
      "blocks, block_x * block_y * block_z AS threads FROM launch) USING(launch_id) GROUP BY m.site_id",
      [&](Row row) {
        weights.sites_[asInteger(row[0])] = {asReal(row[1]), asReal(row[2]), asReal(row[3]), asReal(row[4]),
                                             asReal(row[5])};
        return true;
      });
}

const SiteWeight& Weights::of(std::int64_t siteId) const {
  static const SiteWeight none;
  const auto found = sites_.find(siteId);
  return found == sites_.end() ? none : found->second;
}

void Weights::weigh(Finding& finding, double part) const {
  part = std::clamp(part, 0.0, 1.0);
  finding.saving = part * ratio(of(finding.siteId).cost, cost_);
  finding.severity = part >= problemFrom   ? Finding::Severity::problem
                     : part >= warningFrom ? Finding::Severity::warning
                                           : Finding::Severity::info;
}

}  // namespace cui::db
