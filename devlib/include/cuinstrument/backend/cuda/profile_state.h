// What profile mode keeps in device memory: entries of the hardware's warp slots and of their lanes, and the
// table of totals. Plain data, as device_state.h, which includes this.
#pragma once

#include <cstddef>

#include "cuinstrument/format/access_key.h"
#include "cuinstrument/format/profile.h"
#include "cuinstrument/format/record.h"

namespace cui {
namespace backend {

using format::keyShift;
using format::modeBits;
using format::profileBit;
using format::timeBit;
using format::warpSampleBit;
CUI_FORMAT_HD constexpr unsigned siteOfAccess(unsigned key) {
  return (key & ~modeBits) >> keyShift;
}

using format::ProfileSums;

/// ProfileSums of accesses of whole warps in one of the hardware's warp slots, with its key in place of
/// idleLanes (always 0), in front. Additions need no atomic operation there, and nothing is contended for:
/// only one warp is in the slot, and it is in one place. Sites that share an entry drive each other out, into
/// the table.
struct alignas(64) ProfileEntry {
  unsigned long long key;  ///< profileKey() or rulelessKey(); 0: none
  unsigned long long requests;
  unsigned long long bytes, excess;
  unsigned long long idealDelta, uselessBytes;
  unsigned long long high, inverseLow;
};
// Several planes of them, of which the host looks at those that are in use: few kernels have more sites than
// one plane has entries, and where sites share one each access drives the other's out.
constexpr unsigned profilePlanes = 4;
constexpr unsigned profileEntries = 16;  ///< of a warp slot, in a plane
/// Likewise of accesses of a part of a warp, by its lowest lane, which is in one place, too. In halves of
/// words, and addresses as their distances from where they can begin: three loads have all of it. It goes to
/// the table before one of them is too small.
struct alignas(64) ProfileLaneEntry {
  unsigned long long key;  ///< profileKey(); 0: none
  unsigned int requests, idleLanes;
  unsigned int bytes, excess;
  int idealDelta;
  unsigned int uselessBytes;
  unsigned long long window;       ///< the address whose distance is 0
  unsigned int nearest, farthest;  ///< distances of the first byte and of the last
};
constexpr unsigned profileLaneEntries = 4;  ///< of a lane, in a plane
/// As many fit in the entries of lanes.
constexpr unsigned profileLaneRequests = 1u << 16;
/// In the place of such an entry: of aligned accesses without a rule, of whole warps and of parts, all of one
/// size (profile_aligned.h). Two loads have all of it, one store what an access changes. What they cost is
/// kept as it is asked for, two numbers of at most 32 in each word: it becomes ProfileSums where it is moved.
struct alignas(64) ProfileTeamEntry {
  unsigned long long key;         ///< teamKey()
  unsigned long long low;         ///< the lowest address
  unsigned int span;              ///< the highest address's distance from there
  unsigned int requestsAndBytes;  ///< requests | bytes of each lane << 16
  unsigned int costs;             ///< sectors, of shared memory wavefronts | the fewest there could be << 16
  unsigned int places;            ///< different ones, of memory that has sectors | lanes << 16
};
constexpr unsigned profileTeamRequests = 2047;  ///< as many fit

CUI_FORMAT_HD constexpr unsigned long long profileKey(unsigned launch, unsigned site, bool shared) {
  return static_cast<unsigned long long>(launch) << 32 | site << 2 | (shared ? 2u : 0u) | 1u;
}
/// In the place of a profileKey() of a warp slot's entry: what whole warps access there has followed no rule,
/// and was added to the entry of a team. So the next access is not looked at for rules first.
constexpr unsigned int rulelessBit = 1u << 29;
static_assert((rulelessBit & modeBits) != 0, "siteOf() leaves it out");
CUI_FORMAT_HD constexpr unsigned long long rulelessKey(unsigned launch, unsigned site, bool shared) {
  return profileKey(launch, site, shared) | rulelessBit;
}
/// Of an access with this key, whose mode no profileKey() has.
CUI_FORMAT_HD constexpr unsigned long long teamKey(unsigned launch, unsigned accessKey) {
  return static_cast<unsigned long long>(launch) << 32 | accessKey | profileBit;
}
CUI_FORMAT_HD constexpr bool isTeamKey(unsigned long long key) {
  return (key & profileBit) != 0;
}
// The parts of either.
CUI_FORMAT_HD constexpr unsigned launchOf(unsigned long long key) {
  return static_cast<unsigned>(key >> 32);
}
CUI_FORMAT_HD constexpr unsigned siteOf(unsigned long long key) {
  const unsigned low = static_cast<unsigned>(key);
  return isTeamKey(key) ? siteOfAccess(low) : (low & ~modeBits) >> 2;
}
CUI_FORMAT_HD constexpr bool isShared(unsigned long long key) {
  constexpr unsigned space = static_cast<unsigned>(format::Space::shared);
  return isTeamKey(key) ? (key & ((1u << keyShift) - 1)) == space : (key & 2u) != 0;
}

/// What an entry holds.
CUI_FORMAT_HD constexpr ProfileSums sumsOf(const ProfileEntry& entry) {
  return {entry.requests,   entry.bytes,        entry.excess, 0,
          entry.idealDelta, entry.uselessBytes, entry.high,   entry.inverseLow};
}
/// What lies in the place of a lane's entry, as one of a lane's: in few registers, which who moves it has.
CUI_FORMAT_HD constexpr ProfileLaneEntry asLaneEntry(const ProfileLaneEntry& entry) {
  if (!isTeamKey(entry.key)) return entry;
  const ProfileTeamEntry team = {entry.key,
                                 static_cast<unsigned long long>(entry.idleLanes) << 32 | entry.requests,
                                 entry.bytes,
                                 entry.excess,
                                 static_cast<unsigned>(entry.idealDelta),
                                 entry.uselessBytes};
  const unsigned requests = team.requestsAndBytes & 0xffffu, bytes = team.requestsAndBytes >> 16;
  const unsigned cost = team.costs & 0xffffu, least = team.costs >> 16;
  const unsigned lanes = team.places >> 16, all = lanes * bytes;
  const bool shared = isShared(entry.key);
  return {entry.key,
          requests,
          32 * requests - lanes,
          all,
          cost - least,
          shared ? 0 : static_cast<int>(32 * least - all),
          shared ? 0 : all - (team.places & 0xffffu) * bytes,
          team.low,
          0,
          team.span + (bytes - 1)};
}
CUI_FORMAT_HD constexpr ProfileSums sumsOf(const ProfileLaneEntry& entry) {
  const ProfileLaneEntry of = asLaneEntry(entry);
  return {of.requests,
          of.bytes,
          of.excess,
          of.idleLanes,
          static_cast<unsigned long long>(static_cast<long long>(of.idealDelta)),
          of.uselessBytes,
          of.window + of.farthest,
          ~(of.window + of.nearest)};
}
static_assert(offsetof(ProfileTeamEntry, low) == offsetof(ProfileLaneEntry, requests) &&
                  offsetof(ProfileTeamEntry, span) == offsetof(ProfileLaneEntry, bytes) &&
                  offsetof(ProfileTeamEntry, costs) == offsetof(ProfileLaneEntry, idealDelta) &&
                  sizeof(ProfileTeamEntry) == sizeof(ProfileLaneEntry),
              "one lies in the place of the other");

/// Beside RecorderConstants::profile.
struct alignas(16) ProfileSlots {
  unsigned char* lanesUsed;   ///< [warp slots][planes]: whether its profileLanes hold anything
  unsigned char* planesUsed;  ///< [multiprocessors][planes]: whether its entries there do; behind lanesUsed
};
/// Which launch has used a replica of a row: 2^32 | launch and 2^32 | ~launch, or the maxima of several,
/// which then do not belong together.
struct ProfileOwner {
  unsigned long long launch, inverse;
};
/// The sums of launches: [rows][replicas][siteCount][2]. A launch's row is its number modulo rows. Large
/// grids are spread over the replicas, by multiprocessor: one address takes 1.35 G additions/s.
struct alignas(16) ProfileTable {
  ProfileSums* sums;
  ProfileOwner* owners;  ///< [rows][replicas]
  unsigned char* used;   ///< [rows][siteCount]
  unsigned int siteCount;
  unsigned int rowMask;      ///< rows - 1; rows is a power of two
  unsigned int replicaMask;  ///< replicas - 1; likewise
  unsigned int unused;
};

// Which launches rows of the grid account for (row_site.h), as device and host agree on it.
/// Blocks whose warps are rows, or have several whole ones, without idle lanes; others' warps are asked one
/// by one. Without branches: nvcc takes its time over each.
CUI_FORMAT_HD constexpr bool hasWholeWarps(unsigned width, unsigned threads) {
  return ((threads & 31u) == 0) & (((width & 31u) == 0) | ((width & (width - 1)) == 0));
}
/// In a shorter row the others do not have to do more than the warp that accounts for them, and do it at
/// once.
constexpr unsigned fewestBlocksOfRow = 8;

}  // namespace backend
}  // namespace cui
