// Device side of profile mode, in the module: accesses of any lanes, without a rule, that are aligned to
// their sizes, which nearly all are. One straight piece of code, which asks the other lanes three times; what
// it does not take goes the general way (profile_lanes.h). Where lanes part again and again most accesses
// come here.
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
  bool leads;          ///< the calling lane is their lowest one, which adds
};
static __device__ __forceinline__ LaneTeam teamOf(unsigned int mask) {
  const unsigned int leader = lowestLane(mask), lane = laneIndex();
  return {mask, leader, static_cast<unsigned int>(__popc(mask)), (1u << lane) - 1, lane == leader};
}

/// Which of the team's lanes are the first with their number.
static __device__ __forceinline__ unsigned int firstsOf(const LaneTeam& team, unsigned int same) {
  return __ballot_sync(team.mask, (same & team.lower) == 0);
}

/// What an access of the team costs, which is aligned, of one site and space, and less than 2 GiB wide.
static __device__ __forceinline__ ProfileChange costOfTeam(const LaneTeam& team, unsigned long long address,
                                                           unsigned long long first, unsigned int bytes,
                                                           bool shared) {
  const unsigned int low = static_cast<unsigned int>(address);
  const unsigned int distance = low - static_cast<unsigned int>(first) + (1u << 31);
  const unsigned int farthest = maximumOf(team.mask, distance), nearest = ~maximumOf(team.mask, ~distance);
  // Words of shared memory, or sectors.
  const unsigned int firsts =
      firstsOf(team, __match_any_sync(team.mask, static_cast<unsigned int>(address >> (shared ? 2 : 5))));
  unsigned int cost = static_cast<unsigned int>(__popc(firsts)), places = team.count;
  if (shared | (cost != team.count)) {  // lanes in sectors of their own have bytes of their own
    const unsigned int same = __match_any_sync(team.mask, shared ? low >> 2 & 31u : low);
    places = static_cast<unsigned int>(__popc(firstsOf(team, same)));
    const unsigned int words = maximumOf(team.mask, static_cast<unsigned int>(__popc(same & firsts)));
    if (shared) cost = words;  // of one bank
  }
  const unsigned int all = team.count * bytes, useful = shared ? all : places * bytes;
  const unsigned int least = shared ? 1 : (useful + 31) / 32;
  const unsigned long long window = first - (1u << 31);
  return {all,
          cost - least,
          32 - team.count,
          shared ? 0 : static_cast<int>(32 * least - all),
          all - useful,
          window + nearest,
          window + farthest + bytes - 1};
}

/// Adds an access of the team; false if nothing was done, since it is not aligned, or its entry is another's.
/// Nothing is called: what does so saves registers wherever it is entered (recorder.h). `Whole`: it is all
/// lanes, each of which has a word of the entry; of others the one that leads has all of it.
template <bool Whole>
static __device__ __forceinline__ bool addAligned(const DeviceUnit& unit, const LaneTeam& team,
                                                  const LaneAccess& own) {
  const unsigned int key = own.key & ~modeBits, site = key >> keyShift, bytes = own.bytes;
  const bool shared = spaceOf(key) == format::Space::shared;
  const unsigned long long wanted = profileKey(launchKey(), site, shared);
  // First: it takes longest.
  EntryWord word = {};
  ProfileEntry* entry = nullptr;
  WordPair head = {};
  if (Whole) {
    word = loadEntryWord(unit, site);
  } else {
    entry = laneEntry(constantsOf(unit), team.leader, site);
    head = loadPair(&entry->key);
  }
  const bool ready = Whole ? (laneIndex() & 7u) != 0 || word.own == wanted
                           : (head.first == wanted) & ((head.second & profileLaneRequests) == 0);
  const unsigned long long first = __shfl_sync(team.mask, own.address, static_cast<int>(team.leader));
  const unsigned int common = __shfl_sync(team.mask, own.key, static_cast<int>(team.leader));
  // Shared memory serves words; of larger pieces not all lanes' at once. No branches until all is known.
  const unsigned int low = static_cast<unsigned int>(own.address);
  const bool hasForm = shared | (spaceOf(key) == format::Space::global);
  const bool aligned =
      ((bytes & (bytes - 1)) == 0) & (bytes <= (shared ? 4u : 32u)) & ((low & (bytes - 1)) == 0);
  const bool near = (own.address - first + (1u << 31)) >> 32 == 0;  // halves of addresses tell it from others
  if (!__all_sync(team.mask, (common == own.key) & hasForm & aligned & near & ready)) return false;

  if (Whole) {
    const ProfileChange change = costOfTeam(team, own.address, first, bytes, shared);
    storeOwn(word.place, addedTo(word.own, laneIndex() & 7u, change));
    return true;
  }
  // By all lanes, as that takes no branch; those that do not lead may read what it was before.
  const WordPair amounts = loadPair(&entry->bytes), ideal = loadPair(&entry->idealDelta),
                 bounds = loadPair(&entry->high);
  const ProfileChange change = costOfTeam(team, own.address, first, bytes, shared);
  addToWords(team.leads, entry, head, amounts, ideal, bounds, change);
  return true;
}

/// Accesses of one expression, one after the other as long as addAligned() takes them. Returns how many it
/// took.
template <bool Whole, unsigned Count>
static __device__ __forceinline__ unsigned int addEachAligned(const DeviceUnit& unit, unsigned int lanes,
                                                              const LaneAccesses<Count>& all) {
  const LaneTeam team = teamOf(Whole ? 0xffffffffu : lanes);
  unsigned int next = 0;
#pragma unroll 1
  while (next < Count && addAligned<Whole>(unit, team, accessOf(all.of, next))) ++next;
  return next;
}

}  // namespace backend
}  // namespace cui
#endif

namespace cui {
namespace backend {

/// Adds an access that follows no rule. `Whole`: of all lanes, which `mask` says, too.
template <bool Whole>
static __device__ __forceinline__ void addUnruly(const DeviceUnit& unit, unsigned int mask, unsigned int key,
                                                 unsigned long long address, unsigned int bytes) {
#if defined(CUI_RECORDER_MODULE)
  if (addAligned<Whole>(unit, teamOf(mask), {address, key, bytes})) return;
#endif
  profileLanes(unit, mask, key, address, bytes);
}

}  // namespace backend
}  // namespace cui
