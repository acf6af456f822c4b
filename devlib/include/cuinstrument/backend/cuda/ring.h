// Device side of the ring in mapped host memory (host/abi.h: CuiRing): reserving slots and writing them.
//
// A slot is reserved only while there is room, and written at once, so the reader never meets a gap. The
// check comes before the reservation; `reserveLimit` leaves room for every warp that may check at the
// same moment. Should more than that overtake each other, the wait after the reservation keeps unread
// slots from being overwritten; if even that times out, the slots are given up, counted, and skipped by
// the reader. All waits are bounded by the context's waitNs.
#pragma once

#include "cuinstrument/backend/cuda/lanes.h"
#include "cuinstrument/backend/cuda/modes.h"
#include "cuinstrument/format/record.h"

namespace cui {
namespace backend {

constexpr unsigned long long noTicket = ~0ull;

static __device__ __forceinline__ unsigned long long nanoseconds() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

/// Lets about so much time pass. Lanes that sleep let others of their warp go on alone, as YIELD does
/// (cli/compile/yields.h): where that is taken out these count cycles.
static __device__ __forceinline__ void pauseFor(unsigned int ns) {
#if defined(CUI_RECORDER_MODULE) && !defined(CUI_CPU_BACKEND)
  constexpr long long cyclesANanosecond = 2;
  const long long begin = clock64();
  while (clock64() - begin < cyclesANanosecond * ns) {
  }
#else
  __nanosleep(ns);
#endif
}

/// What does not change of the ring.
struct RingShape {
  unsigned char* slots;
  unsigned long long slotCount;
  unsigned int slotCountLog2;
};
static __device__ __forceinline__ RingShape shapeOfRing(const DeviceContext* context) {
  return {context->slots, context->slotCount, context->slotCountLog2};
}
static __device__ __forceinline__ volatile unsigned char* slotAddress(const RingShape& ring,
                                                                      unsigned long long ticket) {
  return ring.slots + ((ticket & (ring.slotCount - 1)) << 5);
}
/// The tag of the lap that `ticket` belongs to; 2^32 laps are more than any run makes.
static __device__ __forceinline__ unsigned int lapTag(const RingShape& ring, unsigned long long ticket) {
  return 1u + static_cast<unsigned int>(ticket >> ring.slotCountLog2) % 255u;
}

// Every function below is called by all lanes of `mask` together, with the same arguments but for `leads`,
// which one lane sets. Only single instructions are predicated on it; no lane ever branches away from the
// others. A branch that a leader takes alone, with a call in it, can come back together with another
// group's leader, and a __syncwarp that two groups then reach half and half never ends.

/// Adds for the lane that leads; returns the old value to all lanes.
static __device__ __forceinline__ unsigned long long addAsOne(unsigned int mask, unsigned int leader,
                                                              unsigned long long* word,
                                                              unsigned long long value) {
  unsigned long long old;
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %3, 0;\n\tmov.u64 %0, 0;\n\t"
      "@p atom.global.add.u64 %0, [%1], %2;\n\t}"
      : "=l"(old)
      : "l"(word), "l"(value), "r"(laneIndex() == leader ? 1u : 0u)
      : "memory");
  return __shfl_sync(mask, old, leader);
}
static __device__ __forceinline__ unsigned int exchangeAsOne(unsigned int mask, unsigned int leader,
                                                             unsigned int* word, unsigned int value) {
  unsigned int old;
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %3, 0;\n\tmov.u32 %0, 0;\n\t"
      "@p atom.global.exch.b32 %0, [%1], %2;\n\t}"
      : "=r"(old)
      : "l"(word), "r"(value), "r"(laneIndex() == leader ? 1u : 0u)
      : "memory");
  return __shfl_sync(mask, old, leader);
}
/// Adds without needing the old value, and without the lanes waiting for it.
static __device__ __forceinline__ void addIf(bool leads, unsigned long long* word, unsigned long long value) {
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %2, 0;\n\t@p red.global.add.u64 [%0], %1;\n\t}" ::"l"(word),
      "l"(value), "r"(leads ? 1u : 0u)
      : "memory");
}
static __device__ __forceinline__ void raiseIf(bool leads, unsigned long long* word,
                                               unsigned long long value) {
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %2, 0;\n\t@p red.global.max.u64 [%0], %1;\n\t}" ::"l"(word),
      "l"(value), "r"(leads ? 1u : 0u)
      : "memory");
}
static __device__ __forceinline__ void storeIf(bool active, volatile void* target, unsigned int value) {
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %2, 0;\n\t@p st.volatile.global.u32 [%0], %1;\n\t}" ::"l"(target),
      "r"(value), "r"(active ? 1u : 0u)
      : "memory");
}
static __device__ __forceinline__ void storeIf(bool active, volatile void* target, unsigned long long value) {
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %2, 0;\n\t@p st.volatile.global.u64 [%0], %1;\n\t}" ::"l"(target),
      "l"(value), "r"(active ? 1u : 0u)
      : "memory");
}
static __device__ __forceinline__ void storeShortIf(bool active, volatile void* target, unsigned int value) {
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %2, 0;\n\t@p st.volatile.global.u16 [%0], %1;\n\t}" ::"l"(target),
      "r"(value), "r"(active ? 1u : 0u)
      : "memory");
}
static __device__ __forceinline__ void storeByteIf(bool active, volatile void* target, unsigned int value) {
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %2, 0;\n\t@p st.volatile.global.u8 [%0], %1;\n\t}" ::"l"(target),
      "r"(value), "r"(active ? 1u : 0u)
      : "memory");
}

/// A word of device memory that other warps change, as the leader sees it.
static __device__ __forceinline__ unsigned long long readAsOne(unsigned int mask, unsigned int leader,
                                                               const unsigned long long* word) {
  return __shfl_sync(mask, *const_cast<const volatile unsigned long long*>(word), leader);
}

/// Refreshes the cached copy of the host's word. One warp of the device at a time reads across the bus
/// (0.7 M reads/s is all that it carries); the others see the copy.
static __device__ __forceinline__ void refreshConsumed(DeviceContext* context, unsigned int mask,
                                                       unsigned int leader) {
  if (exchangeAsOne(mask, leader, &context->state.polling, 1u) != 0) return;
  const unsigned long long consumed = __shfl_sync(mask, *context->consumed, leader);
  raiseIf(laneIndex() == leader, &context->cursor.cachedConsumed, consumed);
  __threadfence();
  exchangeAsOne(mask, leader, &context->state.polling, 0u);
}

/// The ring as the leader sees it. Both words are asked for before either has come.
struct RingView {
  unsigned long long tail, consumed;
  /// Slots in use if `end` were the tail. Signed: others may have moved consumed beyond a stale `end`.
  __device__ __forceinline__ long long inUse(unsigned long long end) const {
    return static_cast<long long>(end - consumed);
  }
};
static __device__ __forceinline__ RingView viewAsOne(const DeviceContext* context, unsigned int mask,
                                                     unsigned int leader) {
  const volatile RingCursor& cursor = context->cursor;
  const unsigned long long tail = cursor.tail, consumed = cursor.cachedConsumed;
  return {__shfl_sync(mask, tail, leader), __shfl_sync(mask, consumed, leader)};
}

/// Waits until no more than `limit` slots are in use, but not beyond `waitNs`. `ticketEnd`: the end of
/// the caller's reservation, or 0: before reserving `count` slots at the tail.
CUI_OF_ANY_MODE
__device__ __noinline__ bool waitForSpace(DeviceContext* context, unsigned int mask, unsigned int leader,
                                          unsigned long long ticketEnd, unsigned int count,
                                          unsigned long long limit, unsigned long long waitNs) {
  const unsigned long long begin = nanoseconds();
  unsigned int pause = 100;
  for (;;) {
    refreshConsumed(context, mask, leader);
    const RingView view = viewAsOne(context, mask, leader);
    if (view.inUse(ticketEnd != 0 ? ticketEnd : view.tail + count) <= static_cast<long long>(limit))
      return true;
    if (__any_sync(mask, nanoseconds() - begin >= waitNs)) return false;
    pauseFor(pause);
    if (pause < 4000) pause *= 2;
  }
}

/// Whether the slots of a reservation are free, given a value of `consumed` that may be old. False after a
/// bounded wait: they are given up (counted).
static __device__ __forceinline__ bool awaitSlots(DeviceContext* context, unsigned int mask,
                                                  unsigned int leader, unsigned long long ticket,
                                                  unsigned int count, const RingView& view) {
  if (view.inUse(ticket + count) <= static_cast<long long>(context->slotCount) ||
      waitForSpace(context, mask, leader, ticket + count, count, context->slotCount,
                   context->waitNs + 1000000000ull))
    return true;
  addIf(laneIndex() == leader, &context->state.dropped, 1ull);
  addIf(laneIndex() == leader, &context->state.abandonedSlots, count);
  return false;
}

/// The first of `count` consecutive tickets, or noTicket after a bounded wait (counted).
CUI_OF_ANY_MODE
__device__ __noinline__ unsigned long long reserveSlots(DeviceContext* context, unsigned int mask,
                                                        unsigned int leader, unsigned int count) {
  RecorderState& state = context->state;
  RingView view = viewAsOne(context, mask, leader);
  if (view.inUse(view.tail + count) > static_cast<long long>(context->reserveLimit)) {
    // After one wait that timed out nobody waits again until there is space.
    const bool stalled = __any_sync(mask, *const_cast<volatile unsigned int*>(&state.stalled) != 0);
    if (!waitForSpace(context, mask, leader, 0, count, context->reserveLimit,
                      stalled ? 0 : context->waitNs)) {
      if (!stalled) exchangeAsOne(mask, leader, &state.stalled, 1u);
      addIf(laneIndex() == leader, &state.dropped, 1ull);
      return noTicket;
    }
    if (stalled) exchangeAsOne(mask, leader, &state.stalled, 0u);
    view = viewAsOne(context, mask, leader);
  }
  const unsigned long long ticket = addAsOne(mask, leader, &context->cursor.tail, count);
  return awaitSlots(context, mask, leader, ticket, count, view) ? ticket : noTicket;
}

/// Stores the two halves, 16 bytes each at once, from the lane that leads.
static __device__ __forceinline__ void writeHeader(volatile unsigned char* slot, bool leads,
                                                   const format::WarpRecord& record) {
  const unsigned int* words = reinterpret_cast<const unsigned int*>(&record);
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %9, 0;\n\t"
      "@p st.volatile.global.v4.u32 [%0], {%1, %2, %3, %4};\n\t"
      "@p st.volatile.global.v4.u32 [%0 + 16], {%5, %6, %7, %8};\n\t}" ::"l"(slot),
      "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3]), "r"(words[4]), "r"(words[5]), "r"(words[6]),
      "r"(words[7]), "r"(leads ? 1u : 0u)
      : "memory");
}

/// Writes a record without payload, but for its tags, to a slot.
static __device__ __forceinline__ void writeTagged(volatile unsigned char* slot, unsigned int tag, bool leads,
                                                   format::WarpRecord& record) {
  record.generationA = static_cast<unsigned char>(tag);
  record.siteAndGeneration |= tag << 24;
  writeHeader(slot, leads, record);
}
static __device__ __forceinline__ void writeToRing(const RingShape& ring, unsigned long long ticket,
                                                   bool leads, format::WarpRecord& record) {
  if (ticket != noTicket) writeTagged(slotAddress(ring, ticket), lapTag(ring, ticket), leads, record);
}
/// Writes what is rare and must be quick: without a look for room before a slot is reserved, and with all
/// that there is to know asked for at once.
CUI_OF_ANY_MODE
__device__ __noinline__ void writeAtOnce(DeviceContext* context, unsigned int mask, unsigned int leader,
                                         format::WarpRecord record) {
  const RingShape ring = shapeOfRing(context);
  const unsigned long long consumed =
      *const_cast<const volatile unsigned long long*>(&context->cursor.cachedConsumed);
  const unsigned long long ticket = addAsOne(mask, leader, &context->cursor.tail, 1);
  const RingView view = {ticket, __shfl_sync(mask, consumed, leader)};
  if (awaitSlots(context, mask, leader, ticket, 1, view))
    writeToRing(ring, ticket, laneIndex() == leader, record);
}

}  // namespace backend
}  // namespace cui
