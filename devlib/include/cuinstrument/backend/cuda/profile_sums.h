// Device side of profile mode: where totals are kept (device_state.h: ProfileEntry, ProfileTable), and adding
// to them. What whole warps do is added up in their warp slot, what parts of warps do in their lowest lane's
// entries; both move to the table by `red`, which no lane waits for, when another launch or site needs the
// place. An entry's place is computed, not looked for.
#pragma once

#include "cuinstrument/backend/cuda/identity.h"

namespace cui {
namespace backend {

/// What one access adds besides its being one.
struct ProfileChange {
  unsigned int bytes, excess, idleLanes;
  int idealDelta;
  unsigned int uselessBytes;
  unsigned long long low, high;  ///< first and last byte
};

// Without predicates, for use behind a branch that comes together again at once: ptxas makes a branch of
// every predicated `red`. No call may be in there (ring.h).
static __device__ __forceinline__ void addNow(unsigned long long* word, unsigned long long value) {
  asm volatile("red.global.add.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}
static __device__ __forceinline__ void raiseNow(unsigned long long* word, unsigned long long value) {
  asm volatile("red.global.max.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}
static __device__ __forceinline__ void markNow(unsigned char* byte) {
  asm volatile("st.global.u8 [%0], %1;" ::"l"(byte), "r"(1u) : "memory");
}

/// Number of the replica of a launch's row that the calling warp adds to.
static __device__ __forceinline__ unsigned int tablePiece(const ProfileTable& table, unsigned int launch) {
  const bool spread = gridDim.x * gridDim.y * gridDim.z > table.replicaMask * 4;
  const unsigned int replica = spread ? multiprocessorIndex() & table.replicaMask : 0;
  return (launch & table.rowMask) * (table.replicaMask + 1) + replica;
}
/// The table's sums of a launch and site; to be followed by noteInTable().
static __device__ __forceinline__ ProfileSums* tableSums(const ProfileTable& table, unsigned int launch,
                                                         unsigned int site, bool shared) {
  const unsigned long long pieces =
      static_cast<unsigned long long>(tablePiece(table, launch)) * table.siteCount + site;
  return table.sums + (pieces * 2 + (shared ? 1 : 0));
}
/// Which launch is known to have added to them, as noteInTable() takes it. To be asked for first: it is
/// waited for.
static __device__ __forceinline__ unsigned long long notedLaunch(const ProfileTable& table,
                                                                 unsigned int launch) {
  return loadOwn(&table.owners[tablePiece(table, launch)].launch);
}
/// Notes, for the lane that `leads`, that the table has sums of a launch and site.
static __device__ __forceinline__ void noteInTable(const ProfileTable& table, unsigned int launch,
                                                   unsigned int site, unsigned long long noted, bool leads) {
  if (!leads) return;
  markNow(table.used + ((launch & table.rowMask) * table.siteCount + site));
  const unsigned long long own = 1ull << 32 | launch;
  if (noted == own) return;
  ProfileOwner* const owner = table.owners + tablePiece(table, launch);
  raiseNow(&owner->launch, own);
  raiseNow(&owner->inverse, 1ull << 32 | ~launch);
}

/// Two neighbouring words of an entry.
struct WordPair {
  unsigned long long first, second;
};
static __device__ __forceinline__ WordPair loadPair(const unsigned long long* from) {
  WordPair pair;
  asm volatile("ld.global.v2.u64 {%0, %1}, [%2];"
               : "=l"(pair.first), "=l"(pair.second)
               : "l"(from)
               : "memory");
  return pair;
}

// The parts of a profileKey().
static __device__ __forceinline__ unsigned int launchOf(unsigned long long key) {
  return static_cast<unsigned int>(key >> 32);
}
static __device__ __forceinline__ unsigned int siteOf(unsigned long long key) {
  return static_cast<unsigned int>(key) >> 2;
}
static __device__ __forceinline__ bool isShared(unsigned long long key) {
  return (key & 2u) != 0;
}

/// The plane of the lanes' entries that a site's are in.
static __device__ __forceinline__ unsigned int lanePlane(unsigned int site) {
  return site / profileLaneEntries & (profilePlanes - 1);
}
/// The entry of a lane of the calling warp for the site.
static __device__ __forceinline__ ProfileLaneEntry* laneEntry(const RecorderConstants& constants,
                                                              unsigned int lane, unsigned int site) {
  const unsigned int plane = hardwareWarp(constants) * profilePlanes + lanePlane(site);
  return constants.profileLanes +
         ((plane * 32 + lane) * profileLaneEntries + (site & (profileLaneEntries - 1)));
}

static __device__ __forceinline__ unsigned int lowHalf(unsigned long long word) {
  return static_cast<unsigned int>(word);
}
static __device__ __forceinline__ unsigned int highHalf(unsigned long long word) {
  return static_cast<unsigned int>(word >> 32);
}
static __device__ __forceinline__ unsigned long long fromHalves(unsigned int low, unsigned int high) {
  return static_cast<unsigned long long>(high) << 32 | low;
}
static_assert(offsetof(ProfileLaneEntry, requests) == 8 && offsetof(ProfileLaneEntry, bytes) == 16 &&
                  offsetof(ProfileLaneEntry, idealDelta) == 24 && offsetof(ProfileLaneEntry, window) == 32 &&
                  offsetof(ProfileLaneEntry, nearest) == 40,
              "it is loaded and stored as pairs of words");
static __device__ __forceinline__ ProfileLaneEntry loadLaneEntry(const ProfileLaneEntry* from) {
  const WordPair head = loadPair(&from->key), window = loadPair(&from->window),
                 costs = loadPair(reinterpret_cast<const unsigned long long*>(&from->bytes));
  return {head.first,
          lowHalf(head.second),
          highHalf(head.second),
          lowHalf(costs.first),
          highHalf(costs.first),
          static_cast<int>(lowHalf(costs.second)),
          highHalf(costs.second),
          window.first,
          lowHalf(window.second),
          highHalf(window.second)};
}
/// As commit(): one piece, so that there is one predicate.
static __device__ __forceinline__ void storeLaneEntryIf(bool writes, ProfileLaneEntry* to,
                                                        const ProfileLaneEntry& entry) {
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %7, 0;\n\t"
      "@p st.global.v2.u64 [%0], {%1, %2};\n\t@p st.global.v2.u64 [%0 + 16], {%3, %4};\n\t"
      "@p st.global.v2.u64 [%0 + 32], {%5, %6};\n\t}" ::"l"(to),
      "l"(entry.key), "l"(fromHalves(entry.requests, entry.idleLanes)),
      "l"(fromHalves(entry.bytes, entry.excess)),
      "l"(fromHalves(static_cast<unsigned int>(entry.idealDelta), entry.uselessBytes)), "l"(entry.window),
      "l"(fromHalves(entry.nearest, entry.farthest)), "r"(writes ? 1u : 0u)
      : "memory");
}

/// Where 2^32 bytes begin that lie on both sides of an address. No sector reaches out of them.
static __device__ __forceinline__ unsigned long long windowAround(unsigned long long address) {
  return (address & ~31ull) - (1u << 31);
}
/// An entry without accesses, for addresses on both sides of this one.
static __device__ __forceinline__ ProfileLaneEntry emptyLaneEntry(unsigned long long key,
                                                                  unsigned long long address) {
  return {key, 0, 0, 0, 0, 0, 0, windowAround(address), ~0u, 0};
}
/// Whether it is that of `key`, and can take another access.
static __device__ __forceinline__ bool isReady(const ProfileLaneEntry& entry, unsigned long long key) {
  return (entry.key == key) & (entry.requests < profileLaneRequests);
}
/// Adds an access to what an entry has, whose bytes have these distances.
static __device__ __forceinline__ void addToWords(ProfileLaneEntry& entry, const ProfileChange& change,
                                                  unsigned int nearest, unsigned int farthest) {
  entry.requests += 1;
  entry.idleLanes += change.idleLanes;
  entry.bytes += change.bytes;
  entry.excess += change.excess;
  entry.idealDelta += change.idealDelta;
  entry.uselessBytes += change.uselessBytes;
  entry.nearest = min(entry.nearest, nearest);
  entry.farthest = max(entry.farthest, farthest);
}

/// Adds to the table's sums of a launch and site, by one lane.
static __device__ __forceinline__ void addSums(const ProfileTable& table, unsigned int launch,
                                               unsigned int site, bool shared, const ProfileSums& sums) {
  noteInTable(table, launch, site, notedLaunch(table, launch), true);
  ProfileSums* const to = tableSums(table, launch, site, shared);
  addNow(&to->requests, sums.requests);
  addNow(&to->bytes, sums.bytes);
  addNow(&to->excess, sums.excess);
  addNow(&to->idleLanes, sums.idleLanes);
  addNow(&to->idealDelta, sums.idealDelta);
  addNow(&to->uselessBytes, sums.uselessBytes);
  raiseNow(&to->high, sums.high);
  raiseNow(&to->inverseLow, sums.inverseLow);
}
/// The same of what a lane's entry holds.
static __device__ __forceinline__ void moveToTable(const DeviceContext* context,
                                                   const ProfileLaneEntry& entry) {
  if (entry.key != 0)
    addSums(context->profile, launchOf(entry.key), siteOf(entry.key), isShared(entry.key), sumsOf(entry));
}

/// The sums of one access.
static __device__ __forceinline__ ProfileSums sumsOf(const ProfileChange& change) {
  return {1,
          change.bytes,
          change.excess,
          change.idleLanes,
          static_cast<unsigned long long>(static_cast<long long>(change.idealDelta)),
          change.uselessBytes,
          change.high,
          ~change.low};
}

#if defined(CUI_FEW_REGISTERS)
// The same for the lanes that ask for it, with registers of their own: called by all, as no call may be in a
// leader's branch (ring.h).
CUI_OF_ANY_MODE
__device__ __noinline__ void moveIf(const DeviceContext* context, const ProfileLaneEntry* entry, bool moves) {
  if (moves) moveToTable(context, loadLaneEntry(entry));
}
CUI_OF_ANY_MODE
__device__ __noinline__ void addSumsIf(const DeviceContext* context, unsigned int site, bool shared,
                                       ProfileChange change, bool adds) {
  if (adds) addSums(context->profile, launchKey(), site, shared, sumsOf(change));
}
#endif

/// Adds an access of part of a warp: the lane that `leads` does, in its own entry, or in the table if it is
/// too wide for any.
static __device__ __forceinline__ void addToLane(const DeviceContext* context,
                                                 const RecorderConstants& constants, unsigned int site,
                                                 bool shared, bool leads, const ProfileChange& change) {
#if !defined(CUI_FEW_REGISTERS)
  if (!leads) return;
#endif
  constexpr unsigned int mostDistance = ~0u, mostBytes = 1u << 30;
  ProfileLaneEntry* const place = laneEntry(constants, laneIndex(), site);
  ProfileLaneEntry entry = loadLaneEntry(place);
  const unsigned long long key = profileKey(launchKey(), site, shared);
  const bool isWide = change.high - change.low >= mostDistance / 2;
  const bool fits = isReady(entry, key) & (entry.bytes < mostBytes) & (change.low >= entry.window) &
                    (change.high - entry.window <= mostDistance);
  const bool moves = leads & !fits & !isWide;
#if defined(CUI_FEW_REGISTERS)
  moveIf(context, place, moves);
  addSumsIf(context, site, shared, change, leads & isWide);
  if (!leads | isWide) return;
  entry = loadLaneEntry(place);
#else
  if (moves) moveToTable(context, entry);
  if (isWide) return addSums(context->profile, launchKey(), site, shared, sumsOf(change));
#endif
  if (moves) {
    markNow(context->profileSlots.lanesUsed + (hardwareWarp(constants) * profilePlanes + lanePlane(site)));
    entry = emptyLaneEntry(key, change.low);
  }
  addToWords(entry, change, lowHalf(change.low - entry.window), lowHalf(change.high - entry.window));
  storeLaneEntryIf(true, place, entry);
}

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
  markNow(context->profileSlots.planesUsed + (site / profileEntries & (profilePlanes - 1)));
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

/// What a whole warp's access has to be asked for first, together: the calling lane's word of the entry, and
/// lane 0's address and whether all have its key, which lanes from other sites have not, and all warps are
/// recorded.
struct WholeAccess {
  EntryWord word;
  unsigned long long first;
  bool alike;
};
static __device__ __forceinline__ WholeAccess wholeAccess(const DeviceUnit& unit, const LaneAccess& own) {
  const RecorderConstants constants = constantsOf(unit);
  unsigned long long* const place =
      readable(constants, own.key, entryWord(constants, (own.key & ~modeBits) >> keyShift));
  const EntryWord word = {place, loadOwn(place)};  // it takes longest
  const unsigned long long first = __shfl_sync(0xffffffffu, own.address, 0);
  const bool alike = (__shfl_sync(0xffffffffu, own.key, 0) == own.key) & ((own.key & warpSampleBit) == 0);
  return {word, first, alike};
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
