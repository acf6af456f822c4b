// See profile.h. The words are those of ProfileSums in devlib's backend/cuda/device_state.h.
#include "hostlib/profile.h"

#include <algorithm>

namespace cui::hostlib {
namespace {

enum Word { requests, bytes, excess, idleLanes, idealDelta, uselessBytes, high, inverseLow };

}  // namespace

void addProfile(CuiProfile& sums, const CuiProfile& more) {
  for (int memory = 0; memory < 2; ++memory)
    for (int word = requests; word <= inverseLow; ++word) {
      std::uint64_t& sum = sums.sums[memory][word];
      sum = word < high ? sum + more.sums[memory][word] : std::max(sum, more.sums[memory][word]);
    }
}

db::AccessTotals totalsOf(const CuiProfile& profile, std::uint64_t sharedBegin) {
  const std::uint64_t (&memory)[8] = profile.sums[0];
  const std::uint64_t (&shared)[8] = profile.sums[1];
  db::AccessTotals totals;
  totals.site = profile.site;
  totals.requests = memory[requests] + shared[requests];
  totals.threadAccesses = 32 * totals.requests - memory[idleLanes] - shared[idleLanes];
  totals.bytes = memory[bytes] + shared[bytes];
  totals.sectorRequests = memory[requests] - shared[uselessBytes];  // less those to constant memory
  totals.idealSectors = (memory[bytes] + memory[idealDelta]) / 32;
  totals.sectors = totals.idealSectors + memory[excess];
  totals.usefulBytes = memory[bytes] - memory[uselessBytes];
  totals.wavefrontRequests = shared[requests];
  totals.idealWavefronts = shared[requests] + shared[idealDelta];
  totals.wavefronts = totals.idealWavefronts + shared[excess];
  totals.minAddress = ~std::uint64_t{0};
  if (memory[requests] != 0) {
    totals.minAddress = ~memory[inverseLow];
    totals.maxAddress = memory[high];
  }
  if (shared[requests] != 0) {
    totals.minAddress = std::min(totals.minAddress, ~shared[inverseLow] - sharedBegin);
    totals.maxAddress = std::max(totals.maxAddress, shared[high] - sharedBegin);
  }
  return totals;
}

}  // namespace cui::hostlib
