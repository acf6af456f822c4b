// Device side of profile mode, in the module: accesses of any lanes, without a rule, that are aligned to
// their sizes, which nearly all are. One straight piece of code, in which a whole warp sorts its addresses
// and a part of one asks which lanes have the same; banks of shared memory are asked for bit by bit. What it
// does not take goes the general way (profile_lanes.h). Where lanes part again and again most accesses come
// here.
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

/// What lanes ask for of aligned places, by the formulas of docs/metrics.md.
struct PlacesCost {
  unsigned int cost;    ///< sectors; of shared memory wavefronts
  unsigned int places;  ///< different ones; of shared memory nothing
};

/// Of those of `lanes` that have the calling lane's `bit`, or have it not, as it does.
static __device__ __forceinline__ unsigned int withSameBit(const LaneTeam& team, unsigned int lanes,
                                                           unsigned int number, unsigned int bit) {
  const unsigned int set = __ballot_sync(team.mask, (number & bit) != 0);
  return lanes & ((number & bit) != 0 ? set : ~set);
}
/// Of shared memory: bit by bit, which lanes have the same bank, and then of these the same word. Words of an
/// array differ in a few bits more than their bank, and each takes a tenth of what it takes to sort.
static __device__ __forceinline__ unsigned int wavefrontsOf(const LaneTeam& team, unsigned int low) {
  constexpr unsigned int bankBits = 5;
  const unsigned int word = low >> 2;
  unsigned int sameBank = team.mask;
#pragma unroll
  for (unsigned int bit = 0; bit < bankBits; ++bit)
    sameBank = withSameBit(team, sameBank, word, askedAnew(1u << bit));  // or it is asked for twice
  const unsigned int leaders = __shfl_sync(team.mask, word, static_cast<int>(team.leader));
  unsigned int sameWord = sameBank;
#pragma unroll 1
  for (unsigned int differs = unionOf(team.mask, (word ^ leaders) >> bankBits << bankBits); differs != 0;
       differs &= differs - 1)
    sameWord = withSameBit(team, sameWord, word, differs & (0u - differs));
  const unsigned int firsts = firstsOf(team, sameWord);
  return maximumOf(team.mask, static_cast<unsigned int>(__popc(sameBank & firsts)));
}

/// Sectors of a whole warp, whose addresses are sorted first: 15 shuffles take a multiprocessor half as long
/// as asking once which lanes have the same number, if all are different, and say all that there is to know.
static __device__ __forceinline__ PlacesCost costOfWarp(unsigned int low) {
  const unsigned int lane = laneIndex();
  unsigned int number = low;  // no two places are 2^32 bytes apart
#pragma unroll
  for (unsigned int length = 2; length <= 32; length *= 2) {
    // Of two sorted halves the one is taken the other way round, so that it is always the lower lane that
    // takes the less: five predicates tell.
#pragma unroll
    for (unsigned int apart = length / 2; apart != 0; apart /= 2) {
      const unsigned int others = apart == length / 2 ? length - 1 : apart;
      const unsigned int other = __shfl_xor_sync(0xffffffffu, number, others);
      number = (lane & apart) == 0 ? min(number, other) : max(number, other);
    }
  }
  const unsigned int before = __shfl_up_sync(0xffffffffu, number, 1);
  const unsigned int differs = lane == 0 ? ~0u : number ^ before;
  const unsigned int places = __ballot_sync(0xffffffffu, differs != 0);
  const unsigned int firsts = __ballot_sync(0xffffffffu, differs >= 32);
  return {static_cast<unsigned int>(__popc(firsts)), static_cast<unsigned int>(__popc(places))};
}

/// Of a part of a warp.
static __device__ __forceinline__ PlacesCost costOfPart(const LaneTeam& team, unsigned int low) {
  const unsigned int firsts = firstsOf(team, __match_any_sync(team.mask, low >> 5));
  const unsigned int cost = static_cast<unsigned int>(__popc(firsts));
  if (cost == team.count) return {cost, cost};  // lanes in sectors of their own have bytes of their own
  return {cost, static_cast<unsigned int>(__popc(firstsOf(team, __match_any_sync(team.mask, low))))};
}

/// Whether an access can be one of a team entry's. Shared memory serves words; of larger pieces not all
/// lanes' at once.
static __device__ __forceinline__ bool isAligned(const LaneAccess& own) {
  const bool shared = spaceOf(own.key) == format::Space::shared;
  const bool hasForm = shared | (spaceOf(own.key) == format::Space::global);
  const unsigned int bytes = own.bytes, low = static_cast<unsigned int>(own.address);
  return hasForm & ((bytes & (bytes - 1)) == 0) & (bytes <= (shared ? 4u : 32u)) & ((low & (bytes - 1)) == 0);
}

static __device__ __forceinline__ ProfileTeamEntry loadTeamEntry(const ProfileLaneEntry* from) {
  const WordPair head = loadPair(&from->key),
                 rest = loadPair(reinterpret_cast<const unsigned long long*>(&from->bytes));
  return {head.first,           head.second,          lowHalf(rest.first),
          highHalf(rest.first), lowHalf(rest.second), highHalf(rest.second)};
}
/// What an access changes.
static __device__ __forceinline__ void storeTeamEntry(ProfileLaneEntry* to, const ProfileTeamEntry& entry) {
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(&to->bytes), "r"(entry.span),
               "r"(entry.requestsAndBytes), "r"(entry.costs), "r"(entry.places)
               : "memory");
}

/// Added to a distance from -middle on it makes a number without a sign.
constexpr unsigned int middle = 1u << 31;
/// Less than 2^31 bytes away, so that no two addresses are 2^32 bytes apart.
static __device__ __forceinline__ bool isNear(unsigned long long distance) {
  return highHalf(distance + middle) == 0;
}
/// Of an entry, so that also the last byte's distance has 32 bits.
constexpr unsigned int mostSpan = ~0u - 32;

/// Adds an access of the team, to its lowest lane's entry; false if nothing was done, since it is not
/// aligned, or the entry is another's, or for addresses far away. Nothing is called: what does so saves
/// registers wherever it is entered (recorder.h). No branches until all is known. All lanes compute what the
/// entry becomes, and store it: the same words, which takes no branch. `Whole`: it is all of a warp.
template <bool Whole>
static __device__ __forceinline__ bool addTeam(const DeviceUnit& unit, const LaneTeam& team,
                                               const LaneAccess& own) {
  const RecorderConstants constants = constantsOf(unit);
  const unsigned int site = siteOfAccess(own.key), low = static_cast<unsigned int>(own.address);
  ProfileLaneEntry* const place = readable(constants, own.key, laneEntry(constants, team.leader, site));
  ProfileTeamEntry entry = loadTeamEntry(place);  // first: it takes longest
  const unsigned int common = __shfl_sync(team.mask, own.key, static_cast<int>(team.leader));
  // Size and space are those of an entry that was begun for them.
  const bool sameKind = (common == own.key) & (entry.key == teamKey(launchKey(), own.key)) &
                        (own.bytes <= 32) & ((low & (own.bytes - 1)) == 0);
  const bool hasRoom = entry.requestsAndBytes - (own.bytes << 16) < profileTeamRequests;
  const unsigned long long distance = own.address - entry.low;
  if (!__all_sync(team.mask, sameKind & hasRoom & isNear(distance))) return false;
  if (__any_sync(team.mask, distance > entry.span)) {
    const unsigned int before = middle - min(minimumOf(team.mask, lowHalf(distance) + middle), middle);
    const unsigned int farthest = max(maximumOf(team.mask, lowHalf(distance) + middle), middle) - middle;
    const unsigned int span = max(entry.span, farthest);
    if (__any_sync(team.mask, span > mostSpan - before)) return false;
    entry.low -= before;
    entry.span = span + before;
    storeOwn(reinterpret_cast<unsigned long long*>(place) + 1, entry.low);
  }
  const bool shared = __any_sync(team.mask, spaceOf(own.key) == format::Space::shared);  // see addAccess()
  const PlacesCost found = shared  ? PlacesCost{wavefrontsOf(team, low), 0}
                           : Whole ? costOfWarp(low)
                                   : costOfPart(team, low);
  const unsigned int least = shared ? 1 : (found.places * own.bytes + 31) / 32;
  entry.requestsAndBytes += 1;
  entry.costs += found.cost + (least << 16);
  entry.places += found.places + (team.count << 16);
  storeTeamEntry(place, entry);
  return true;
}

/// Where addTeam() has failed since the entry is another's, full, or for addresses far away: makes it one
/// that takes the access. False if that was not why. By all lanes of the team.
static __device__ __forceinline__ bool beginEntry(const DeviceUnit& unit, const LaneTeam& team,
                                                  const LaneAccess& own) {
  const int leader = static_cast<int>(team.leader);
  const unsigned long long first = __shfl_sync(team.mask, own.address, leader);
  const bool fits =
      (__shfl_sync(team.mask, own.key, leader) == own.key) & isAligned(own) & isNear(own.address - first);
  if (!__all_sync(team.mask, fits)) return false;
  const DeviceContext* const context = contextOf(unit);
  const unsigned int site = siteOfAccess(own.key);
  ProfileLaneEntry* const place = laneEntry(context->constants, team.leader, site);
  if (laneIndex() == team.leader) {
    moveToTable(context, loadLaneEntry(place));
    markNow(context->profileSlots.lanesUsed +
            (hardwareWarp(context->constants) * profilePlanes + lanePlane(site)));
    const unsigned long long key = teamKey(launchKey(), own.key);
    asm volatile("st.global.v2.u64 [%0], {%1, %2};" ::"l"(place), "l"(key), "l"(first) : "memory");
    storeTeamEntry(place, {key, first, 0, own.bytes << 16, 0, 0});
  }
  __syncwarp(team.mask);
  return true;
}

/// Accesses of one expression from the one with number `next` on, in any other way (one_by_one.h).
template <unsigned Count>
__device__ __noinline__ void profileRest(const DeviceUnit& unit, LaneAccesses<Count> all, unsigned int next);

/// Adds an access, of a whole warp if it is simple or without a rule; false if nothing was done.
template <bool Whole>
static __device__ __forceinline__ bool addShort(const DeviceUnit& unit, const LaneTeam& team,
                                                const LaneAccess& own) {
  if (Whole) {
    const EntryWord word = wordOf(unit, own);
    if (!isRuleless(word, own)) {
      const WholeAccess whole = wholeAccess(word, own);
      const WholeAnswers is = answersOf(own, whole);
      if (!__all_sync(0xffffffffu, is.simple & is.ready)) return false;
      addSimple(own, whole);
      return true;
    }
  }
  return addTeam<Whole>(unit, team, own);
}

/// Accesses of one expression, one after the other. `Whole`: of all lanes.
template <bool Whole, unsigned Count>
static __device__ __forceinline__ void addEachShort(const DeviceUnit& unit, unsigned int lanes,
                                                    const LaneAccesses<Count>& all) {
  const LaneTeam team = teamOf(Whole ? 0xffffffffu : lanes);
#pragma unroll 1
  for (unsigned int next = 0; next < Count; ++next)
    if (!addShort<Whole>(unit, team, accessOf(all.of, next))) return profileRest(unit, all, next);
}

}  // namespace backend
}  // namespace cui
#endif
