// Device side: where the record that lanes are about to make goes and is counted, whether that place is
// ready, and taking it: the short ways of recorder.h, together.h and loop.h begin and end so.
//
// In the module all lanes do what their leader had to do, where that takes no more than a store: ADR 0018.
#pragma once

#include "cuinstrument/backend/cuda/general.h"

namespace cui {
namespace backend {

/// Whether all lanes look at their leader's cursor, and store what becomes of it and the record: the same
/// words, which takes no branch and, at the end of a function, no meeting of lanes behind one. Otherwise each
/// looks at its own, so that whole warps see to all lanes' chunks early (slotsWanted()): that is for code in
/// which an atomic lets lanes part, which is not so in the module, but on GPUs for which its machine code
/// stays as it is (cli/compile/yields.h).
#if defined(CUI_RECORDER_MODULE) && __CUDA_ARCH__ < 1000
constexpr bool storesAsOne = true;
#else
constexpr bool storesAsOne = false;
#endif

/// The leading lane's count; in front of what all lanes do, for the branch that ptxas makes of it.
template <bool Whole>
static __device__ __forceinline__ void countIf(bool leads, unsigned int mask, CounterSums* sums) {
  if (Whole)
    asm volatile(
        "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %1, 0;\n\t@p red.global.add.u64 [%0], 1;\n\t}" ::"l"(sums),
        "r"(leads ? 1u : 0u)
        : "memory");
  else
    asm volatile(
        "{\n\t.reg .pred p;\n\tsetp.eq.u32 p, %2, 0;\n\t@p bra DONE;\n\t"
        "red.global.add.u64 [%0], 1;\n\tred.global.add.u64 [%0 + 8], %1;\nDONE:\n\t}" ::"l"(sums),
        "l"(static_cast<unsigned long long>(32 - __popc(mask))), "r"(leads ? 1u : 0u)
        : "memory");
}
/// The record, and the cursor behind it. One piece of assembly, so that there is one predicate.
static __device__ __forceinline__ void commit(bool leads, const format::WarpRecord& record,
                                              unsigned char* slot, Cursor* cursor, Cursor next) {
  const unsigned int* words = reinterpret_cast<const unsigned int*>(&record);
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %12, 0;\n\t"
      "@p st.global.v4.u32 [%0], {%1, %2, %3, %4};\n\t"
      "@p st.global.v4.u32 [%0 + 16], {%5, %6, %7, %8};\n\t"
      "@p st.global.v2.u32 [%9], {%10, %11};\n\t}" ::"l"(slot),
      "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3]), "r"(words[4]), "r"(words[5]), "r"(words[6]),
      "r"(words[7]), "l"(cursor), "r"(next.next), "r"(next.roomAndLap), "r"(storesAsOne || leads ? 1u : 0u)
      : "memory");
}

/// Where the count of a new launch's site or room in a chunk is missing: sees to both, as far as it can, for
/// a record of `slots` slots. Called by all lanes of `mask`.
CUI_OF_MODES
__device__ __noinline__ void makeReady(DeviceContext* context, unsigned int mask, unsigned int site,
                                       unsigned int slots) {
  const unsigned int leader = lowestLane(mask);
  counterOf(context, mask, leader, site);
  tellProgress(context, mask, leader);
  replenish(context, mask, leader, slots, ownCursor(context->constants));
}

/// Where a record goes and is counted, as read from memory.
struct Place {
  Cursor* cursor;               ///< the leader's (storesAsOne), or the calling lane's
  Cursor own;                   ///< what it says
  unsigned long long counting;  ///< the key that is at `counter`
  unsigned int counter, launch;
};
/// `Last`: nobody looks again, who could also look at the other slot.
template <bool Last>
static __device__ __forceinline__ Place findPlace(const RecorderConstants& constants, unsigned int site,
                                                  unsigned int leader) {
  Place place;
  place.cursor = cursorOf(constants, storesAsOne ? leader : laneIndex());
  place.own = loadCursor(place.cursor);
  place.launch = launchKey();
  place.counter = counterSlot(place.launch, site, linearBlock());
  place.counting = loadOwn(&constants.counters->keys[place.counter].key);
  if (Last) {
    const unsigned int other = otherCounterSlot(place.counter);
    const unsigned long long there = loadOwn(&constants.counters->keys[other].key);
    if (place.counting != 0 && place.counting != counterKey(place.launch, site))
      place.counter = other, place.counting = there;
  }
  return place;
}

/// Whether a record of `slots` slots can go to the place, as far as the calling lane knows: its chunk has
/// room, its counter is known or free, and it has nothing to tell before (lane 0, which leads whole warps,
/// never has).
static __device__ __forceinline__ bool isReadyHere(const Place& place, unsigned int mask, unsigned int site,
                                                   unsigned int slots) {
  const bool counts =
      (place.counting == counterKey(place.launch, site)) | (claimsAtOnce & (place.counting == 0));
  if (storesAsOne)
    return counts & (roomOf(place.own) >= slots) & (mask == 0xffffffffu || !isUntold(place.own));
  return counts & (roomOf(place.own) >= slotsWanted(mask, laneIndex(), lowestLane(mask), slots)) &
         (mask == 0xffffffffu || laneIndex() != lowestLane(mask) || !isUntold(place.own));
}
static __device__ __forceinline__ bool isReady(const Place& place, unsigned int mask, unsigned int site,
                                               unsigned int slots) {
  return __all_sync(mask, isReadyHere(place, mask, site, slots));
}

/// A word of `Place::own`, as the leader has it.
static __device__ __forceinline__ unsigned int ofLeader(unsigned int mask, unsigned int word) {
  return storesAsOne ? word : __shfl_sync(mask, word, lowestLane(mask));
}

/// Whether a lane of `mask` is to take its place for its counts, as a launch's first record at a site does.
static __device__ __forceinline__ bool mustClaim(const Place& place, unsigned int mask) {
  return claimsAtOnce && __any_sync(mask, place.counting == 0);
}

/// The calling lane takes its place, if it `counts` a record and nobody has it.
static __device__ __forceinline__ void claimEach(bool counts, const RecorderConstants& constants,
                                                 const Place& place, unsigned int site) {
  claimIf(counts && place.counting == 0, constants.counters->keys + place.counter,
          counterKey(place.launch, site));
}

/// Writes the header, and what goes with it.
template <bool Whole>
static __device__ __forceinline__ void emitAt(const DeviceUnit& unit, const Place& place, unsigned int mask,
                                              const RecordHead& head, unsigned int slots, bool claims) {
  const RecorderConstants constants = constantsOf(unit);
  const bool leads = laneIndex() == lowestLane(mask);
  if (claims) claimEach(leads, constants, place, head.site);
  countIf<Whole>(leads, mask, constants.counters->sums + place.counter);
  commit(leads, accessHeader(head, place.launch, lapOf(place.own)), slotAt(constants, place.own.next),
         place.cursor, Cursor{place.own.next + slots, place.own.roomAndLap - slots});
}

}  // namespace backend
}  // namespace cui
