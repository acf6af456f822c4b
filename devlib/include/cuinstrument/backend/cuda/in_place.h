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
  const unsigned int room = roomOf(own), lap = lapOf(own);
  const bool holds = (room != 0) & !isOfHost(own) & !isHeld(own) & !isUntold(own);
  storeCursorIf(holds, cursor, Cursor{own.next + room, lap << lapShift | heldBit});
  const unsigned int above = room << format::heldRoomShift | lap;
  return holds ? static_cast<unsigned long long>(above) << 32 | own.next : 0;
}

/// The calling lanes' cursors once what they hold has been given back: nothing, where the upper half of
/// `held` is 0. A chunk that was held in another warp slot, before the warp was moved, is not used any
/// further.
static __device__ __forceinline__ Cursor takeBack(const DeviceUnit& unit, unsigned int mask, Cursor* cursor,
                                                  unsigned long long held) {
  const unsigned int lane = laneIndex();
  const unsigned int next = static_cast<unsigned int>(held), above = static_cast<unsigned int>(held >> 32);
  const unsigned int room = above >> format::heldRoomShift, lap = above & ((1u << format::heldRoomShift) - 1);
  Cursor now = loadCursor(cursor);
  const bool holds = above != 0, here = isHeld(now) & (now.next == next + room);
  if (holds & here) now = Cursor{next, room | (now.roomAndLap & untoldBit) | lap << lapShift};
  storeCursorIf(holds & here, cursor, now);
  if (!__any_sync(mask, holds & !here)) return now;
  writtenBefore();  // a chunk's records before their number
  storeByteIf(holds & !here, contextOf(unit)->unitUsed + ((next + room) / unitSlots - chunkUnits(lane)),
              chunkUnits(lane) * unitSlots - room);
  return now;
}

CUI_OF_ANY_MODE
__device__ __noinline__ void putChunkBack(const DeviceUnit& unit, unsigned long long held) {
  takeBack(unit, __activemask(), ownCursor(constantsOf(unit)), held);
}

/// What the calling lanes hold from here on: chunks with room for any record that a kernel writes, as far as
/// the pool has some.
CUI_OF_ANY_MODE
__device__ __noinline__ unsigned long long holdAnew(const DeviceUnit& unit, unsigned long long held) {
  const unsigned int mask = __activemask();
  Cursor* const cursor = ownCursor(constantsOf(unit));
  Cursor own = takeBack(unit, mask, cursor, held);
  const bool needs = roomOf(own) < format::mostHeldSlots;
  if (__any_sync(mask, needs)) own = takeChunks(contextOf(unit), mask, cursor, own, needs, false);
  return holdChunk(cursor, own);
}

/// Adds what the calling lanes have counted at their sites to the device's own counts. Lanes from several
/// sites can have met here.
CUI_OF_ANY_MODE
__device__ __noinline__ void addCounted(const DeviceUnit& unit, unsigned int key, unsigned int counted) {
  const unsigned int mask = __activemask();
#pragma unroll 1
  for (unsigned int rest = __ballot_sync(mask, counted != 0); rest != 0;) {
    const unsigned int leader = lowestLane(rest);
    const unsigned int common = __shfl_sync(mask, key, static_cast<int>(leader));
    const bool member = counted != 0 && key == common;
    rest &= ~__ballot_sync(mask, member);
    const unsigned int accesses = sumOf(mask, member ? counted & ((1u << format::ledShift) - 1) : 0);
    const unsigned int requests = sumOf(mask, member ? counted >> format::ledShift : 0);
    CounterSums* const sums = counterOf(contextOf(unit), mask, leader, siteOfAccess(common));
    if (sums == nullptr) continue;
    addIf(laneIndex() == leader, &sums->requests, requests);
    addIf(laneIndex() == leader, &sums->idleLanes, 32ull * requests - accesses);
  }
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
