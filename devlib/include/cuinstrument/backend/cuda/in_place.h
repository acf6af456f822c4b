// Device side of traces, in the module: what kernels call that write the records of their loops themselves
// (cli/compile/in_place_kernels.h). There each lane has its chunk in registers, and how many records it
// took part in and led at each site: nothing in memory is asked for or changed but the records. A lane's
// cursor in memory says meanwhile that the chunk is held: nobody else finds room in it, also if the warp is
// moved to another slot.
#pragma once

#include "cuinstrument/backend/cuda/recorder.h"
#include "cuinstrument/format/held_chunk.h"

#if defined(CUI_RECORDER_MODULE)
namespace cui {
namespace backend {

static_assert(offsetof(DeviceUnit, constants) + offsetof(RecorderConstants, units) == format::poolAt,
              "kernels that write records know it");

/// The calling lane's chunk, of which its cursor says `own`, if its records may go there one behind the
/// other: one of the pool, with nothing to tell in front of them.
static __device__ __forceinline__ unsigned long long holdChunk(Cursor* cursor, Cursor own) {
  const unsigned int room = roomOf(own), lap = lapOf(own), large = own.roomAndLap & largeBit;
  const bool holds = (room >= format::mostHeldSlots) & !isOfHost(own) & !isHeld(own) & !isUntold(own);
  storeCursorIf(holds, cursor, Cursor{own.next + room, lap << lapShift | heldBit | large});
  const unsigned int above = (large != 0 ? format::heldLarge : 0) | room << format::heldRoomShift | lap;
  return holds ? static_cast<unsigned long long>(above) << 32 | own.next : 0;
}

/// The calling lanes' cursors once what they hold has been given back: nothing, where the upper half of
/// `held` is 0. A chunk that was held in another warp slot, before the warp was moved, is not used any
/// further.
static __device__ __forceinline__ Cursor takeBack(const DeviceUnit& unit, unsigned int mask, Cursor* cursor,
                                                  unsigned long long held) {
  const unsigned int next = static_cast<unsigned int>(held), above = static_cast<unsigned int>(held >> 32);
  const unsigned int room = above >> format::heldRoomShift, lap = above & (format::heldLarge - 1);
  const Cursor before = {next, room | ((above & format::heldLarge) != 0 ? largeBit : 0) | lap << lapShift};
  Cursor now = loadCursor(cursor);
  const bool holds = above != 0, here = isHeld(now) & (now.next == next + room);
  if (holds & here) now = Cursor{next, before.roomAndLap | (now.roomAndLap & untoldBit)};
  storeCursorIf(holds & here, cursor, now);
  if (!__any_sync(mask, holds & !here)) return now;
  writtenBefore();  // a chunk's records before their number
  noteUsedIf(holds & !here, contextOf(unit), before);
  return now;
}

CUI_OF_ANY_MODE
__device__ __noinline__ void putChunkBack(const DeviceUnit& unit, unsigned long long held) {
  takeBack(unit, __activemask(), ownCursor(constantsOf(unit)), held);
}

/// Whether lanes' chunks are to be large: of a sample's blocks, as long as the pool has more than half of
/// its chunks to give.
static __device__ __forceinline__ bool givesLarge(const DeviceUnit& unit) {
  const DeviceContext* const context = contextOf(unit);
  return unit.recordedBlocks < format::allBlocks && loadOwn(&context->pool.tail) < context->poolUnits / 2;
}

/// What the calling lanes hold from here on: chunks with room for any record that a kernel writes, and for
/// `slots` where the lane leads, as far as the pool has some. In a sample's blocks that lane gets a large
/// one.
CUI_OF_ANY_MODE
__device__ __noinline__ unsigned long long holdAnew(const DeviceUnit& unit, unsigned long long held,
                                                    unsigned int slots) {
  const unsigned int mask = __activemask();
  Cursor* const cursor = ownCursor(constantsOf(unit));
  Cursor own = takeBack(unit, mask, cursor, held);
  const bool large = __any_sync(mask, givesLarge(unit)), leads = laneIndex() == lowestLane(mask);
  constexpr unsigned int least = format::mostHeldSlots;
  const bool needs =
      (roomOf(own) < (leads && slots > least ? slots : least)) | (large & leads & !isLarge(own));
  if (__any_sync(mask, needs)) own = takeChunks(contextOf(unit), mask, cursor, own, needs, false, large);
  return holdChunk(cursor, own);
}

/// Where the requests at the site of its key are counted, for each of the calling warp's first `count` lanes;
/// 0: nowhere, or it is none of these.
CUI_OF_ANY_MODE
__device__ __noinline__ unsigned long long findCounts(const DeviceUnit& unit, unsigned int key,
                                                      unsigned int count) {
  constexpr unsigned int mask = 0xffffffffu;
  unsigned long long own = 0;
#pragma unroll 1
  for (unsigned int i = 0; i < count; ++i) {
    const unsigned int site = siteOfAccess(__shfl_sync(mask, key, static_cast<int>(i)));
    const CounterSums* const sums = counterOf(contextOf(unit), mask, 0, site);
    if (laneIndex() == i && sums != nullptr) own = reinterpret_cast<unsigned long long>(&sums->requests);
  }
  return own;
}

/// What lanes that are a warp's have counted at a site of that key.
struct SiteCount {
  unsigned int key, requests, accesses;
};

/// Of the lanes of `mask` together, each of which has `counted` so much.
static __device__ __forceinline__ SiteCount sumOfCounts(unsigned int mask, unsigned int key,
                                                        unsigned int counted) {
  const unsigned int accesses = sumOf(mask, counted & ((1u << format::ledShift) - 1));
  return {key, sumOf(mask, counted >> format::ledShift), accesses};
}

/// Adds each calling lane's, of whichever site, all at once.
static __device__ __forceinline__ void addCounts(const DeviceUnit& unit, unsigned int mask, SiteCount own) {
  DeviceContext* const context = contextOf(unit);
  CounterTable* const table = context->constants.counters;
  const unsigned int launch = launchKey(), site = siteOfAccess(own.key);
  const unsigned long long key = counterKey(launch, site);
  const unsigned int slot = counterSlot(launch, site, linearBlock());
  CounterSums* sums = nullptr;
  bool lacks = own.requests != 0;
#pragma unroll 1
  for (unsigned int probe = 0; probe < counterProbes && __any_sync(mask, lacks); ++probe) {
    const unsigned int at = probedCounterSlot(slot, probe);
    const unsigned long long found = loadOwn(&table->keys[at].key);
    claimIf(lacks && found == 0, &table->keys[at], key);
    if (lacks && (found == 0 || found == key)) {
      sums = &table->sums[at];
      lacks = false;
    }
  }
  addIf(lacks, &context->state.counterOverflow, 1ull);
  addIf(sums != nullptr, &sums->requests, own.requests);
  addIf(sums != nullptr, &sums->idleLanes, 32ull * own.requests - own.accesses);
}

/// Adds what the calling lanes have counted at their sites to the device's own counts. Lanes from several
/// sites can have met here.
CUI_OF_ANY_MODE
__device__ __noinline__ void addCounted(const DeviceUnit& unit, unsigned int key, unsigned int counted) {
  const unsigned int mask = __activemask();
  SiteCount own = {};
#pragma unroll 1
  for (unsigned int rest = __ballot_sync(mask, counted != 0); rest != 0;) {
    const LanesAlike site = takeAlike(mask, rest, counted != 0, key);
    const SiteCount all = sumOfCounts(mask, site.word, site.member ? counted : 0);
    if (laneIndex() == site.leader) own = all;
  }
  addCounts(unit, mask, own);
}

/// Adds what the calling lanes have counted at `sites` sites, behind which stand these sites' keys, beyond
/// the unit's first one. Each site's is added by another lane: one after the other they took a microsecond
/// each.
static __device__ __forceinline__ void addCountsOfSites(const DeviceUnit& unit, unsigned int mask,
                                                        const unsigned int* counts, unsigned int sites) {
  const unsigned int lanes = __popc(mask), rank = __popc(mask & ((1u << laneIndex()) - 1));
#pragma unroll 1
  for (unsigned int first = 0; first < sites; first += lanes) {
    SiteCount own = {};
#pragma unroll 1
    for (unsigned int i = 0; i < lanes && first + i < sites; ++i) {
      const unsigned int key = unit.firstKey + counts[sites + first + i];
      const SiteCount all = sumOfCounts(mask, key, counts[first + i]);
      if (rank == i) own = all;
    }
    addCounts(unit, mask, own);
  }
}

/// Where the kernel ends for the calling lanes: what they hold, and what they have counted
/// (addCountsOfSites()).
CUI_OF_ANY_MODE
__device__ __noinline__ void endInPlace(const DeviceUnit& unit, unsigned long long held,
                                        const unsigned int* counts, unsigned int sites) {
  const unsigned int mask = __activemask();
  takeBack(unit, mask, ownCursor(constantsOf(unit)), held);
  addCountsOfSites(unit, mask, counts, sites);
}

/// An access that the kernel does not write: nothing is held that has room, as the pool has none; no room for
/// another count; or places that are too far apart. Returns what they hold from here on.
CUI_OF_MODES
__device__ __noinline__ unsigned long long recordAndHold(const DeviceUnit& unit, unsigned int key,
                                                         unsigned long long address, unsigned int bytes,
                                                         unsigned long long held, unsigned int counted) {
  const unsigned int mask = __activemask();
  putChunkBack(unit, held);
  addCounted(unit, key, counted);
  __syncwarp(mask);
  // Now, or the next records would find too little room again: a kernel asks for the most that one takes.
  const unsigned int leaders = __shfl_sync(mask, key, static_cast<int>(lowestLane(mask)));
  CUI_SLOW_PATH(makeReady)(contextOf(unit), mask, siteOfAccess(leaders), format::mostHeldSlots);
  recordWarp(unit, key, address, bytes);
  __syncwarp(mask);  // all lanes store what becomes of their leader's cursor (place.h)
  Cursor* const cursor = ownCursor(constantsOf(unit));
  return holdChunk(cursor, loadCursor(cursor));
}

}  // namespace backend
}  // namespace cui
#endif
