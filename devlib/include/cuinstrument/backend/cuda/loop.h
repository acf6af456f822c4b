// Device side: the accesses of a loop in one record, in front of it (device/loop.h). That is for whole warps
// that go round equally often, with addresses that follow a rule across the lanes (whole_form.h) and advance
// by the same distance from one time round to the next. Whatever else there is is recorded access by access.
//
// It happens once for many accesses: what counts here is that it takes few registers.
#pragma once

#include "cuinstrument/backend/cuda/profile_loop.h"
#include "cuinstrument/backend/cuda/together.h"
#include "cuinstrument/device/accessed.h"

namespace cui {
namespace backend {

/// Counts the accesses that a loop makes at a site.
CUI_OF_MODES
__device__ __noinline__ void countLoop(DeviceContext* context, unsigned int site, unsigned int times) {
  CounterSums* const sums = counterOf(context, 0xffffffffu, 0, site);
  if (sums != nullptr) addIf(laneIndex() == 0, &sums->requests, static_cast<unsigned long long>(times));
}

/// What lane i's form of the i-th access is in a loop's payload.
static __device__ __forceinline__ format::WarpRecord loopRecord(const LoopAccess& access) {
  RecordHead head;
  const WholeForm& form = access.form;
  head.address = format::addressWithRows(form.first, form.rowBits);
  head.maskWord = form.rowBits != 0 ? static_cast<unsigned int>(form.rowStride) : 0xffffffffu;
  head.site = access.key >> keyShift;
  head.stride = form.stride;
  head.shape =
      makeShape(access.bytes, form.rowBits != 0 ? format::AddressForm::rows : format::AddressForm::affine,
                spaceOf(access.key), false);
  return accessHeader(head, static_cast<unsigned int>(access.step), 0);
}

/// What is a loop's header in a record of the calling warp's; its tags are as they were.
static __device__ __forceinline__ void makeLoopHeader(format::WarpRecord& record, unsigned int count,
                                                      unsigned int times) {
  record.address = times;
  record.activeMask = 0xffffffffu;
  record.warpAndBytes = format::makeWarpAndBytes(linearThread() / 32, count);
  record.flags = format::markFlags(format::Mark::loop);
  record.launch = launchKey();
  record.block = linearBlock();
  record.stride = 0;
}

/// Writes a loop's record; lane i has its i-th access.
CUI_OF_MODES
__device__ __noinline__ void emitLoop(DeviceContext* context, LoopAccess access, unsigned int count,
                                      unsigned int times) {
  SavedAccess saved;
  saved.context = context;
  saved.mask = 0xffffffffu;
  saved.group = 0xffffffffu;
#pragma unroll 1
  for (unsigned int i = 0; i < count; ++i)
    countLoop(context, __shfl_sync(0xffffffffu, access.key, static_cast<int>(i)) >> keyShift, times);
  takeSlots(&saved, 1 + count, false);
  const unsigned int lane = laneIndex();
  if (saved.slots == nullptr) {  // counted as one record
    addIf(lane == 0, &context->state.dropped, static_cast<unsigned long long>(count) * times - 1);
    return;
  }
  writeHeader(placeOf(&saved, (1 + lane) * format::slotBytes), lane < count, loopRecord(access));
  if (saved.inRing) {
    __threadfence_system();  // payload before header, for a reader on the host
    __syncwarp(0xffffffffu);
  }
  format::WarpRecord record;
  makeLoopHeader(record, count, times);
  record.generationA = static_cast<unsigned char>(saved.tag);
  record.siteAndGeneration = saved.tag << 24;
  writeHeader(placeOf(&saved, 0), lane == 0, record);
}

/// Lane i's share of what there is to know about the places: the i-th access. False if a place does not
/// follow the rules.
CUI_OF_MODES
__device__ __noinline__ bool findLoopForms(const DeviceUnit& unit, const LoopPlace* places,
                                           unsigned int count, unsigned int times, LoopAccess* own) {
  bool good = true;
#pragma unroll 1
  for (unsigned int i = 0; i < count; ++i) {
    const LoopPlace& place = places[i];
    const LaneAddress first = classify(unit.constants, place.cuiFirst);
    const LaneAccess access[1] = {{first.address, place.site << keyShift | first.space, place.bytes}};
    WholeForm form;
    good &= findForm(access, 0, form);
    const char* const start = reinterpret_cast<const char*>(const_cast<const void*>(place.cuiFirst));
    const long long step = reinterpret_cast<const char*>(const_cast<const void*>(place.cuiSecond)) - start;
    const long long all = reinterpret_cast<const char*>(const_cast<const void*>(place.cuiLast)) - start;
    good &= step == static_cast<int>(step) && all == step * (times - 1);
    good &= __shfl_sync(0xffffffffu, static_cast<int>(step), 0) == static_cast<int>(step);
    good &= place.bytes <= format::maxRecordBytes;
    if (laneIndex() == i) *own = {form, static_cast<int>(step), unit.firstKey + access[0].key, place.bytes};
  }
  return __all_sync(0xffffffffu, good);
}

/// Any number of accesses (at most 16), and the way for everything that the short one is not ready for.
CUI_OF_MODES
__device__ __noinline__ bool recordLongLoop(const DeviceUnit& unit, const LoopPlace* places,
                                            unsigned int count, unsigned int times) {
  constexpr unsigned int mask = 0xffffffffu;
  if (__activemask() != mask) return false;
  // Lanes from several loops can have met here.
  const bool together =
      (__shfl_sync(mask, places->site, 0) == places->site) & (__shfl_sync(mask, times, 0) == times);
  if (!__all_sync(mask, together)) return false;
  if ((unit.firstKey & warpSampleBit) != 0) {
    if (!isSampledWarp(unit.context)) return true;
    if ((unit.firstKey & timeBit) != 0) return false;  // each access has a time
  }
  LoopAccess own = {};
  if (!findLoopForms(unit, places, count, times, &own)) return false;
  own.key &= ~modeBits;
  if (isProfiled(unit.firstKey)) return profileLoop(unit.context, own, count, times);
  emitLoop(unit.context, own, count, times);
  __syncwarp(mask);
  return true;
}

/// As commitEach(), for a loop: lane `count` writes the header, the lanes before it an access each.
static __device__ __forceinline__ void commitLoop(unsigned int count, unsigned int times,
                                                  const format::WarpRecord& record, unsigned char* slot,
                                                  CounterSums* sums, Cursor* cursor, Cursor next) {
  const unsigned int* words = reinterpret_cast<const unsigned int*>(&record);
  const unsigned int lane = laneIndex();
  asm volatile(
      "{\n\t.reg .pred p, q, r;\n\t.reg .u64 wide;\n\t"
      "setp.le.u32 p, %13, %14;\n\tsetp.lt.u32 q, %13, %14;\n\tsetp.eq.u32 r, %13, 0;\n\tcvt.u64.u32 wide, "
      "%15;\n\t"
      "@p st.global.v4.u32 [%0], {%1, %2, %3, %4};\n\t"
      "@p st.global.v4.u32 [%0 + 16], {%5, %6, %7, %8};\n\t"
      "@r st.global.v2.u32 [%9], {%10, %11};\n\t"
      "@q red.global.add.u64 [%12], wide;\n\t}" ::"l"(slot),
      "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3]), "r"(words[4]), "r"(words[5]), "r"(words[6]),
      "r"(words[7]), "l"(cursor), "r"(next.next), "r"(next.roomAndLap), "l"(sums), "r"(lane), "r"(count),
      "r"(times)
      : "memory");
}

/// The short way, for up to three accesses: one look-up and one step for all of them, as recordWhole().
template <unsigned Count>
static __device__ __forceinline__ bool recordShortLoop(const DeviceUnit& unit,
                                                       const LaneAccess (&accesses)[Count],
                                                       const int (&steps)[Count], unsigned int times) {
  constexpr unsigned int mask = 0xffffffffu;
  const RecorderConstants& constants = unit.constants;
  const unsigned int lane = laneIndex();
  LoopAccess own = loopAccessOf(accesses, steps, lane);
  Place place = findPlace(constants, own.key >> keyShift);  // first: it takes longest
  const bool good = findForm(accesses, lane, own.form) & agree(steps, times);
  if (!__all_sync(mask, good)) return false;
  if (!isReady(place, mask, own.key >> keyShift, Count + 1)) {
#pragma unroll 1
    for (unsigned int i = 0; i < Count; ++i) CUI_SLOW_PATH(makeReady)
    (unit.context, mask, __shfl_sync(mask, own.key, static_cast<int>(i)) >> keyShift, Count + 1);
    place = findPlace(constants, own.key >> keyShift);
    // Without room in the pool each access finds its way.
    if (!isReady(place, mask, own.key >> keyShift, Count + 1)) return false;
  }
  const unsigned int first = __shfl_sync(mask, place.own.next, 0);
  const unsigned int lap = __shfl_sync(mask, lapOf(place.own), 0);
  const bool heads = lane == Count;
  format::WarpRecord record = loopRecord(own);
  record.generationA = static_cast<unsigned char>(lap);
  record.siteAndGeneration = (heads ? 0 : record.siteAndGeneration) | lap << 24;
  if (heads) makeLoopHeader(record, Count, times);
  const unsigned int slot = first + (heads ? 0 : lane + 1);
  commitLoop(Count, times, record,
             constants.units + static_cast<unsigned long long>(slot) * format::slotBytes,
             constants.counters->sums + place.counter, place.cursor,
             Cursor{place.own.next + Count + 1, place.own.roomAndLap - (Count + 1)});
  return true;
}

/// False if nothing was done.
template <unsigned Count>
static __device__ __forceinline__ bool recordLoopOf(const DeviceUnit& unit,
                                                    const LaneAccess (&accesses)[Count],
                                                    const int (&steps)[Count], unsigned int times) {
  if (__activemask() != 0xffffffffu) return false;
  if ((accesses[0].key & warpSampleBit) != 0) {
    if (!isSampledWarp(unit.context)) return true;
    if ((accesses[0].key & timeBit) != 0) return false;  // each access has a time
  }
  LaneAccess plain[Count];
#pragma unroll
  for (unsigned int i = 0; i < Count; ++i)
    plain[i] = {accesses[i].address, accesses[i].key & ~modeBits, accesses[i].bytes};
  return isProfiled(accesses[0].key) ? profileShortLoop(unit, plain, steps, times)
                                     : recordShortLoop(unit, plain, steps, times);
}

// Scalars: a structure would be passed in local memory.
CUI_OF_MODES
__device__ __noinline__ bool recordLoopOne(const DeviceUnit& unit, unsigned int key, unsigned long long a,
                                           int step, unsigned int bytes, unsigned int times) {
  const LaneAccess accesses[] = {{a, key, bytes}};
  const int steps[] = {step};
  return recordLoopOf(unit, accesses, steps, times);
}
CUI_OF_MODES
__device__ __noinline__ bool recordLoopTwo(const DeviceUnit& unit, unsigned int keyA, unsigned long long a,
                                           int stepA, unsigned int keyB, unsigned long long b, int stepB,
                                           unsigned int bytes, unsigned int times) {
  const LaneAccess accesses[] = {{a, keyA, bytes & 0xffffu}, {b, keyB, bytes >> 16}};
  const int steps[] = {stepA, stepB};
  return recordLoopOf(unit, accesses, steps, times);
}
CUI_OF_MODES
__device__ __noinline__ bool recordLoopThree(const DeviceUnit& unit, unsigned int keyA, unsigned long long a,
                                             int stepA, unsigned int keyB, unsigned long long b, int stepB,
                                             unsigned int keyC, unsigned long long c, int stepC,
                                             unsigned int bytes, unsigned int times) {
  const LaneAccess accesses[] = {
      {a, keyA, bytes & 0x3ffu}, {b, keyB, bytes >> 10 & 0x3ffu}, {c, keyC, bytes >> 20}};
  const int steps[] = {stepA, stepB, stepC};
  return recordLoopOf(unit, accesses, steps, times);
}
static __device__ __forceinline__ bool callLoop(const DeviceUnit& unit, const LaneAccess (&of)[1],
                                                const int (&steps)[1], unsigned int times) {
  return recordLoopOne(unit, of[0].key, of[0].address, steps[0], of[0].bytes, times);
}
static __device__ __forceinline__ bool callLoop(const DeviceUnit& unit, const LaneAccess (&of)[2],
                                                const int (&steps)[2], unsigned int times) {
  return recordLoopTwo(unit, of[0].key, of[0].address, steps[0], of[1].key, of[1].address, steps[1],
                       of[0].bytes | of[1].bytes << 16, times);
}
static __device__ __forceinline__ bool callLoop(const DeviceUnit& unit, const LaneAccess (&of)[3],
                                                const int (&steps)[3], unsigned int times) {
  return recordLoopThree(unit, of[0].key, of[0].address, steps[0], of[1].key, of[1].address, steps[1],
                         of[2].key, of[2].address, steps[2],
                         of[0].bytes | of[1].bytes << 10 | of[2].bytes << 20, times);
}

/// Accesses are few enough for the short way, and this code may take as many registers.
template <unsigned Count, bool Short = hasJointWay && Count <= 3>
struct LoopWay {
  static __device__ __forceinline__ bool record(const DeviceUnit& unit, const LoopPlace (&places)[Count],
                                                unsigned int times) {
    return recordLongLoop(unit, places, Count, times);
  }
};
template <unsigned Count>
struct LoopWay<Count, true> {
  static __device__ __forceinline__ bool record(const DeviceUnit& unit, const LoopPlace (&places)[Count],
                                                unsigned int times) {
    LaneAccess accesses[Count];
    int steps[Count];
    bool even = true;
#pragma unroll
    for (unsigned int i = 0; i < Count; ++i) {
      const LoopPlace& place = places[i];
      accesses[i] = laneAccess(unit, Accessed{place.site, place.bytes, place.cuiFirst});
      const unsigned long long start = reinterpret_cast<unsigned long long>(place.cuiFirst);
      const long long step =
          static_cast<long long>(reinterpret_cast<unsigned long long>(place.cuiSecond) - start);
      const long long all =
          static_cast<long long>(reinterpret_cast<unsigned long long>(place.cuiLast) - start);
      steps[i] = static_cast<int>(step);
      even &= (step == steps[i]) & (all == step * (times - 1)) & (place.bytes <= maxTogetherBytes);
    }
    return even && callLoop(unit, accesses, steps, times);
  }
};

/// Records `times` times round a loop with these accesses, in this order. False if nothing was done.
template <std::size_t Count>
static __device__ __forceinline__ bool recordLoop(const DeviceUnit& unit, const LoopPlace (&places)[Count],
                                                  unsigned int times) {
  return LoopWay<static_cast<unsigned>(Count)>::record(unit, places, times);
}

}  // namespace backend
}  // namespace cui
