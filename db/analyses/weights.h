// What a finding is worth: which part of the memory work a change would save, at most, and so how severe it
// is.
//
// Work is what docs/metrics.md calls cost (a sector is 1, a wavefront of shared memory 4) where a finding is
// about traffic, and requests where it is about warps that issue them. A part is taken of the launches that
// the site ran in; of the whole trace, such a launch counts with its cost.
#pragma once

#include <cstdint>
#include <map>

#include "db/analyses/analyses.h"
#include "db/store/error.h"

namespace cui::db {

class TraceReader;

/// The launches that a site ran in, and the site itself.
struct SiteWeight {
  double requests = 0, cost = 0;        ///< of all sites in those launches
  double ownRequests = 0, ownCost = 0;  ///< of the site
  double fewestRequests = 0;            ///< that its threads can do with; see divergence in docs/analyses.md
};

class Weights {
 public:
  static Error load(const TraceReader& reader, Weights& weights);
  const SiteWeight& of(std::int64_t siteId) const;

  /// `part` of the work of the launches that the site ran in could be saved: sets the finding's saving, and
  /// its severity.
  void weigh(Finding& finding, double part) const;
  /// By cost, or by requests, in the units above.
  void weighCost(Finding& finding, double saved) const {
    weigh(finding, ratio(saved, of(finding.siteId).cost));
  }
  void weighRequests(Finding& finding, double saved) const {
    weigh(finding, ratio(saved, of(finding.siteId).requests));
  }

 private:
  static double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

  std::map<std::int64_t, SiteWeight> sites_;
  double cost_ = 0;  ///< of the trace
};

/// From which part of their launches' work on findings are problems and warnings.
inline constexpr double problemFrom = 0.1, warningFrom = 0.02;

}  // namespace cui::db
