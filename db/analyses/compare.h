// Two traces of one program, before and after a change: what each site and kernel cost then and now.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "db/analyses/analyses.h"
#include "db/store/error.h"

namespace cui::db {

class TraceReader;

/// Columns of site_metric, summed over launches.
struct Traffic {
  std::uint64_t requests = 0, threadAccesses = 0, bytes = 0, sectors = 0, idealSectors = 0, wavefronts = 0,
                idealWavefronts = 0, bankConflicts = 0, sectorRequests = 0, wavefrontRequests = 0;
  std::uint64_t cost() const { return sectors + 4 * wavefronts; }  ///< as in site_summary
  Traffic& operator+=(const Traffic& other);
  bool operator==(const Traffic&) const = default;
};

enum class Change { same, better, worse, added, removed };
const char* nameOf(Change change);

/// `Place`: in the second trace, or in the first if it is only there.
struct SiteDifference : Place {
  std::string kind;
  std::string expressionBefore;  ///< where the site was rewritten: the other spelling; else ""
  Traffic before, after;
  Change change = Change::same;
};

struct KernelDifference {
  std::string kernel;
  std::uint64_t launchesBefore = 0, launchesAfter = 0, matched = 0;
  std::uint64_t reshaped = 0;                    ///< matched launches whose grid or block differs
  Traffic before, after;                         ///< of the matched launches
  std::int64_t gpuNsBefore = 0, gpuNsAfter = 0;  ///< 0 of the CPU backend
  Change change = Change::same;
};

struct CompareOptions {
  double threshold = 0;  ///< cost may grow by this fraction and still be the same
};

struct Comparison {
  std::vector<SiteDifference> sites;      ///< worse first, by the cost that was gained or lost
  std::vector<KernelDifference> kernels;  ///< likewise
  bool worse() const;                     ///< some site or kernel is
  bool nothingMet() const;                ///< both have launches, but no kernel in common
};

/// The k-th launch of a kernel in one trace is taken for the k-th in the other; only these pairs count.
/// Sites meet by site_id; a function's only vanished and only new site on the same array and of the same
/// kind are taken for one whose expression changed.
Error compareTraces(const TraceReader& before, const TraceReader& after, const CompareOptions& options,
                    Comparison& comparison);

}  // namespace cui::db
