// Device side of profile mode: the entries of the hardware's warp slots, which have what whole warps access.
// Each lane has a word of the entry, four have the same.
#pragma once

#include "cuinstrument/backend/cuda/profile_lane_sums.h"

namespace cui {
namespace backend {

/// Adds a word of an entry to the table's sums.
static __device__ __forceinline__ void addOldWord(ProfileSums* sums, unsigned int word,
                                                  unsigned long long value) {
  unsigned long long* const words = &sums->requests;
  if (word >= 1 && word < 6 && value != 0) addNow(words + (word < 4 ? word - 1 : word), value);
  if (word >= 6) raiseNow(words + word, value);
}

/// Moves to the table what entries of the warp slot held: `own` is this lane's word of one. Each eight lanes
/// have one.
static __device__ __forceinline__ void moveWords(const ProfileTable& table, unsigned long long own,
                                                 bool moves) {
  const unsigned int lane = laneIndex(), word = lane & 7u;
  const unsigned long long old = __shfl_sync(0xffffffffu, own, static_cast<int>(lane & ~7u));
  if (!moves || old == 0) return;
  const unsigned long long noted = notedLaunch(table, launchOf(old));
  addOldWord(tableSums(table, launchOf(old), siteOf(old), isShared(old)), word, own);
  noteInTable(table, launchOf(old), siteOf(old), noted, word == 0);
}
/// An entry that all lanes have replaced, as the last step.
CUI_OF_ANY_MODE
__device__ __noinline__ void moveEntry(const DeviceContext* context, unsigned long long own) {
  moveWords(context->profile, own, laneIndex() < 8);
}

/// What a lane's word of an entry becomes, by a change that so many requests make. Sums of masked values, not
/// a choice: nvcc makes a tree of branches of that.
static __device__ __forceinline__ unsigned long long addedTo(unsigned long long own, unsigned int word,
                                                             const ProfileChange& change,
                                                             unsigned int requests = 1) {
  const unsigned int narrow = (0u - (word == 1) & requests) | (0u - (word == 2) & change.bytes) |
                              (0u - (word == 3) & change.excess) |
                              (0u - (word == 4) & static_cast<unsigned int>(change.idealDelta)) |
                              (0u - (word == 5) & change.uselessBytes);
  const unsigned int wide = (0u - (word == 4) & static_cast<unsigned int>(change.idealDelta >> 31)) |
                            (0u - (word == 1) & change.idleLanes);
  const unsigned long long added = own + (static_cast<unsigned long long>(wide) << 32 | narrow);
  const unsigned long long bound = word == 6 ? change.high : ~change.low;
  return word < 6 ? added : own > bound ? own : bound;
}
/// What an access of a whole warp's lanes side by side costs: a sector more than it must where it is not
/// aligned.
static __device__ __forceinline__ ProfileChange costOfDense(unsigned long long first, unsigned int bytes,
                                                            bool shared) {
  return {32 * bytes, !shared & ((first & 31u) != 0) ? 1u : 0u, 0, 0, 0, first, first + 32 * bytes - 1};
}
/// What a lane's word of an entry becomes by an access of lanes side by side, which costs a sector more than
/// it must where it is not aligned.
static __device__ __forceinline__ unsigned long long addedDense(unsigned long long own, unsigned int word,
                                                                unsigned long long first, unsigned int bytes,
                                                                bool shared) {
  const unsigned int ones =
      1u << 1 | (!shared & ((first & 31u) != 0) ? 1u << 3 : 0u);  // of the words 1 and 3
  const unsigned int added = word == 2 ? 32 * bytes : ones >> word & 1u;
  const unsigned long long bound = word == 6 ? first + (32 * bytes - 1) : ~first;
  return word < 6 ? own + added : own > bound ? own : bound;
}

static __device__ __forceinline__ void storeOwn(unsigned long long* place, unsigned long long value) {
  asm volatile("st.global.u64 [%0], %1;" ::"l"(place), "l"(value) : "memory");
}
/// The calling lane's word of the warp slot's entry for the site.
static __device__ __forceinline__ unsigned long long* entryWord(const RecorderConstants& constants,
                                                                unsigned int site) {
  constexpr unsigned int all = profilePlanes * profileEntries;
  return &constants.profile[hardwareWarp(constants) * all + (site & (all - 1))].key + (laneIndex() & 7u);
}
/// Notes that the site's entry is in use. By as many lanes as there are: no branch.
static __device__ __forceinline__ void notePlane(const DeviceContext* context, unsigned int site) {
  markNow(context->profileSlots.planesUsed +
          (multiprocessorIndex() * profilePlanes + (site / profileEntries & (profilePlanes - 1))));
}

/// This lane's word of an empty entry for `key`.
static __device__ __forceinline__ unsigned long long emptyWord(unsigned long long key) {
  return (laneIndex() & 7u) == 0 ? key : 0;
}

/// Adds an access of a whole warp whose entry is another's.
CUI_OF_ANY_MODE
__device__ __noinline__ void addToAnother(const DeviceUnit& unit, unsigned int site, bool shared,
                                          ProfileChange change) {
  const ProfileTable table = contextOf(unit)->profile;  // first: it takes longest
  unsigned long long* const place = entryWord(constantsOf(unit), site);
  const unsigned long long old = loadOwn(place);
  notePlane(contextOf(unit), site);
  storeOwn(place, addedTo(emptyWord(profileKey(launchKey(), site, shared)), laneIndex() & 7u, change));
  moveWords(table, old, laneIndex() < 8);
}

/// The calling lane's word of the warp slot's entry for a site, as it was.
struct EntryWord {
  unsigned long long* place;
  unsigned long long own;
};
static __device__ __forceinline__ EntryWord loadEntryWord(const DeviceUnit& unit, unsigned int site) {
  unsigned long long* const place = entryWord(constantsOf(unit), site);
  return {place, loadOwn(place)};
}

/// Adds an access of a whole warp. Each lane has a word of the entry, four have the same: no lane needs to be
/// left out, which would take a branch. The last thing that a function does (recordSlowly() says why).
static __device__ __forceinline__ void addToLoaded(const DeviceUnit& unit, unsigned int site, bool shared,
                                                   const EntryWord& entry, const ProfileChange& change) {
  const unsigned int word = laneIndex() & 7u;
  const unsigned long long key = profileKey(launchKey(), site, shared);
  if (!__all_sync(0xffffffffu, word != 0 || entry.own == key))
    return addToAnother(unit, site, shared, change);
  storeOwn(entry.place, addedTo(entry.own, word, change));
}
/// An entry's place as far as it is to be read, before it is known whether all warps are recorded: where that
/// is not so there may be none, as in traces, and something else is read, and not used. A choice takes less
/// time than a branch.
template <class T>
static __device__ __forceinline__ T* readable(const RecorderConstants& constants, unsigned int keyAndMode,
                                              T* place) {
  return (keyAndMode & warpSampleBit) == 0 ? place : reinterpret_cast<T*>(constants.counters);
}

/// The calling lane's word of the entry for a whole warp's access.
static __device__ __forceinline__ EntryWord wordOf(const DeviceUnit& unit, const LaneAccess& own) {
  const RecorderConstants constants = constantsOf(unit);
  unsigned long long* const place = readable(constants, own.key, entryWord(constants, siteOfAccess(own.key)));
  return {place, loadOwn(place)};
}
/// Whether its site's accesses follow no rule, as far as is known. The same in all lanes.
static __device__ __forceinline__ bool isRuleless(const EntryWord& word, const LaneAccess& own) {
  const bool shared = spaceOf(own.key) == format::Space::shared;
  const unsigned long long key = rulelessKey(launchKey(), siteOfAccess(own.key), shared);
  return __any_sync(0xffffffffu, (laneIndex() & 7u) == 0 && word.own == key);
}
/// Notes that of an access's site, in its entry, or in the place of another's, whose sums move to the table.
/// By all lanes of a warp, as their last step.
CUI_OF_ANY_MODE
__device__ __noinline__ void claimRuleless(const DeviceUnit& unit, unsigned int accessKey) {
  const unsigned int site = siteOfAccess(accessKey);
  const ProfileTable table = contextOf(unit)->profile;  // first: it takes longest
  const EntryWord word = loadEntryWord(unit, site);
  const unsigned long long key = profileKey(launchKey(), site, spaceOf(accessKey) == format::Space::shared);
  const bool leads = (laneIndex() & 7u) == 0;
  if (__all_sync(0xffffffffu, !leads || (word.own & ~static_cast<unsigned long long>(rulelessBit)) == key))
    return storeOwn(word.place, leads ? key | rulelessBit : word.own);
  notePlane(contextOf(unit), site);
  storeOwn(word.place, emptyWord(key | rulelessBit));
  moveWords(table, word.own, laneIndex() < 8);
}

/// What a whole warp's access has to be asked for first, together: the calling lane's word of the entry, and
/// lane 0's address and whether all have its key, which lanes from other sites have not, and all warps are
/// recorded.
struct WholeAccess {
  EntryWord word;
  unsigned long long first;
  bool alike;
};
static __device__ __forceinline__ WholeAccess wholeAccess(const EntryWord& word, const LaneAccess& own) {
  const unsigned long long first = __shfl_sync(0xffffffffu, own.address, 0);
  const bool alike = (__shfl_sync(0xffffffffu, own.key, 0) == own.key) & ((own.key & warpSampleBit) == 0);
  return {word, first, alike};
}
/// What decides on a whole warp's access.
struct WholeAnswers {
  int stride;
  bool simple;    ///< lanes side by side
  bool ready;     ///< the entry is the access's
  bool follows;   ///< a rule, where `together`
  bool together;  ///< of one site and space, which there are formulas for
};
static __device__ __forceinline__ WholeAnswers answersOf(const LaneAccess& own, const WholeAccess& whole) {
  const unsigned int site = siteOfAccess(own.key), lane = laneIndex();
  const unsigned int first = static_cast<unsigned int>(whole.first);
  const bool shared = spaceOf(own.key) == format::Space::shared;
  const bool hasForm = shared | (spaceOf(own.key) == format::Space::global);
  WholeAnswers is;
  is.stride = static_cast<int>(__shfl_sync(0xffffffffu, static_cast<unsigned int>(own.address), 1) - first);
  is.together = whole.alike & hasForm;
  const long long offset = static_cast<long long>(is.stride) * static_cast<int>(lane);
  is.follows = is.together & (own.address == whole.first + static_cast<unsigned long long>(offset));
  const bool conflictFree = (own.bytes <= 4) & (own.bytes != 3) & ((first & 3u) == 0);
  is.simple = is.follows & (static_cast<unsigned int>(is.stride) == own.bytes) & (!shared | conflictFree);
  is.ready = (lane & 7u) != 0 || whole.word.own == profileKey(launchKey(), site, shared);
  return is;
}
/// Adds a simple one whose entry is ready.
static __device__ __forceinline__ void addSimple(const LaneAccess& own, const WholeAccess& whole) {
  const bool shared = spaceOf(own.key) == format::Space::shared;
  storeOwn(whole.word.place, addedDense(whole.word.own, laneIndex() & 7u, whole.first, own.bytes, shared));
}

static __device__ __forceinline__ void addToEntry(const DeviceUnit& unit, unsigned int site, bool shared,
                                                  const ProfileChange& change) {
  addToLoaded(unit, site, shared, loadEntryWord(unit, site), change);
}

/// Adds an access of `lanes`, which the calling lanes agree on; the change in pieces: a structure would be
/// passed in local memory. `siteAndShared`: site << 1, 1 for shared memory.
CUI_OF_ANY_MODE
__device__ __noinline__ void addToProfile(const DeviceUnit& unit, unsigned int lanes,
                                          unsigned int siteAndShared, unsigned int bytes, unsigned int excess,
                                          int idealDelta, unsigned int uselessBytes, unsigned long long low,
                                          unsigned long long high) {
  const unsigned int count = static_cast<unsigned int>(__popc(lanes)), site = siteAndShared >> 1;
  const bool shared = (siteAndShared & 1u) != 0;
  const ProfileChange change = {count * bytes, excess, 32 - count, idealDelta, uselessBytes, low, high};
  if (lanes == 0xffffffffu) return addToEntry(unit, site, shared, change);
  addToLane(contextOf(unit), constantsOf(unit), site, shared, laneIndex() == lowestLane(lanes), change);
}

}  // namespace backend
}  // namespace cui
