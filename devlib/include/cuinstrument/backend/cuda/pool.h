// Device side of the pool: where records wait in device memory until the host collects them (collect.h).
//
// Every lane that a warp slot of the hardware can hold has a chunk and a cursor of its own, and a record
// goes to the chunk of its lowest lane. A lane is in one place at a time, so appending needs no atomic
// operation: a load, two stores of the record, a store of the cursor. That is fast, and it leaves the
// program's control flow alone: before every atomic that returns a value ptxas puts a YIELD, which lets the
// lanes that wait for the others at the end of a branch go on alone, and they never come together again.
//
// The warps that run in one hardware slot one after the other fill the same chunks; records say themselves
// whose they are. A warp that is moved to another slot between two records merely uses other chunks.
//
// Full chunks are replaced from the rest of the pool. That takes an atomic, so it is done early: when a
// whole warp is together and little room is left. Once the pool is used up, chunks in the host's memory take
// its place (host_chunks.h); where there is none of these either, records take the ring.
#pragma once

#include "cuinstrument/backend/cuda/device_state.h"
#include "cuinstrument/backend/cuda/ring.h"

namespace cui {
namespace backend {

static __device__ __forceinline__ unsigned int multiprocessorIndex() {
  unsigned int index;
  asm("mov.u32 %0, %%smid;" : "=r"(index));
  return index;
}
/// Index of the hardware's warp slot that the calling warp is in.
static __device__ __forceinline__ unsigned int hardwareWarp(const RecorderConstants& where) {
  unsigned int warp;
  asm("mov.u32 %0, %%warpid;" : "=r"(warp));
  return multiprocessorIndex() * where.warpsPerMultiprocessor + warp;
}

/// Loads a word that only this lane changes while the kernel runs, or that never changes once it is not 0. A
/// plain load, on purpose: ptxas takes volatile, relaxed and L2-only loads for part of a waiting loop, and
/// adds a YIELD.
static __device__ __forceinline__ unsigned long long loadOwn(const unsigned long long* word) {
  unsigned long long value;
  asm volatile("ld.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
}
/// What a cursor has beside its room, whatever chunk it gets.
static __device__ __forceinline__ unsigned int beside(Cursor cursor) {
  return cursor.roomAndLap & ~(untoldBit - 1);
}
static __device__ __forceinline__ Cursor loadCursor(const Cursor* cursor) {
  Cursor value;
  asm volatile("ld.global.v2.u32 {%0, %1}, [%2];"
               : "=r"(value.next), "=r"(value.roomAndLap)
               : "l"(cursor)
               : "memory");
  return value;
}
static __device__ __forceinline__ void storeCursorIf(bool active, Cursor* cursor, Cursor value) {
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %3, 0;\n\t@p st.global.v2.u32 [%0], {%1, %2};\n\t}" ::"l"(cursor),
      "r"(value.next), "r"(value.roomAndLap), "r"(active ? 1u : 0u)
      : "memory");
}

/// A slot by its number in a cursor. Without a branch: every record's leader asks.
static __device__ __forceinline__ unsigned char* slotAt(const RecorderConstants& constants,
                                                        unsigned int slot) {
  const unsigned long long begin =
      slot >= hostSlot ? constants.hostSlots : reinterpret_cast<unsigned long long>(constants.units);
  return reinterpret_cast<unsigned char*>(begin + static_cast<unsigned long long>(slot) * format::slotBytes);
}

/// Slots that a lane must have left, or it gets a new chunk, when `leader` takes `count`. Whole warps see to
/// it early: it takes an atomic.
static __device__ __forceinline__ unsigned int slotsWanted(unsigned int mask, unsigned int lane,
                                                           unsigned int leader, unsigned int count) {
  const unsigned int early = mask == 0xffffffffu ? roomWanted(lane) : 0;
  return lane == leader && early < count ? count : early;
}

/// Where kernels may run again with the same number, a new chunk says which run its first records are of.
CUI_OF_ANY_MODE
__device__ __noinline__ Cursor beginChunk(DeviceContext* context, bool needs, Cursor own);  // progress.h

CUI_OF_ANY_MODE
__device__ __noinline__ Cursor takeHostChunks(DeviceContext* context, unsigned int mask, Cursor* cursor,
                                              Cursor own, bool needs, bool spent);  // host_chunks.h

/// What the calling lanes have written is seen before what they write next. Not __threadfence(), which also
/// makes the multiprocessor forget what its first-level cache holds, the program's data among it.
static __device__ __forceinline__ void writtenBefore() {
#if __CUDACC_VER_MAJOR__ >= 13
  asm volatile("fence.release.gpu;" ::: "memory");
#else
  __threadfence();
#endif
}

/// Notes how far the chunk of the pool is filled that a lane leaves.
static __device__ __forceinline__ void noteUsedIf(bool active, DeviceContext* context, Cursor own) {
  const unsigned int lane = laneIndex();
  storeShortIf(active, context->unitUsed + firstUnitOf(own, lane), usedSlotsOf(own, lane));
}

/// Gives each lane that `needs` one a new chunk: of the pool, as far as that goes, then of the host. `spent`:
/// the lane's chunk has no room for the record that it leads. `large`: a large one, if it is of the pool.
/// Returns the lanes' cursors.
CUI_OF_ANY_MODE
__device__ __noinline__ Cursor takeChunks(DeviceContext* context, unsigned int mask, Cursor* cursor,
                                          Cursor own, bool needs, bool spent, bool large) {
  const unsigned int needing = __ballot_sync(mask, needs);
  const unsigned int leader = lowestLane(needing), each = large ? largeUnits : 1;
  const unsigned int extra = (needing & 1u) != 0 ? (laneZeroUnits - 1) * each : 0;
  const unsigned long long count = __popc(needing) * each + extra;
  const unsigned long long first = addAsOne(mask, leader, &context->pool.tail, count);
  if (first + count > context->poolUnits)  // the few that are left stay unused
    return takeHostChunks(context, mask, cursor, own, needs, spent);
  const unsigned int lane = laneIndex();
  const unsigned int rank = __popc(needing & ((1u << lane) - 1));
  const unsigned int mine =
      context->firstPoolUnit + static_cast<unsigned int>(first) + rank * each + (rank != 0 ? extra : 0);
  const unsigned int slots = chunkUnits(lane) * each * unitSlots;
  writtenBefore();  // a chunk's records before their number
  noteUsedIf(needs && !isHeld(own), context, own);
  if (needs) own = Cursor{mine * unitSlots, slots | (large ? largeBit : 0) | beside(own)};
  if (context->runs != nullptr) own = beginChunk(context, needs, own);
  storeCursorIf(needs, cursor, own);
  return own;
}

static __device__ __forceinline__ Cursor* cursorOf(const RecorderConstants& constants, unsigned int lane) {
  return constants.cursors + (hardwareWarp(constants) * 32 + lane);
}
/// The cursor of the calling lane.
static __device__ __forceinline__ Cursor* ownCursor(const RecorderConstants& constants) {
  return cursorOf(constants, laneIndex());
}

/// What `cursor`, the lane's own, says once chunks that lack room for `leader` to take `count` slots have
/// been replaced, as far as that is possible. Called by all lanes of `mask`.
static __device__ __forceinline__ Cursor replenish(DeviceContext* context, unsigned int mask,
                                                   unsigned int leader, unsigned int count, Cursor* cursor) {
  const Cursor own = loadCursor(cursor);
  const bool needs = roomOf(own) < slotsWanted(mask, laneIndex(), leader, count);
  const bool spent = laneIndex() == leader && roomOf(own) < count;
  return __any_sync(mask, needs) ? takeChunks(context, mask, cursor, own, needs, spent, false) : own;
}

/// Slots of the pool, and the tag for their headers.
struct PoolPlace {
  unsigned char* first;  ///< null: there is no room
  unsigned int tag;
};

/// Room for `count` slots in the chunk of lane `leader`. Called by all lanes of `mask` together
/// with the same arguments.
static __device__ __forceinline__ PoolPlace takePoolSlots(DeviceContext* context, unsigned int mask,
                                                          unsigned int leader, unsigned int count) {
  const RecorderConstants& constants = context->constants;
  Cursor* const cursor = ownCursor(constants);
  const Cursor own = replenish(context, mask, leader, count, cursor);
  const unsigned int next = __shfl_sync(mask, own.next, leader);
  if (__shfl_sync(mask, roomOf(own), leader) < count) return PoolPlace{nullptr, 0};
  storeCursorIf(laneIndex() == leader, cursor, Cursor{own.next + count, own.roomAndLap - count});
  return PoolPlace{slotAt(constants, next), __shfl_sync(mask, lapOf(own), leader)};
}

}  // namespace backend
}  // namespace cui
