// Device side of profile mode, in the module: what kernels call that keep sums of their accesses in registers
// (cli/compile/tallied_kernels.h). There each lane counts, for each site, how often it took part and between
// which addresses, and who leads a team of lanes, what that access cost: nothing in memory is asked for or
// changed until the kernel ends, when the lanes' tallies are added up.
#pragma once

#include "cuinstrument/backend/cuda/recorder.h"

#if defined(CUI_RECORDER_MODULE)
namespace cui {
namespace backend {

/// What requests cost, side by side in one word: sectors or wavefronts, ideal sectors, and different places.
/// Of each there are at most 32 a request, and a tally of a lane's has fewer than 2^16 requests.
using format::tallyBits;
static_assert(3 * tallyBits < 64 && 32u << 16 <= 1u << tallyBits, "there is room for them");
static __device__ __forceinline__ unsigned int talliedIn(unsigned long long costs, unsigned int which) {
  return static_cast<unsigned int>(costs >> (which * tallyBits)) & ((1u << tallyBits) - 1);
}

/// What the calling lanes' access of aligned words of shared memory costs, which lie anywhere: of others the
/// kernels find that out themselves. Who comes is asked anew: ptxas then knows that these are together (ADR
/// 0018).
CUI_OF_ANY_MODE
__device__ __noinline__ unsigned int tallyWavefronts(unsigned int low) {
  return wavefrontsOf(teamOf(__activemask()), low);
}

/// An access that a tally does not take.
CUI_OF_MODES
__device__ __noinline__ void recordUntallied(const DeviceUnit& unit, unsigned int key,
                                             unsigned long long address, unsigned int bytes) {
  warpInMode(unit, key, address, bytes);
}

/// Adds the calling lanes' tallies of a site to the profile. `counts`: accesses of the lane | requests that
/// it led << 16; `low`, `high`: halves of the addresses of its first and last place, in `window`, of 2^32
/// bytes.
CUI_OF_MODES
__device__ __noinline__ void addTally(const DeviceUnit& unit, unsigned int key, unsigned int counts,
                                      unsigned long long costs, unsigned int low, unsigned int high,
                                      unsigned int window, unsigned int bytes) {
  const unsigned int mask = __activemask(), site = siteOfAccess(key);
  const bool shared = spaceOf(key) == format::Space::shared;
#pragma unroll 1
  for (unsigned int rest = __ballot_sync(mask, counts != 0); rest != 0;) {
    const auto [leader, common, member] = takeAlike(mask, rest, counts != 0, window);
    const unsigned int all = sumOf(mask, member ? counts & 0xffffu : 0) * bytes;
    const unsigned int requests = sumOf(mask, member ? counts >> 16 : 0);
    const unsigned int cost = sumOf(mask, member ? talliedIn(costs, 0) : 0);
    const unsigned int ideal = shared ? requests : sumOf(mask, member ? talliedIn(costs, 1) : 0);
    const unsigned int places = shared ? 0 : sumOf(mask, member ? talliedIn(costs, 2) : 0);
    const unsigned int least = minimumOf(mask, member ? low : ~0u);
    const unsigned int most = maximumOf(mask, member ? high : 0);
    const unsigned long long begin = static_cast<unsigned long long>(common) << 32;
    const unsigned int lanes = all / bytes;
    if (laneIndex() == leader)
      addSums(contextOf(unit)->profile, launchKey(), site, shared,
              {requests, all, cost - ideal, 32ull * requests - lanes,
               // Modulo 2^64: what a lane has counted for others may be added before what these have.
               shared ? 0 : 32ull * ideal - all, shared ? 0 : 0ull + all - places * bytes,
               begin + most + (bytes - 1), ~(begin + least)});
  }
}

}  // namespace backend
}  // namespace cui
#endif
