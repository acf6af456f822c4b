// Device side of profile mode: the entries of lanes, which have what parts of warps access: each part adds to
// its lowest lane's.
#pragma once

#include "cuinstrument/backend/cuda/profile_sums.h"

namespace cui {
namespace backend {

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

/// The same of what a lane's entry holds.
static __device__ __forceinline__ void moveToTable(const DeviceContext* context,
                                                   const ProfileLaneEntry& entry) {
  if (entry.key != 0)
    addSums(context->profile, launchOf(entry.key), siteOf(entry.key), isShared(entry.key), sumsOf(entry));
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

}  // namespace backend
}  // namespace cui
