// Device side of profile mode, in the module: accesses of any lanes, without a rule, that are aligned to
// their sizes, which nearly all are. One straight piece of code, in which a whole warp sorts its places and a
// part of one asks which lanes have the same; what it does not take goes the general way (profile_lanes.h).
// Where lanes part again and again most accesses come here.
#pragma once

#include "cuinstrument/backend/cuda/profile_lanes.h"
#include "cuinstrument/backend/cuda/whole_form.h"

#if defined(CUI_RECORDER_MODULE)
namespace cui {
namespace backend {

/// Lanes that account for what they access together.
struct LaneTeam {
  unsigned int mask, leader, count;
  unsigned int lower;  ///< the lanes below the calling one
};
static __device__ __forceinline__ LaneTeam teamOf(unsigned int mask) {
  const unsigned int lane = laneIndex();
  return {mask, lowestLane(mask), static_cast<unsigned int>(__popc(mask)), (1u << lane) - 1};
}

/// Which of the team's lanes are the first with their number.
static __device__ __forceinline__ unsigned int firstsOf(const LaneTeam& team, unsigned int same) {
  return __ballot_sync(team.mask, (same & team.lower) == 0);
}

/// Whether an aligned access lies in the 2^32 bytes from `window` on, in which no sector is divided.
static __device__ __forceinline__ bool isIn(unsigned long long window, unsigned long long address) {
  return (address - window) >> 32 == 0;
}

/// Distances of first and last byte from there.
struct TeamSpan {
  unsigned int nearest, farthest;
};
static __device__ __forceinline__ TeamSpan spanOf(const LaneTeam& team, unsigned int distance,
                                                  unsigned int bytes) {
  return {minimumOf(team.mask, distance), maximumOf(team.mask, distance) + bytes - 1};
}

/// What lanes ask for of aligned places, by the formulas of docs/metrics.md.
struct PlacesCost {
  unsigned int cost;    ///< sectors; of shared memory wavefronts
  unsigned int places;  ///< different ones; of shared memory anything
};

/// Of a whole warp, whose numbers of places are sorted first: 15 shuffles take a multiprocessor half as long
/// as asking once which lanes have the same number, if all are different, and say all that there is to know.
/// `distance`: from the window on.
static __device__ __forceinline__ PlacesCost costOfWarp(unsigned int distance, unsigned int low,
                                                        bool shared) {
  const unsigned int lane = laneIndex(), word = low & ~3u;
  // Banks in the highest five bits, what tells words of one bank below.
  unsigned int number = shared ? __funnelshift_r(word, word, 7) : distance;
#pragma unroll
  for (unsigned int length = 2; length <= 32; length *= 2) {
#pragma unroll
    for (unsigned int apart = length / 2; apart != 0; apart /= 2) {
      const unsigned int other = __shfl_xor_sync(0xffffffffu, number, apart);
      const bool takesLess = ((lane & length) == 0) == ((lane & apart) == 0);
      number = takesLess ? min(number, other) : max(number, other);
    }
  }
  const unsigned int before = __shfl_up_sync(0xffffffffu, number, 1);
  const unsigned int differs = lane == 0 ? ~0u : number ^ before;
  const unsigned int places = __ballot_sync(0xffffffffu, differs != 0);
  const unsigned int firsts = __ballot_sync(0xffffffffu, differs >= (shared ? 1u << 27 : 32));
  if (!shared) return {static_cast<unsigned int>(__popc(firsts)), static_cast<unsigned int>(__popc(places))};
  const unsigned int upToThis = (2u << lane) - 1;
  const unsigned int ofBank = upToThis & (~0u << highestLane(firsts & upToThis));
  return {maximumOf(0xffffffffu, static_cast<unsigned int>(__popc(places & ofBank))), 0};
}

/// Of a part of a warp.
static __device__ __forceinline__ PlacesCost costOfPart(const LaneTeam& team, unsigned int low, bool shared) {
  // Words of shared memory, or sectors. No two are 2^32 bytes apart.
  const unsigned int firsts = firstsOf(team, __match_any_sync(team.mask, low >> (shared ? 2 : 5)));
  const unsigned int cost = static_cast<unsigned int>(__popc(firsts));
  if (!shared & (cost == team.count))
    return {cost, cost};  // lanes in sectors of their own have bytes of their own
  const unsigned int same = __match_any_sync(team.mask, shared ? low >> 2 & 31u : low);
  const unsigned int places = static_cast<unsigned int>(__popc(firstsOf(team, same)));
  const unsigned int words = maximumOf(team.mask, static_cast<unsigned int>(__popc(same & firsts)));
  return {shared ? words : cost, places};
}

/// What an access of the team costs, which is aligned, and of one site and space; without its first and last
/// byte.
template <bool Whole>
static __device__ __forceinline__ ProfileChange costOfTeam(const LaneTeam& team, const LaneAccess& own,
                                                           unsigned int distance, bool isShared) {
  const bool shared = __any_sync(team.mask, isShared);  // the same in all of them: see addAccess()
  const unsigned int low = static_cast<unsigned int>(own.address);
  const PlacesCost found = Whole ? costOfWarp(distance, low, shared) : costOfPart(team, low, shared);
  const unsigned int all = team.count * own.bytes, useful = shared ? all : found.places * own.bytes;
  const unsigned int least = shared ? 1 : (useful + 31) / 32;
  return {all,
          found.cost - least,
          32 - team.count,
          shared ? 0 : static_cast<int>(32 * least - all),
          all - useful,
          0,
          0};
}

/// Whether an access can be one of costOfTeam()'s. Shared memory serves words; of larger pieces not all
/// lanes' at once.
static __device__ __forceinline__ bool isAligned(const LaneAccess& own) {
  const bool shared = spaceOf(own.key) == format::Space::shared;
  const bool hasForm = shared | (spaceOf(own.key) == format::Space::global);
  const unsigned int bytes = own.bytes, low = static_cast<unsigned int>(own.address);
  return hasForm & ((bytes & (bytes - 1)) == 0) & (bytes <= (shared ? 4u : 32u)) & ((low & (bytes - 1)) == 0);
}

// Both add an access of the team; false if nothing was done, since it is not aligned, or its entry is
// another's. Nothing is called: what does so saves registers wherever it is entered (recorder.h). No branches
// until all is known.
/// Of a whole warp, each of whose lanes has a word of the entry, and whose access wholeAccess() has asked
/// for.
static __device__ __forceinline__ bool addAligned(const LaneAccess& own, const WholeAccess& whole) {
  const LaneTeam team = teamOf(0xffffffffu);
  const unsigned int site = (own.key & ~modeBits) >> keyShift;
  const bool shared = spaceOf(own.key) == format::Space::shared;
  const bool ready = (laneIndex() & 7u) != 0 || whole.word.own == profileKey(launchKey(), site, shared);
  const unsigned long long window = windowAround(whole.first);
  const bool fits = whole.alike & isAligned(own) & isIn(window, own.address) & ready;
  if (!__all_sync(team.mask, fits)) return false;
  const unsigned int distance = static_cast<unsigned int>(own.address - window);
  const TeamSpan span = spanOf(team, distance, own.bytes);
  ProfileChange change = costOfTeam<true>(team, own, distance, shared);
  change.low = window + span.nearest;
  change.high = window + span.farthest;
  storeOwn(whole.word.place, addedTo(whole.word.own, laneIndex() & 7u, change));
  return true;
}
/// Of a part of a warp, whose lowest lane has the entry. All compute what it becomes, and store it: the same
/// words, which takes no branch.
static __device__ __forceinline__ bool addAligned(const DeviceUnit& unit, const LaneTeam& team,
                                                  const LaneAccess& own) {
  const unsigned int site = (own.key & ~modeBits) >> keyShift;
  const bool shared = spaceOf(own.key) == format::Space::shared;
  const RecorderConstants constants = constantsOf(unit);
  ProfileLaneEntry* const place = readable(constants, own.key, laneEntry(constants, team.leader, site));
  ProfileLaneEntry entry = loadLaneEntry(place);  // first: it takes longest
  const unsigned int common = __shfl_sync(team.mask, own.key, static_cast<int>(team.leader));
  const bool fits = (common == own.key) & ((own.key & warpSampleBit) == 0) & isAligned(own) &
                    isIn(entry.window, own.address) & isReady(entry, profileKey(launchKey(), site, shared));
  if (!__all_sync(team.mask, fits)) return false;
  const unsigned int distance = static_cast<unsigned int>(own.address - entry.window);
  const TeamSpan span = spanOf(team, distance, own.bytes);
  addToWords(entry, costOfTeam<false>(team, own, distance, shared), span.nearest, span.farthest);
  storeLaneEntryIf(true, place, entry);  // the same words in all lanes: no branch (storesAsOne)
  return true;
}

/// Where addAligned() has failed since the entry is another's, full, or for addresses far away: makes it one
/// that it takes. False if that was not why. By all lanes of the team.
static __device__ __forceinline__ bool beginEntry(const DeviceUnit& unit, const LaneTeam& team,
                                                  const LaneAccess& own) {
  const int leader = static_cast<int>(team.leader);
  const unsigned long long first = __shfl_sync(team.mask, own.address, leader);
  const bool fits = (__shfl_sync(team.mask, own.key, leader) == own.key) & isAligned(own) &
                    isIn(windowAround(first), own.address);
  if (!__all_sync(team.mask, fits)) return false;
  const DeviceContext* const context = contextOf(unit);
  const unsigned int site = (own.key & ~modeBits) >> keyShift;
  ProfileLaneEntry* const place = laneEntry(context->constants, team.leader, site);
  if (laneIndex() == team.leader) {
    moveToTable(context, loadLaneEntry(place));
    markNow(context->profileSlots.lanesUsed +
            (hardwareWarp(context->constants) * profilePlanes + lanePlane(site)));
    const bool shared = spaceOf(own.key) == format::Space::shared;
    storeLaneEntryIf(true, place, emptyLaneEntry(profileKey(launchKey(), site, shared), first));
  }
  __syncwarp(team.mask);
  return true;
}

/// Accesses of one expression from the one with number `next` on, in any other way (one_by_one.h).
template <unsigned Count>
__device__ __noinline__ void profileRest(const DeviceUnit& unit, LaneAccesses<Count> all, unsigned int next);

/// Accesses of one expression, one after the other. `Whole`: of all lanes.
template <bool Whole, unsigned Count>
static __device__ __forceinline__ void addEachAligned(const DeviceUnit& unit, unsigned int lanes,
                                                      const LaneAccesses<Count>& all) {
  const LaneTeam team = teamOf(Whole ? 0xffffffffu : lanes);
#pragma unroll 1
  for (unsigned int next = 0; next < Count; ++next) {
    const LaneAccess own = accessOf(all.of, next);
    if (Whole ? !addAligned(own, wholeAccess(unit, own)) : !addAligned(unit, team, own))
      return profileRest(unit, all, next);
  }
}

}  // namespace backend
}  // namespace cui
#endif
