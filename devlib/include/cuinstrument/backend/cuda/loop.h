// Device side: the accesses of a loop in one record, in front of it (device/loop.h). This is for whole warps
// that go round equally often, with addresses that follow a rule across the lanes (whole_form.h) and advance
// by the same distance from one time round to the next; part_loop.h has parts of warps, uneven_loop.h those
// whose lanes do not agree on how often. Whatever else there is is recorded access by access.
//
// It happens once for many accesses: what counts here is that it takes few registers.
#pragma once

#include "cuinstrument/backend/cuda/uneven_loop.h"

namespace cui {
namespace backend {

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

/// Counts a loop's accesses; lane i has the i-th one's site.
static __device__ __forceinline__ void countEach(DeviceContext* context, unsigned int site,
                                                 unsigned int count, unsigned int times) {
  constexpr unsigned int mask = 0xffffffffu;
  const bool counts = laneIndex() < count;
  const unsigned int slot = counterSlot(launchKey(), site, linearBlock());
  const CounterTable* const table = context->constants.counters;
  const bool known = loadOwn(&table->keys[slot].key) == counterKey(launchKey(), site);
  if (__all_sync(mask, known | !counts)) {
    addIf(counts, &context->constants.counters->sums[slot].requests, static_cast<unsigned long long>(times));
    return;
  }
#pragma unroll 1
  for (unsigned int i = 0; i < count; ++i)
    countLoop(context, mask, __shfl_sync(mask, site, static_cast<int>(i)), times);
}

/// Writes a loop's record; lane i has its i-th access.
CUI_OF_MODES
__device__ __noinline__ void emitLoop(DeviceContext* context, LoopAccess access, unsigned int count,
                                      unsigned int times) {
  SavedAccess saved;
  saved.context = context;
  saved.mask = 0xffffffffu;
  saved.group = 0xffffffffu;
  countEach(context, access.key >> keyShift, count, times);
  takeSlots(&saved, 1 + count);
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
  makeLoopHeader(record, 0xffffffffu, count, times);
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
    const LaneAccess access[1] = {laneAccess(unit, Accessed{place.site, place.bytes, place.cuiFirst})};
    WholeForm form;
    good &= findForm(access, 0, form);
    const int step = static_cast<int>(stepOf(place));
    good &= advancesEvenly(place, times) & (__shfl_sync(0xffffffffu, step, 0) == step) &
            (place.bytes <= format::maxRecordBytes);
    if (laneIndex() == i) *own = {form, step, access[0].key, place.bytes};
  }
  return __all_sync(0xffffffffu, good);
}

/// Records or adds up a loop of a whole warp whose lanes follow rules; lane i has its i-th access.
static __device__ __forceinline__ void recordForms(const DeviceUnit& unit, LoopAccess own, unsigned int count,
                                                   unsigned int times) {
  own.key &= ~modeBits;
  if (isProfiled(unit.firstKey)) return profileLoop(unit, own, count, times);
  emitLoop(contextOf(unit), own, count, times);
  __syncwarp(0xffffffffu);
}

/// Any number of accesses (at most format::maxLoopAccesses, one a lane), and the way for everything that the
/// short one is not ready for.
template <int>
__device__ __noinline__ bool recordLongLoop(const DeviceUnit& unit, const LoopPlace* places,
                                            unsigned int count, unsigned int times) {
  constexpr unsigned int mask = 0xffffffffu;
  if (__activemask() != mask) return recordPartOfLoop(unit, __activemask(), places, count, times);
  // Lanes from several loops can have met here.
  const bool even = __all_sync(mask, __shfl_sync(mask, times, 0) == times);
  if (!__all_sync(mask, __shfl_sync(mask, places->site, 0) == places->site)) return false;
  if (!even && !recordsUneven) return false;
  const LoopChoice choice = chooseLoop(unit);
  if (choice != LoopChoice::one) return choice == LoopChoice::none;
  LoopAccess own = {};
  if (!findLoopForms(unit, places, count, times, &own)) return false;
  const unsigned int common = minimumOf(mask, times);
  recordForms(unit, own, count, common);
  // The list is not needed any more.
  if (!even) recordBeyond(unit, const_cast<LoopPlace*>(places), count, times, common);
  return true;
}
#if defined(CUI_RECORDER_MODULE)
template <int>
__device__ __noinline__ bool recordGatheredLoop(const DeviceUnit& unit, unsigned int key,
                                                unsigned long long first, unsigned int second,
                                                unsigned int row, int step, unsigned int bytes,
                                                unsigned int count, unsigned int times) {
  const LoopChoice choice = chooseLoop(unit);
  if (choice != LoopChoice::one) return choice == LoopChoice::none;
  const unsigned int low = static_cast<unsigned int>(first), width = rowWidth();
  WholeForm form;
  form.first = first ^ static_cast<unsigned long long>(spaceOf(key)) << 60;
  form.stride = static_cast<int>(second - low);
  form.rowStride = static_cast<int>(row - low);
  const bool hasRows = width < 32 && form.rowStride != form.stride * static_cast<int>(width);
  form.rowBits = hasRows ? lowestLane(width) : 0;
  recordForms(unit, {form, step, key, bytes}, count, times);
  return true;
}
#endif

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

template <unsigned Count>
__device__ __noinline__ bool recordLoopAnew(const DeviceUnit& unit, LoopAccesses<Count> loop);

/// The short way, for up to three accesses: one look-up and one step for all of them, as recordWhole().
/// `Last`: count and room have been seen to; without them each access then finds its way.
template <unsigned Count, bool Last>
static __device__ __forceinline__ bool recordShortLoop(const DeviceUnit& unit,
                                                       const LoopAccesses<Count>& loop) {
  constexpr unsigned int mask = 0xffffffffu;
  const RecorderConstants constants = constantsOf(unit);
  const unsigned int lane = laneIndex();
  LoopAccess own = loopAccessOf(loop, lane);
  const Place place = findPlace<Last>(constants, own.key >> keyShift, 0);  // first: it takes longest
  const bool good = findForm(loop.of, lane, own.form) & agree(loop);
  if (!__all_sync(mask, good)) return false;
  const bool claims = mustClaim(place, mask);
  if (!isReady(place, mask, own.key >> keyShift, Count + 1)) return Last ? false : recordLoopAnew(unit, loop);
  const unsigned int first = ofLeader(mask, place.own.next), lap = ofLeader(mask, lapOf(place.own));
  const bool heads = lane == Count;
  format::WarpRecord record = loopRecord(own);
  record.generationA = static_cast<unsigned char>(lap);
  record.siteAndGeneration = (heads ? 0 : record.siteAndGeneration) | lap << 24;
  if (heads) makeLoopHeader(record, mask, Count, loop.times);
  const unsigned int slot = first + (heads ? 0 : lane + 1);
  if (claims) claimEach(lane < Count, constants, place, own.key >> keyShift);
  commitLoop(Count, loop.times, record, slotAt(constants, slot), constants.counters->sums + place.counter,
             place.cursor, Cursor{place.own.next + Count + 1, place.own.roomAndLap - (Count + 1)});
  return true;
}

/// Where count or chunk is not ready. By value, which is in local memory: recordSlowly() says why.
template <unsigned Count>
__device__ __noinline__ bool recordLoopAnew(const DeviceUnit& unit, LoopAccesses<Count> loop) {
#pragma unroll 1
  for (unsigned int i = 0; i < Count; ++i) CUI_SLOW_PATH(makeReady)
  (contextOf(unit), 0xffffffffu, siteOfAccess(loop.of[i].key), Count + 1);
  return recordShortLoop<Count, true>(unit, loop);
}

/// Where not all warps are recorded, or records tell their times.
template <unsigned Count>
__device__ __noinline__ bool recordLoopSelected(const DeviceUnit& unit, LoopAccesses<Count> loop) {
  if (!isSampledWarp(contextOf(unit))) return true;
  if ((loop.of[0].key & timeBit) != 0) return false;  // each access has a time
  if (isProfiled(loop.of[0].key)) return profileShortLoop<Count, false>(unit, loop);
  return recordShortLoop<Count, false>(unit, loop);
}

#if defined(CUI_RECORDER_MODULE)
/// Where its lanes do not go round equally often. By value, as recordLoopAnew().
template <unsigned Count>
__device__ __noinline__ bool recordUnevenLoop(const DeviceUnit& unit, LoopAccesses<Count> loop) {
  const LoopChoice choice = chooseLoop(unit);
  if (choice != LoopChoice::one) return choice == LoopChoice::none;
  const unsigned int times = loop.times;
  loop.times = minimumOf(0xffffffffu, times);
  LoopAccess own = loopAccessOf(loop, laneIndex());
  const bool good = findForm(loop.of, laneIndex(), own.form) & agree(loop);
  if (!__all_sync(0xffffffffu, good)) return false;
  recordForms(unit, own, Count, loop.times);
  EvenAccesses<Count> each = evenAccesses(loop);
  recordBeyond(unit, each.of, Count, times, loop.times);
  return true;
}
#else
template <unsigned Count>
static __device__ __forceinline__ bool recordUnevenLoop(const DeviceUnit&, const LoopAccesses<Count>&) {
  return false;
}
#endif
template <unsigned Count>
static __device__ __forceinline__ bool isUneven(const LoopAccesses<Count>& loop) {
  return recordsUneven && !__all_sync(0xffffffffu, __shfl_sync(0xffffffffu, loop.times, 0) == loop.times);
}

/// False if nothing was done; so the next.
template <unsigned Count>
static __device__ __forceinline__ bool loopInMode(const DeviceUnit& unit, const LoopAccesses<Count>& loop) {
  if (__activemask() != 0xffffffffu) return recordPartOfShortLoop(unit, loop);
  if (isUneven(loop)) return recordUnevenLoop(unit, loop);
  // Asked of all lanes, so that they are known to stay together: see addAccess().
  if (__any_sync(0xffffffffu, (loop.of[0].key & warpSampleBit) != 0)) return recordLoopSelected(unit, loop);
  return compilesProfile && profileShortLoop<Count, false>(unit, loop);
}
template <unsigned Count>
static __device__ __forceinline__ bool recordLoopOf(const DeviceUnit& unit, const LoopAccesses<Count>& loop) {
  if (!sitesAskForMode && hasMode(loop.of[0].key)) return loopInMode(unit, loop);
  if (__activemask() != 0xffffffffu) return recordPartOfShortLoop(unit, loop);
  if (isUneven(loop)) return recordUnevenLoop(unit, loop);
  return recordShortLoop<Count, false>(unit, loop);
}

static __device__ __forceinline__ LoopAccesses<1> loopOf(unsigned int key, unsigned long long a, int step,
                                                         unsigned int bytes, unsigned int times) {
  return {{{a, key, bytes}}, {step}, times};
}
static __device__ __forceinline__ LoopAccesses<2> loopOf(unsigned int keyA, unsigned long long a, int stepA,
                                                         unsigned int keyB, unsigned long long b, int stepB,
                                                         unsigned int bytes, unsigned int times) {
  const LaneAccesses<2> all = twoAccesses(keyA, a, keyB, b, bytes);
  return {{all.of[0], all.of[1]}, {stepA, stepB}, times};
}
static __device__ __forceinline__ LoopAccesses<3> loopOf(unsigned int keyA, unsigned long long a, int stepA,
                                                         unsigned int keyB, unsigned long long b, int stepB,
                                                         unsigned int keyC, unsigned long long c, int stepC,
                                                         unsigned int bytes, unsigned int times) {
  const LaneAccesses<3> all = threeAccesses(keyA, a, keyB, b, keyC, c, bytes);
  return {{all.of[0], all.of[1], all.of[2]}, {stepA, stepB, stepC}, times};
}

template <int>
__device__ __noinline__ bool recordLoopOne(const DeviceUnit& unit, unsigned int key, unsigned long long a,
                                           int step, unsigned int bytes, unsigned int times) {
  return recordLoopOf(unit, loopOf(key, a, step, bytes, times));
}
template <int>
__device__ __noinline__ bool recordLoopTwo(const DeviceUnit& unit, unsigned int keyA, unsigned long long a,
                                           int stepA, unsigned int keyB, unsigned long long b, int stepB,
                                           unsigned int bytes, unsigned int times) {
  return recordLoopOf(unit, loopOf(keyA, a, stepA, keyB, b, stepB, bytes, times));
}
template <int>
__device__ __noinline__ bool recordLoopThree(const DeviceUnit& unit, unsigned int keyA, unsigned long long a,
                                             int stepA, unsigned int keyB, unsigned long long b, int stepB,
                                             unsigned int keyC, unsigned long long c, int stepC,
                                             unsigned int bytes, unsigned int times) {
  return recordLoopOf(unit, loopOf(keyA, a, stepA, keyB, b, stepB, keyC, c, stepC, bytes, times));
}
template <int>
__device__ __noinline__ bool loopOneInMode(const DeviceUnit& unit, unsigned int key, unsigned long long a,
                                           int step, unsigned int bytes, unsigned int times) {
  return loopInMode(unit, loopOf(key, a, step, bytes, times));
}
template <int>
__device__ __noinline__ bool loopTwoInMode(const DeviceUnit& unit, unsigned int keyA, unsigned long long a,
                                           int stepA, unsigned int keyB, unsigned long long b, int stepB,
                                           unsigned int bytes, unsigned int times) {
  return loopInMode(unit, loopOf(keyA, a, stepA, keyB, b, stepB, bytes, times));
}
template <int>
__device__ __noinline__ bool loopThreeInMode(const DeviceUnit& unit, unsigned int keyA, unsigned long long a,
                                             int stepA, unsigned int keyB, unsigned long long b, int stepB,
                                             unsigned int keyC, unsigned long long c, int stepC,
                                             unsigned int bytes, unsigned int times) {
  return loopInMode(unit, loopOf(keyA, a, stepA, keyB, b, stepB, keyC, c, stepC, bytes, times));
}

}  // namespace backend
}  // namespace cui
