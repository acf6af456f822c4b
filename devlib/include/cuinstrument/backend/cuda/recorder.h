// Device side: turns what a warp does at one site into one record in the pool.
//
// The entry point is out of line: a kernel with hundreds of sites stays small, and the recorder's registers
// do not add to the kernel's own. It is one straight piece of code for nearly all accesses, with a single
// branch; what that does not take goes the general way (general.h). The lanes that come in together stay
// together: see ring.h on why no leader branches away from its warp.
#pragma once

#include "cuinstrument/backend/cuda/general.h"
#include "cuinstrument/backend/cuda/profile.h"

namespace cui {
namespace backend {

/// What is constant: in three loads, but one by one where registers are few.
#if defined(__CUDACC_RDC__)
static __device__ __forceinline__ const RecorderConstants& loadConstants(const DeviceContext* context) {
  return context->constants;
}
#else
static __device__ __forceinline__ RecorderConstants loadConstants(const DeviceContext* context) {
  return loadWhole(&context->constants);
}
#endif

/// The leading lane's stores: the record, the cursor behind it, the count. One piece of assembly, so that
/// there is one predicate.
static __device__ __forceinline__ void commit(bool leads, unsigned int mask, const format::WarpRecord& record,
                                              unsigned char* slot, Cursor* cursor, Cursor next,
                                              CounterSums* sums) {
  const unsigned int* words = reinterpret_cast<const unsigned int*>(&record);
  asm volatile(
      "{\n\t.reg .pred p, q;\n\t.reg .u32 idle;\n\t.reg .u64 wide;\n\t"
      "setp.ne.u32 p, %13, 0;\n\tsetp.ne.and.u32 q, %14, -1, p;\n\t"
      "@p st.global.v4.u32 [%0], {%1, %2, %3, %4};\n\t"
      "@p st.global.v4.u32 [%0 + 16], {%5, %6, %7, %8};\n\t"
      "@p st.global.v2.u32 [%9], {%10, %11};\n\t"
      "@p red.global.add.u64 [%12], 1;\n\t"
      "popc.b32 idle, %14;\n\tsub.u32 idle, 32, idle;\n\tcvt.u64.u32 wide, idle;\n\t"
      "@q red.global.add.u64 [%12 + 8], wide;\n\t}" ::"l"(slot),
      "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3]), "r"(words[4]), "r"(words[5]), "r"(words[6]),
      "r"(words[7]), "l"(cursor), "r"(next.next), "r"(next.room), "l"(sums), "r"(leads ? 1u : 0u), "r"(mask)
      : "memory");
}

/// Where a lane's record goes and is counted, as read from memory.
struct Place {
  Cursor* cursor;
  Cursor own;
  unsigned long long counting;  ///< the key that is at `counter`
  unsigned int counter, launch;
};
static __device__ __forceinline__ Place findPlace(const RecorderConstants& constants, unsigned int site) {
  Place place;
  const unsigned int warp = hardwareWarp(constants);
  place.cursor = constants.cursors +
                 (warp < constants.hardwareWarps ? warp * 32 + laneIndex() : constants.hardwareWarps * 32);
  place.own = loadCursor(place.cursor);
  place.launch = launchKey();
  place.counter = counterSlot(place.launch, site);
  place.counting = loadOwn(&constants.counters->keys[place.counter].key);
  return place;
}

/// A record without payload, of all lanes of `mask`, where its chunk has room and its counter is known.
static __device__ __forceinline__ void emitShort(DeviceContext* context, unsigned int mask,
                                                 const RecordHead& head, const RecorderConstants& constants,
                                                 const Place& place) {
  const unsigned int lane = laneIndex();
  const unsigned int leader = lowestLane(mask);
  const bool ready = (place.counting == counterKey(place.launch, head.site)) &
                     (place.own.room >= slotsWanted(mask, lane, leader, 1));
  if (!__all_sync(mask, ready)) return emitAffine(context, mask, head);
  commit(lane == leader, mask, accessHeader(head, place.launch, constants.poolLap),
         constants.units + static_cast<unsigned long long>(place.own.next) * format::slotBytes, place.cursor,
         Cursor{place.own.next + 1, place.own.room - 1}, constants.counters->sums + place.counter);
}

// The place is looked for first: it takes longest. But with -rdc=true a function has the registers that the
// calling convention gives it, and one that does all would take more than the 64 that a kernel of 1,024
// threads has: there it is looked for in a function of its own, which does the rest.
#if defined(__CUDACC_RDC__)
template <bool Whole>
__device__ __noinline__ void findPlaceAndEmit(DeviceContext* context, unsigned int lanes, RecordHead head) {
  const RecorderConstants& constants = loadConstants(context);
  emitShort(context, Whole ? 0xffffffffu : lanes, head, constants, findPlace(constants, head.site));
}
#endif

/// `Whole`: `lanes` are all 32, which makes the code a third shorter: masks that are constant cost nothing.
template <bool Whole>
static __device__ __forceinline__ void recordShort(DeviceContext* context, unsigned int lanes,
                                                   unsigned int site, const volatile void* pointer,
                                                   unsigned int bytes) {
  const unsigned int mask = Whole ? 0xffffffffu : lanes;
  const unsigned int lane = laneIndex();
  const unsigned int leader = Whole ? 0 : lowestLane(mask);
  const RecorderConstants& constants = loadConstants(context);
#if !defined(__CUDACC_RDC__)
  const Place place = findPlace(constants, site);
#endif
  const LaneAddress access = classify(constants, pointer);
  const unsigned int low = static_cast<unsigned int>(access.address);
  RecordHead head;
  head.address = __shfl_sync(mask, access.address, leader);
  head.maskWord = mask;
  head.site = site;
  // Affine in the lane, or in column and row of a narrow block. Distances that are no power of two between
  // the first two lanes are left to the general way, which divides.
  const unsigned int others = mask & (mask - 1);
  const unsigned int second = others != 0 ? lowestLane(others) : leader;
  const unsigned int firstLow = static_cast<unsigned int>(head.address);
  head.stride =
      static_cast<int>(__shfl_sync(mask, low, second) - firstLow) >> (lowestLane(second - leader) & 31u);
  long long offset = static_cast<long long>(head.stride) * static_cast<int>(lane - leader);
  unsigned int rowBits = 0;
  if (Whole && blockDim.x < 32) {
    const unsigned int width = rowWidth();
    const int rowStride = static_cast<int>(__shfl_sync(mask, low, width & 31u) - firstLow);
    if (width != 32 && rowStride != head.stride * static_cast<int>(width)) {
      rowBits = lowestLane(width);
      head.maskWord = static_cast<unsigned int>(rowStride);
      offset = static_cast<long long>(head.stride) * static_cast<int>(lane & (width - 1)) +
               static_cast<long long>(rowStride) * static_cast<int>(lane >> rowBits);
    }
  }
  const bool follows = access.address == head.address + static_cast<unsigned long long>(offset);
  const unsigned int key = site << 3 | access.space;
  if (!__all_sync(mask, follows & (__shfl_sync(mask, key, leader) == key)))
    return recordGeneral(context, mask, site, pointer, bytes, nullptr);

  head.address = format::addressWithRows(head.address, rowBits);
  const format::AddressForm form = rowBits != 0 ? format::AddressForm::rows : format::AddressForm::affine;
  head.shape = makeShape(bytes, form, access.space, false);
#if defined(__CUDACC_RDC__)
  findPlaceAndEmit<Whole>(context, mask, head);
#else
  emitShort(context, mask, head, constants, place);
#endif
}

template <int = 0>
__device__ __noinline__ void recordPart(DeviceContext* context, unsigned int mask, unsigned int site,
                                        const volatile void* pointer, unsigned int bytes) {
  recordShort<false>(context, mask, site, pointer, bytes);
}

/// Records an access of the calling lanes, without values, or adds it to the profile. A template only so that
/// several units may define it.
template <int = 0>
__device__ __noinline__ void recordWarp(DeviceContext* context, unsigned int site,
                                        const volatile void* pointer, unsigned int bytes) {
  const unsigned int mask = __activemask();
  if ((site & modeBits) != 0) {
    if ((site & warpSampleBit) != 0 && !isSampledWarp(context)) return;
    const unsigned int number = site & ~modeBits;
    if ((site & profileBit) != 0)
      profileWarp(context, mask, number, pointer, bytes);
    else
      recordPart(context, mask, number, pointer, bytes);  // which takes whole warps, too
  } else if (mask == 0xffffffffu) {
    recordShort<true>(context, mask, site, pointer, bytes);
  } else {
    recordPart(context, mask, site, pointer, bytes);
  }
}

}  // namespace backend
}  // namespace cui
