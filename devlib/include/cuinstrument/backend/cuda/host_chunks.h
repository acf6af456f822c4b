// Device side: chunks in pinned host memory, which lanes take once the pool is used up (host/abi.h:
// CuiChunks).
//
// A lane fills such a chunk as one of the pool's and hands it over when it has another: the host reads it,
// clears it and puts its number into the queue of free chunks. Chunks come back in any order, so none waits
// for another warp's. Several thousand records of one warp after the other cost the bus what they are long,
// and the host a few nanoseconds each; through the ring each of them is looked for on its own.
//
// No chunk is free: a lane with room left goes on in its own. One without hands its chunk over first, so that
// what it waits for may be that; then it waits as long as chunks become free at all, and else its records
// take the ring. A warp that others wait for is thus never held up for good by chunks that they have. All of
// this is called only where a chunk has to be replaced; ring.h says how lanes stay together.
#pragma once

#include "cuinstrument/backend/cuda/pool.h"
#include "cuinstrument/format/chunks.h"

namespace cui {
namespace backend {

/// Without a chunk that became free for so long, the ring is better.
constexpr unsigned long long longestStallNs = 100000000;

static __device__ __forceinline__ unsigned int queueMask(const HostChunks& chunks) {
  return (1u << chunks.log2QueueSize) - 1;
}

/// Hands over the chunks of the lanes that give one `up`. Called by all lanes of `mask`.
CUI_OF_ANY_MODE
__device__ __noinline__ void handOver(DeviceContext* context, unsigned int mask, Cursor own, bool up) {
  HostChunks& chunks = context->hostChunks;
  const unsigned int lanes = __ballot_sync(mask, up);
  if (lanes == 0) return;
  __threadfence_system();  // the records before the word that tells of them
  const unsigned long long first = addAsOne(mask, lowestLane(mask), &chunks.full, __popc(lanes));
  const unsigned long long ticket = first + __popc(lanes & ((1u << laneIndex()) - 1));
  storeIf(up, chunks.fullQueue + (ticket & queueMask(chunks)),
          format::fullChunkWord(hostChunkOf(own), format::chunkSlots - roomOf(own), ticket,
                                chunks.log2QueueSize));
}

/// A word that other warps change, as the leader sees it.
static __device__ __forceinline__ long long availableAsOne(const HostChunks& chunks, unsigned int mask,
                                                           unsigned int leader) {
  return static_cast<long long>(
      readAsOne(mask, leader, reinterpret_cast<const unsigned long long*>(&chunks.available)));
}
static __device__ __forceinline__ long long addAvailable(HostChunks& chunks, unsigned int mask,
                                                         unsigned int leader, long long count) {
  return static_cast<long long>(addAsOne(mask, leader,
                                         reinterpret_cast<unsigned long long*>(&chunks.available),
                                         static_cast<unsigned long long>(count)));
}

/// Asks the host how many have become free. One warp of the device at a time reads across the bus, as in
/// refreshConsumed(); the others see what it finds.
CUI_OF_ANY_MODE
__device__ __noinline__ void refreshFreed(HostChunks& chunks, unsigned int mask, unsigned int leader) {
  if (__any_sync(mask, *const_cast<volatile unsigned int*>(&chunks.polling) != 0) ||
      exchangeAsOne(mask, leader, &chunks.polling, 1u) != 0)
    return;
  const unsigned long long known = readAsOne(mask, leader, &chunks.cachedFreed);
  const unsigned long long freed = __shfl_sync(mask, *chunks.freed, leader);
  if (freed != known) {
    addAvailable(chunks, mask, leader, static_cast<long long>(freed - known));
    storeIf(laneIndex() == leader, &chunks.cachedFreed, freed);
    __threadfence();
  }
  exchangeAsOne(mask, leader, &chunks.polling, 0u);
}

/// Tickets for `count` free chunks, if as many and `kept` more are known to be free. Counted down before they
/// are taken, so that no warp gets the ticket of one that is not free yet, and no warp has to try again
/// because another one came first.
CUI_OF_ANY_MODE
__device__ __noinline__ unsigned long long takeFree(HostChunks& chunks, unsigned int mask,
                                                    unsigned int leader, unsigned int count,
                                                    unsigned int kept) {
  const long long wanted = static_cast<long long>(count) + kept;
  if (availableAsOne(chunks, mask, leader) < wanted) return noTicket;
  if (addAvailable(chunks, mask, leader, -static_cast<long long>(count)) >= wanted)
    return addAsOne(mask, leader, &chunks.taken, count);
  addAvailable(chunks, mask, leader, count);
  return noTicket;
}

/// The same after the host has been asked, and, if a lane `waits`, after a wait.
CUI_OF_ANY_MODE
__device__ __noinline__ unsigned long long awaitFree(DeviceContext* context, unsigned int mask,
                                                     unsigned int leader, unsigned int count,
                                                     unsigned int kept, bool waits) {
  HostChunks& chunks = context->hostChunks;
  const unsigned long long begin = nanoseconds();
  const unsigned long long longest = context->waitNs < longestStallNs ? context->waitNs : longestStallNs;
  unsigned long long known = readAsOne(mask, leader, &chunks.cachedFreed), knownSince = begin;
  unsigned int pause = 500;
  for (;;) {
    refreshFreed(chunks, mask, leader);
    const unsigned long long ticket = takeFree(chunks, mask, leader, count, kept);
    if (ticket != noTicket || !waits) return ticket;
    const unsigned long long freed = readAsOne(mask, leader, &chunks.cachedFreed);
    if (readAsOne(mask, leader, &chunks.stalledAt) == freed + 1) return noTicket;  // others have waited
    const unsigned long long now = __shfl_sync(mask, nanoseconds(), leader);
    if (freed != known) {
      known = freed;
      knownSince = now;
    }
    // `begin` is not the same in lanes that came apart, which must leave together all the same.
    if (__any_sync(mask, now - begin >= context->waitNs)) return noTicket;
    if (__any_sync(mask, now - knownSince >= longest)) {
      storeIf(laneIndex() == leader, &chunks.stalledAt, freed + 1);
      return noTicket;
    }
    pauseFor(pause);
    if (pause < 64000) pause *= 2;  // thousands of warps may wait here
  }
}

template <int>
__device__ Cursor takeHostChunks(DeviceContext* context, unsigned int mask, Cursor* cursor, Cursor own,
                                 bool needs, bool spent) {
  HostChunks& chunks = context->hostChunks;
  if (chunks.count == 0) return own;
  const unsigned int lane = laneIndex();
  const bool gone = spent && hasHostChunk(own);
  handOver(context, mask, own, gone);
  if (gone) own = Cursor{hostSlot, beside(own)};
  storeCursorIf(gone, cursor, own);

  // For all that need one, or, where there are not enough, for those alone that cannot go on without.
  unsigned int needing = __ballot_sync(mask, needs);
  const unsigned int waiting = __ballot_sync(mask, spent);
  unsigned long long first =
      takeFree(chunks, mask, lowestLane(mask), __popc(needing), needing == 1 ? 0 : chunks.kept);
  if (first == noTicket) {
    if (waiting != 0) needing = waiting;
    first = awaitFree(context, mask, lowestLane(mask), __popc(needing), needing == 1 ? 0 : chunks.kept,
                      waiting != 0);
    if (first == noTicket) return own;
  }
  const bool gets = (needing >> lane & 1u) != 0;
  const unsigned int rank = __popc(needing & ((1u << lane) - 1));
  // Lanes that came apart can be long in reading it. Until they have, the host puts no other number there.
  volatile unsigned int* const place = chunks.freeQueue + ((first + rank) & queueMask(chunks));
  const unsigned int number = *place - 1;
  storeIf(gets, place, 0u);
  handOver(context, mask, own, gets && hasHostChunk(own));
  writtenBefore();  // a chunk's records before their number
  noteUsedIf(gets && !isOfHost(own) && !isHeld(own), context, own);
  if (gets)
    own = Cursor{hostSlot + number * format::chunkSlots,
                 format::chunkSlots | (own.roomAndLap & untoldBit) | format::chunkTag << lapShift};
  if (context->runs != nullptr) own = beginChunk(context, gets, own);
  storeCursorIf(gets, cursor, own);
  return own;
}

}  // namespace backend
}  // namespace cui
