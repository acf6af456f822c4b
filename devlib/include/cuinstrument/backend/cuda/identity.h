// Device side: which launch, block, warp and access a lane is at, and the device's own count of accesses.
#pragma once

#include <cstddef>

#include "cuinstrument/backend/cuda/pool.h"
#include "cuinstrument/backend/cuda/ring.h"
#include "cuinstrument/backend/cuda/site.h"
#include "cuinstrument/format/record.h"

namespace cui {
namespace backend {

/// A member of a unit's state. Where the compiler does not know that it is constant memory, which has a cache
/// of its own, it is told so.
template <class T>
static __device__ __forceinline__ T loadConstant(const T& member) {
#if defined(CUI_RECORDER_MODULE)
  static_assert(sizeof(T) == 8 || sizeof(T) == 4, "one register or two");
  const std::size_t address = __cvta_generic_to_constant(&member);
  unsigned long long value;
  if (sizeof(T) == 8) {
    asm("ld.const.u64 %0, [%1];" : "=l"(value) : "l"(address));
  } else {
    unsigned int half;
    asm("ld.const.u32 %0, [%1];" : "=r"(half) : "l"(address));
    value = half;
  }
  return (T)value;
#else
  return member;
#endif
}
static __device__ __forceinline__ RecorderConstants constantsOf(const DeviceUnit& unit) {
  RecorderConstants constants;
  constants.cursors = loadConstant(unit.constants.cursors);
  constants.units = loadConstant(unit.constants.units);
  constants.counters = loadConstant(unit.constants.counters);
  constants.progress = loadConstant(unit.constants.progress);
  constants.warpsPerMultiprocessor = loadConstant(unit.constants.warpsPerMultiprocessor);
  constants.sharedBegin = loadConstant(unit.constants.sharedBegin);
  constants.zero = loadConstant(unit.constants.zero);
  constants.profile = loadConstant(unit.constants.profile);
  constants.profileLanes = loadConstant(unit.constants.profileLanes);
  constants.hostSlots = loadConstant(unit.constants.hostSlots);
  return constants;
}
static __device__ __forceinline__ DeviceContext* contextOf(const DeviceUnit& unit) {
  return loadConstant(unit.context);
}

static __device__ __forceinline__ unsigned int launchKey() {
  unsigned long long grid;
  asm("mov.u64 %0, %%gridid;" : "=l"(grid));
  return static_cast<unsigned int>(grid);
}

static __device__ __forceinline__ unsigned long long counterKey(unsigned int launch, unsigned int site) {
  return static_cast<unsigned long long>(launch) << 32 | static_cast<unsigned long long>(site) << 1 | 1u;
}
/// Where a launch's count of a site is looked for first: its sites lie side by side, launches (and replicas)
/// anywhere, so that neighbours in time do not meet. Eight blocks share a replica.
static __device__ __forceinline__ unsigned int counterSlot(unsigned int launch, unsigned int site,
                                                           unsigned int block) {
  const unsigned int replica = block / 8 % counterReplicas;
  return (((launch * counterReplicas + replica) * 0x9e3779b1u >> (32 - log2CounterTableSize)) + site) &
         (counterTableSize - 1);
}

/// Where it is looked for next, if another launch's is there: far from where that one's other sites are.
static __device__ __forceinline__ unsigned int otherCounterSlot(unsigned int slot) {
  return slot ^ counterTableSize / 2;
}

/// Where it is looked for in the `probe`-th place, from 0 to counterProbes - 1.
static __device__ __forceinline__ unsigned int probedCounterSlot(unsigned int slot, unsigned int probe) {
  return probe == 1 ? otherCounterSlot(slot) : (slot + probe) & (counterTableSize - 1);
}

/// Makes an entry that of `key`, for the lanes that ask for it. Nothing waits for it. What was taken for free
/// may be an old value from the cache, when two launches' entries meet: then two keys share the entry, which
/// the host sees by `inverse`.
static __device__ __forceinline__ void claimIf(bool claims, CounterKey* entry, unsigned long long key) {
  raiseIf(claims, &entry->key, key);
  raiseIf(claims, &entry->inverse, ~key);
}

/// Where the sums of `key` are; null if there is no room (counted).
CUI_OF_ANY_MODE
__device__ __noinline__ CounterSums* findCounter(DeviceContext* context, unsigned int mask,
                                                 unsigned int leader, unsigned long long key,
                                                 unsigned int slot) {
  const bool leads = laneIndex() == leader;
#pragma unroll 1
  for (unsigned int probe = 0; probe < counterProbes; ++probe) {
    const unsigned int at = probedCounterSlot(slot, probe);
    CounterKey* entry = context->constants.counters->keys + at;
    const unsigned long long found = __shfl_sync(mask, loadOwn(&entry->key), leader);
    claimIf(leads && found == 0, entry, key);
    if (found == 0 || found == key) return context->constants.counters->sums + at;
  }
  addIf(leads, &context->state.counterOverflow, 1ull);
  return nullptr;
}

/// Where the present launch's accesses at `site` are counted; null if there is no room.
static __device__ __forceinline__ CounterSums* counterOf(DeviceContext* context, unsigned int mask,
                                                         unsigned int leader, unsigned int site) {
  const unsigned long long key = counterKey(launchKey(), site);
  const unsigned int slot = counterSlot(launchKey(), site, linearBlock());
  if (__any_sync(mask, loadOwn(&context->constants.counters->keys[slot].key) != key))
    return findCounter(context, mask, leader, key, slot);
  return context->constants.counters->sums + slot;
}

/// Counts an access, which proves later that no record was lost.
static __device__ __forceinline__ void countAccess(DeviceContext* context, unsigned int mask,
                                                   unsigned int group, unsigned int site) {
  const unsigned int leader = lowestLane(group);
  CounterSums* const sums = counterOf(context, mask, leader, site);
  if (sums == nullptr) return;
  const bool leads = laneIndex() == leader;
  addIf(leads, &sums->requests, 1ull);
  addIf(leads && group != 0xffffffffu, &sums->idleLanes, 32ull - static_cast<unsigned int>(__popc(group)));
}

}  // namespace backend
}  // namespace cui
