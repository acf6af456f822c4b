// Device side: which launch, block, warp and access a lane is at, and the device's own count of accesses.
#pragma once

#include "cuinstrument/backend/cuda/device_state.h"
#include "cuinstrument/backend/cuda/pool.h"
#include "cuinstrument/backend/cuda/ring.h"
#include "cuinstrument/format/record.h"

namespace cui {
namespace backend {

/// A lane's access as a record describes it.
struct LaneAddress {
  unsigned long long address;
  unsigned int space;
};

/// Shared addresses become offsets in the block's shared window, counted after what the system reserves,
/// so that they start at 0 as on the CPU backend.
static __device__ __forceinline__ unsigned int sharedOffset(const RecorderConstants& constants,
                                                            const void* pointer) {
  return static_cast<unsigned int>(__cvta_generic_to_shared(pointer)) - constants.sharedBegin;
}

/// At the site itself: there the compiler often knows the space, and nothing is left of this.
static __device__ __forceinline__ LaneAddress classify(const RecorderConstants& constants,
                                                       const volatile void* pointer) {
  // By way of an int, at a distance that is 0, but not to the compiler: a byte of a class that is asked for
  // its space directly becomes the class in cicc 12 and 13, which then refuses its own code.
  const void* p = static_cast<const int*>(const_cast<const void*>(pointer)) + constants.zero;
  // All questions are asked before any answer is used: no branches.
  const bool shared = __isShared(p), local = __isLocal(p), global = __isGlobal(p);
  const bool constant = __isConstant(p) | __isGridConstant(p);
  LaneAddress result;
  result.address = shared ? sharedOffset(constants, const_cast<const void*>(pointer))
                          : reinterpret_cast<unsigned long long>(pointer);
  // Generic is another block's shared memory in a cluster.
  const format::Space space = shared     ? format::Space::shared
                              : local    ? format::Space::local
                              : constant ? format::Space::constant
                              : global   ? format::Space::global
                                         : format::Space::generic;
  result.space = static_cast<unsigned int>(space);
  return result;
}

static __device__ __forceinline__ format::Space spaceOf(unsigned int key) {
  return static_cast<format::Space>(key & ((1u << keyShift) - 1));
}

static __device__ __forceinline__ unsigned int launchKey() {
  unsigned long long grid;
  asm("mov.u64 %0, %%gridid;" : "=l"(grid));
  return static_cast<unsigned int>(grid);
}
static __device__ __forceinline__ unsigned int linearBlock() {
  return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}
static __device__ __forceinline__ unsigned int linearThread() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

/// Whether what the calling thread does is recorded now, as far as that is the same in its whole block.
static __device__ __forceinline__ bool isOn(const DeviceUnit& unit) {
  if (__builtin_expect(unit.context == nullptr, 1)) return false;
  return unit.sampleLimit == ~0u || format::isSampled(linearBlock(), unit.sampleLimit);
}

static __device__ __forceinline__ bool isSampledWarp(const DeviceContext* context) {
  return format::isSampled(format::warpNumber(linearBlock(), linearThread() / 32), context->warpSampleLimit);
}

/// Lanes in a row of a block that is narrower than a warp, if that is a power of two; 32 otherwise.
static __device__ __forceinline__ unsigned int rowWidth() {
  // Volatile: or nvcc computes what follows from it for all accesses, also those of wide blocks.
  unsigned int width;
  asm volatile("mov.u32 %0, %%ntid.x;" : "=r"(width));
  return width < 32 && (width & (width - 1)) == 0 ? width : 32;
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

/// Where the sums of `key` are; null if there is no room (counted). A zero may be an old one from the cache,
/// when two launches' entries meet: then two keys share the entry, which the host sees by `inverse`.
template <int = 0>
__device__ __noinline__ CounterSums* findCounter(DeviceContext* context, unsigned int mask,
                                                 unsigned int leader, unsigned long long key,
                                                 unsigned int slot) {
  const bool leads = laneIndex() == leader;
#pragma unroll 1
  for (unsigned int probe = 0; probe < counterProbes; ++probe) {
    const unsigned int at = (slot + probe) & (counterTableSize - 1);
    CounterKey* entry = context->constants.counters->keys + at;
    const unsigned long long found = __shfl_sync(mask, loadOwn(&entry->key), leader);
    if (found == 0) {
      raiseIf(leads, &entry->key, key);
      raiseIf(leads, &entry->inverse, ~key);
    }
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
