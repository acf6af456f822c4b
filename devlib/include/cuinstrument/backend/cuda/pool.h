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
// whole warp is together and little room is left. Without room in the pool, records take the ring.
#pragma once

#include "cuinstrument/backend/cuda/device_state.h"
#include "cuinstrument/backend/cuda/ring.h"

namespace cui {
namespace backend {

static __device__ __forceinline__ unsigned int multiprocessorIndex() {
  unsigned int index;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(index));
  return index;
}
/// Index of the hardware's warp slot that the calling warp is in.
static __device__ __forceinline__ unsigned int hardwareWarp(const DeviceContext* context) {
  unsigned int warp;
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
  return multiprocessorIndex() * context->warpsPerMultiprocessor + warp;
}

/// Loads a word that only this lane changes while the kernel runs, or that never changes once it is not 0. A
/// plain load, on purpose: ptxas takes volatile, relaxed and L2-only loads for part of a waiting loop, and
/// adds a YIELD.
static __device__ __forceinline__ unsigned long long loadOwn(const unsigned long long* word) {
  unsigned long long value;
  asm volatile("ld.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
}
static __device__ __forceinline__ void storeCursorIf(bool active, unsigned long long* cursor,
                                                     unsigned long long value) {
  asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %2, 0;\n\t@p st.global.u64 [%0], %1;\n\t}" ::"l"(cursor),
               "l"(value), "r"(active ? 1u : 0u)
               : "memory");
}

/// Gives each lane that `needs` one a new chunk, as far as the pool goes; returns the lanes' cursors.
/// `unit`: where the lane's present chunk begins.
template <int = 0>
__device__ __noinline__ unsigned long long takeChunks(DeviceContext* context, unsigned int mask,
                                                      unsigned long long* cursor, unsigned long long own,
                                                      bool needs, unsigned int unit) {
  const unsigned int needing = __ballot_sync(mask, needs);
  const unsigned int leader = lowestLane(needing);
  if (readAsOne(mask, leader, &context->pool.tail) >= context->poolUnits) return own;
  const unsigned int extra = (needing & 1u) != 0 ? laneZeroUnits - 1 : 0;
  const unsigned long long count = __popc(needing) + extra;
  const unsigned long long first = addAsOne(mask, leader, &context->pool.tail, count);
  if (first + count > context->poolUnits) return own;  // the few that are left stay unused
  const unsigned int rank = __popc(needing & ((1u << laneIndex()) - 1));
  const unsigned long long mine = context->firstPoolUnit + first + rank + (rank != 0 ? extra : 0);
  __threadfence();  // a chunk's records before their number
  storeByteIf(needs, context->unitUsed + unit, static_cast<unsigned int>(own));
  if (needs) own = (mine + 1) << 32;
  storeCursorIf(needs, cursor, own);
  return own;
}

/// Room for `count` slots in the chunk of lane `leader`, or null. Called by all lanes of `mask` together
/// with the same arguments.
static __device__ __forceinline__ unsigned char* takePoolSlots(DeviceContext* context, unsigned int mask,
                                                               unsigned int leader, unsigned int count) {
  const unsigned int lane = laneIndex();
  const unsigned int warp = hardwareWarp(context);
  if (__any_sync(mask, warp >= context->hardwareWarps)) return nullptr;
  unsigned long long* cursor = context->cursors + (warp * 32 + lane);
  unsigned long long own = loadOwn(cursor);
  const unsigned int chunk = static_cast<unsigned int>(own >> 32);
  const unsigned int room = chunkSlots(lane, chunk) - static_cast<unsigned int>(own);
  const bool needs =
      (lane == leader && room < count) || (mask == 0xffffffffu && room < roomWanted(lane, chunk));
  if (__any_sync(mask, needs)) {
    own = takeChunks(context, mask, cursor, own, needs,
                     chunk != 0 ? chunk - 1 : firstUnit(context->hardwareWarps, lane, warp));
  }
  const unsigned long long taken = __shfl_sync(mask, own, leader);
  const unsigned int taking = static_cast<unsigned int>(taken >> 32);
  const unsigned int used = static_cast<unsigned int>(taken);
  if (used + count > chunkSlots(leader, taking)) return nullptr;
  storeCursorIf(lane == leader, cursor, own + count);
  const unsigned long long unit = taking != 0 ? taking - 1 : firstUnit(context->hardwareWarps, leader, warp);
  return context->units + unit * unitBytes + used * format::slotBytes;
}

}  // namespace backend
}  // namespace cui
