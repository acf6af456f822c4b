// See profile.h.
#include "hostlib/profile.h"

#include <algorithm>

namespace cui::hostlib {

using format::ProfileSums;

void addProfile(CuiProfile& sums, const CuiProfile& more) {
  for (int memory = 0; memory < 2; ++memory) format::addSums(sums.sums[memory], more.sums[memory]);
}

db::AccessTotals totalsOf(const CuiProfile& profile) {
  const ProfileSums& memory = profile.sums[0];
  const ProfileSums& shared = profile.sums[1];
  db::AccessTotals totals;
  totals.site = profile.site;
  totals.requests = memory.requests + shared.requests;
  totals.threadAccesses = 32 * totals.requests - memory.idleLanes - shared.idleLanes;
  totals.bytes = memory.bytes + shared.bytes;
  totals.sectorRequests = memory.requests - shared.uselessBytes;  // less those to constant memory
  totals.idealSectors = (memory.bytes + memory.idealDelta) / 32;
  totals.sectors = totals.idealSectors + memory.excess;
  totals.usefulBytes = memory.bytes - memory.uselessBytes;
  totals.wavefrontRequests = shared.requests;
  totals.idealWavefronts = shared.requests + shared.idealDelta;
  totals.wavefronts = totals.idealWavefronts + shared.excess;
  totals.minAddress = ~std::uint64_t{0};
  if (memory.requests != 0) {
    totals.minAddress = ~std::uint64_t{memory.inverseLow};
    totals.maxAddress = memory.high;
  }
  if (shared.requests != 0) {
    totals.minAddress = std::min(totals.minAddress, ~std::uint64_t{shared.inverseLow});
    totals.maxAddress = std::max(totals.maxAddress, std::uint64_t{shared.high});
  }
  return totals;
}

}  // namespace cui::hostlib
