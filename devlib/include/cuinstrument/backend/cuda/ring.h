// Device side of the ring in mapped host memory (host/abi.h: CuiRing): reserving slots and writing them.
//
// A slot is reserved only while there is room, and written at once, so the reader never meets a gap. The
// check comes before the reservation; `reserveLimit` leaves room for every warp that may check at the
// same moment. Should more than that overtake each other, the wait after the reservation keeps unread
// slots from being overwritten; if even that times out, the slots are given up, counted, and skipped by
// the reader. All waits are bounded by the context's waitNs.
#pragma once

#include "cuinstrument/backend/cuda/device_state.h"
#include "cuinstrument/format/record.h"

namespace cui {
namespace backend {

constexpr unsigned long long noTicket = ~0ull;

static __device__ __forceinline__ unsigned long long nanoseconds() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

static __device__ __forceinline__ volatile unsigned char* slotAddress(const DeviceContext* context,
                                                                      unsigned long long ticket) {
  return context->slots + ((ticket & (context->slotCount - 1)) << 5);
}

static __device__ __forceinline__ unsigned long long readVolatile(const unsigned long long* word) {
  return *const_cast<const volatile unsigned long long*>(word);
}

/// Refreshes the cached copy of the host's word. One lane of the device at a time reads across the bus
/// (0.7 M reads/s is all that it carries); the others see the copy.
static __device__ __forceinline__ void refreshConsumed(DeviceContext* context) {
  if (atomicExch(&context->state.polling, 1u) != 0) return;
  atomicMax(&context->cursor.cachedConsumed, *context->consumed);
  __threadfence();
  atomicExch(&context->state.polling, 0u);
}

/// Slots in use if `end` were the tail. Signed: others may have moved consumed beyond a stale `end`.
static __device__ __forceinline__ long long slotsInUse(const DeviceContext* context, unsigned long long end) {
  return static_cast<long long>(end - readVolatile(&context->cursor.cachedConsumed));
}

/// Waits until no more than `limit` slots are in use, but not beyond `waitNs`. `ticketEnd`: the end of
/// the caller's reservation, or 0: before reserving `count` slots at the tail.
template <int = 0>
__device__ __noinline__ bool waitForSpace(DeviceContext* context, unsigned long long ticketEnd,
                                          unsigned int count, unsigned long long limit,
                                          unsigned long long waitNs) {
  const unsigned long long begin = nanoseconds();
  unsigned int pause = 100;
  for (;;) {
    refreshConsumed(context);
    const unsigned long long end = ticketEnd != 0 ? ticketEnd : readVolatile(&context->cursor.tail) + count;
    if (slotsInUse(context, end) <= static_cast<long long>(limit)) return true;
    if (nanoseconds() - begin >= waitNs) return false;
    __nanosleep(pause);
    if (pause < 4000) pause *= 2;
  }
}

/// The first of `count` consecutive tickets, or noTicket after a bounded wait (counted).
template <int = 0>
__device__ __noinline__ unsigned long long reserveSlots(DeviceContext* context, unsigned int count) {
  RingCursor& cursor = context->cursor;
  RecorderState& state = context->state;
  if (slotsInUse(context, readVolatile(&cursor.tail) + count) >
      static_cast<long long>(context->reserveLimit)) {
    // After one wait that timed out nobody waits again until there is space.
    const bool stalled = *const_cast<volatile unsigned int*>(&state.stalled) != 0;
    if (!waitForSpace(context, 0, count, context->reserveLimit, stalled ? 0 : context->waitNs)) {
      if (!stalled) atomicExch(&state.stalled, 1u);
      atomicAdd(&state.dropped, 1ull);
      return noTicket;
    }
    if (stalled) atomicExch(&state.stalled, 0u);
  }
  const unsigned long long ticket = atomicAdd(&cursor.tail, static_cast<unsigned long long>(count));
  if (slotsInUse(context, ticket + count) > static_cast<long long>(context->slotCount) &&
      !waitForSpace(context, ticket + count, count, context->slotCount, context->waitNs + 1000000000ull)) {
    atomicAdd(&state.dropped, 1ull);
    atomicAdd(&state.abandonedSlots, static_cast<unsigned long long>(count));
    return noTicket;
  }
  return ticket;
}

/// Adds the generation tags and stores the two halves, 16 bytes each at once.
static __device__ __forceinline__ void writeHeader(const DeviceContext* context, unsigned long long ticket,
                                                   const format::WarpRecord& record) {
  // 2^32 laps are more than any run makes.
  const unsigned int generation = 1u + static_cast<unsigned int>(ticket >> context->slotCountLog2) % 255u;
  const unsigned int addressLow = static_cast<unsigned int>(record.address);
  const unsigned int addressHigh = static_cast<unsigned int>(record.address >> 32);
  const unsigned int last = static_cast<unsigned int>(record.warpAndBytes) |
                            static_cast<unsigned int>(record.flags) << 16 | generation << 24;
  const unsigned int site = record.siteAndGeneration | generation << 24;
  volatile unsigned char* slot = slotAddress(context, ticket);
  asm volatile("st.volatile.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(slot), "r"(addressLow), "r"(addressHigh),
               "r"(record.activeMask), "r"(last)
               : "memory");
  asm volatile("st.volatile.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(slot + 16), "r"(site), "r"(record.launch),
               "r"(record.block), "r"(record.stride)
               : "memory");
}

}  // namespace backend
}  // namespace cui
