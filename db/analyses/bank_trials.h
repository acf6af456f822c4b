// Which change of a shared variable's declaration removes its bank conflicts: each candidate's addresses
// are recomputed for all accesses to the variable.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "db/analyses/trace_model.h"

namespace cui::db {

/// The best change of one shared variable.
struct BankTrial {
  std::string variable;
  std::string advice;  ///< "pad each row by one element: float tile[32][33]"; "" if no change tried helps
  std::uint64_t requests = 0;
  std::uint64_t wavefronts = 0, wavefrontsAfter = 0;  ///< of all accesses to the variable
  std::uint64_t extraBytes = 0;                       ///< of shared memory, a block
  struct PerSite {
    std::uint64_t requests = 0, wavefronts = 0, after = 0;
  };
  std::map<std::int64_t, PerSite> sites;  ///< by site id
};

/// Tries the variables that `siteIds` access; one entry for each that was found in a launch.
Error tryBankChanges(const TraceReader& reader, const TraceModel& model,
                     const std::set<std::int64_t>& siteIds, std::vector<BankTrial>& trials);

}  // namespace cui::db
