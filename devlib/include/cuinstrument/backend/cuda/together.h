// Device side: several accesses of one expression, in one step (CUI_TOGETHER). Whole warps whose accesses all
// follow a rule write their records at once: which launch, block and warp it is, the chunk and its room are
// looked up once, and each of the first lanes writes a record of its own. Whatever else there is comes to the
// recorder one by one.
#pragma once

#include "cuinstrument/backend/cuda/recorder.h"

namespace cui {
namespace backend {

/// What the lanes of a whole warp ask for at one site.
struct LaneAccess {
  unsigned long long address;
  unsigned int key, bytes;
};

/// The header of an access that follows a rule; false if this lane's does not, or leads into another space:
/// that is kept in the highest bits of what is compared.
static __device__ __forceinline__ bool describeWhole(const LaneAccess& access, RecordHead& head) {
  constexpr unsigned int mask = 0xffffffffu;
  const unsigned int lane = laneIndex(), low = static_cast<unsigned int>(access.address);
  const unsigned long long space = static_cast<unsigned long long>(spaceOf(access.key)) << 60;
  const unsigned long long placed = access.address ^ space;
  head.address = __shfl_sync(mask, placed, 0);
  head.maskWord = mask;
  head.site = access.key >> keyShift;
  const unsigned int firstLow = static_cast<unsigned int>(head.address);
  head.stride = static_cast<int>(__shfl_sync(mask, low, 1) - firstLow);
  long long offset = static_cast<long long>(head.stride) * static_cast<int>(lane);
  unsigned int rowBits = 0;
  if (blockDim.x < 32) {
    const unsigned int width = rowWidth();
    const int rowStride = static_cast<int>(__shfl_sync(mask, low, width & 31u) - firstLow);
    if (width != 32 && rowStride != head.stride * static_cast<int>(width)) {
      rowBits = lowestLane(width);
      head.maskWord = static_cast<unsigned int>(rowStride);
      offset = static_cast<long long>(head.stride) * static_cast<int>(lane & (width - 1)) +
               static_cast<long long>(rowStride) * static_cast<int>(lane >> rowBits);
    }
  }
  const bool follows = placed == head.address + static_cast<unsigned long long>(offset);
  head.address = format::addressWithRows(head.address ^ space, rowBits);
  head.shape = makeShape(access.bytes, rowBits != 0 ? format::AddressForm::rows : format::AddressForm::affine,
                         spaceOf(access.key), false);
  return follows;
}

/// The record, its count and, from lane 0, the cursor behind all of them. As commit().
static __device__ __forceinline__ void commitEach(bool writes, const format::WarpRecord& record,
                                                  unsigned char* slot, CounterSums* sums, bool leads,
                                                  Cursor* cursor, Cursor next) {
  const unsigned int* words = reinterpret_cast<const unsigned int*>(&record);
  asm volatile(
      "{\n\t.reg .pred p, q;\n\tsetp.ne.u32 p, %13, 0;\n\tsetp.ne.u32 q, %14, 0;\n\t"
      "@p st.global.v4.u32 [%0], {%1, %2, %3, %4};\n\t"
      "@p st.global.v4.u32 [%0 + 16], {%5, %6, %7, %8};\n\t"
      "@q st.global.v2.u32 [%9], {%10, %11};\n\t"
      "@p red.global.add.u64 [%12], 1;\n\t}" ::"l"(slot),
      "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3]), "r"(words[4]), "r"(words[5]), "r"(words[6]),
      "r"(words[7]), "l"(cursor), "r"(next.next), "r"(next.roomAndLap), "l"(sums), "r"(writes ? 1u : 0u),
      "r"(leads ? 1u : 0u)
      : "memory");
}

/// Of all lanes of a warp; false if nothing was done.
template <unsigned Count>
static __device__ __forceinline__ bool recordWhole(const DeviceUnit& unit,
                                                   const LaneAccess (&accesses)[Count]) {
  constexpr unsigned int mask = 0xffffffffu;
  const RecorderConstants& constants = unit.constants;
  const unsigned int lane = laneIndex();
  // Lane i has the i-th record; those without one repeat the first's.
  unsigned int site = accesses[0].key >> keyShift;
#pragma unroll
  for (unsigned int i = 1; i < Count; ++i)
    if (lane == i) site = accesses[i].key >> keyShift;
  const Place place = findPlace(constants, site);
  RecordHead own;
  bool good = describeWhole(accesses[0], own);
#pragma unroll
  for (unsigned int i = 1; i < Count; ++i) {
    RecordHead head;
    good &= describeWhole(accesses[i], head);
    if (lane == i) own = head;
  }
  // Lanes from other expressions can have met here.
  good &= __shfl_sync(mask, accesses[0].key, 0) == accesses[0].key;
  good &= place.counting == counterKey(place.launch, site);
  good &= roomOf(place.own) >= slotsWanted(mask, lane, 0, Count);
  if (!__all_sync(mask, good)) return false;
  const unsigned int first = __shfl_sync(mask, place.own.next, 0);
  const unsigned int lap = __shfl_sync(mask, lapOf(place.own), 0);
  commitEach(lane < Count, accessHeader(own, place.launch, lap),
             constants.units + static_cast<unsigned long long>(first + lane) * format::slotBytes,
             constants.counters->sums + place.counter, lane == 0, place.cursor,
             Cursor{place.own.next + Count, place.own.roomAndLap - Count});
  return true;
}

template <unsigned Count>
static __device__ __forceinline__ void recordSeveral(const DeviceUnit& unit,
                                                     const LaneAccess (&accesses)[Count]) {
#if !defined(__CUDACC_RDC__)  // it takes more registers than a kernel of 1,024 threads has (recorder.h)
  if (__activemask() == 0xffffffffu && (accesses[0].key & modeBits) == 0 && recordWhole(unit, accesses))
    return;
#endif
#pragma unroll
  for (unsigned int i = 0; i < Count; ++i)
    recordWarp(unit, accesses[i].key, accesses[i].address, accesses[i].bytes);
}

// Scalars: a structure would be passed in local memory.
template <int = 0>
__device__ __noinline__ void recordTwo(const DeviceUnit& unit, unsigned int keyA, unsigned long long a,
                                       unsigned int keyB, unsigned long long b, unsigned int bytes) {
  const LaneAccess accesses[] = {{a, keyA, bytes & 0xffffu}, {b, keyB, bytes >> 16}};
  recordSeveral(unit, accesses);
}
template <int = 0>
__device__ __noinline__ void recordThree(const DeviceUnit& unit, unsigned int keyA, unsigned long long a,
                                         unsigned int keyB, unsigned long long b, unsigned int keyC,
                                         unsigned long long c, unsigned int bytes) {
  const LaneAccess accesses[] = {
      {a, keyA, bytes & 0x3ffu}, {b, keyB, bytes >> 10 & 0x3ffu}, {c, keyC, bytes >> 20}};
  recordSeveral(unit, accesses);
}

}  // namespace backend
}  // namespace cui
