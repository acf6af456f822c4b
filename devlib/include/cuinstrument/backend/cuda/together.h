// Device side: several accesses of one expression, in one step (CUI_TOGETHER). Whole warps whose accesses all
// follow a rule write their records at once: which launch, block and warp it is, the chunk and its room are
// looked up once, and each of the first lanes writes a record of its own. Whatever else there is comes to the
// recorder one by one.
#pragma once

#include "cuinstrument/backend/cuda/one_by_one.h"
#include "cuinstrument/backend/cuda/profile_together.h"
#include "cuinstrument/device/accessed.h"

namespace cui {
namespace backend {

/// The record, its count and, from lane 0, the cursor behind all of them. As commit().
static __device__ __forceinline__ void commitEach(bool writes, const format::WarpRecord& record,
                                                  unsigned char* slot, CounterSums* sums, bool leads,
                                                  Cursor* cursor, Cursor next) {
  const unsigned int* words = reinterpret_cast<const unsigned int*>(&record);
  asm volatile(
      "{\n\t.reg .pred p, q;\n\tsetp.ne.u32 p, %13, 0;\n\tsetp.ne.u32 q, %14, 0;\n\t"
      "@p red.global.add.u64 [%12], 1;\n\t"
      "@p st.global.v4.u32 [%0], {%1, %2, %3, %4};\n\t"
      "@p st.global.v4.u32 [%0 + 16], {%5, %6, %7, %8};\n\t"
      "@q st.global.v2.u32 [%9], {%10, %11};\n\t}" ::"l"(slot),
      "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3]), "r"(words[4]), "r"(words[5]), "r"(words[6]),
      "r"(words[7]), "l"(cursor), "r"(next.next), "r"(next.roomAndLap), "l"(sums), "r"(writes ? 1u : 0u),
      "r"(leads ? 1u : 0u)
      : "memory");
}

template <unsigned Count>
__device__ __noinline__ void recordWholeAnew(const DeviceUnit& unit, LaneAccesses<Count> all);
/// As ProfileAnew.
template <bool Last>
struct RecordAnew {
  template <unsigned Count>
  static __device__ __forceinline__ void record(const DeviceUnit& unit, const LaneAccesses<Count>& all) {
    recordWholeAnew(unit, all);
  }
};
template <>
struct RecordAnew<true> {
  template <unsigned Count>
  static __device__ __forceinline__ void record(const DeviceUnit&, const LaneAccesses<Count>&) {}
};

/// Of all lanes of a warp; false if nothing was done. `Last`: counts and room have been seen to.
template <unsigned Count, bool Last>
static __device__ __forceinline__ bool recordWhole(const DeviceUnit& unit, const LaneAccesses<Count>& all) {
  constexpr unsigned int mask = 0xffffffffu;
  const RecorderConstants constants = constantsOf(unit);
  const unsigned int lane = laneIndex();
  // Lane i has the i-th record; those without one repeat the first's.
  const LaneAccess own = accessOf(all.of, lane);
  RecordHead head;
  head.site = own.key >> keyShift;
  const Place place = findPlace<Last>(constants, head.site, 0);  // first: it takes longest
  WholeForm form;
  const bool follows = findForm(all.of, lane, form);
  const bool claims = mustClaim(place, mask);
  if (!__all_sync(mask, follows & isReadyHere(place, mask, head.site, Count))) {
    if (Last || !__all_sync(mask, follows)) return false;
    RecordAnew<Last>::record(unit, all);  // the last step: recordSlowly() says why
    return true;
  }
  const unsigned int first = ofLeader(mask, place.own.next), lap = ofLeader(mask, lapOf(place.own));
  if (claims) claimEach(lane < Count, constants, place, head.site);
  head.address = format::addressWithRows(form.first, form.rowBits);
  head.maskWord = form.rowBits != 0 ? static_cast<unsigned int>(form.rowStride) : mask;
  head.stride = form.stride;
  head.shape =
      makeShape(own.bytes, form.rowBits != 0 ? format::AddressForm::rows : format::AddressForm::affine,
                spaceOf(own.key), false);
  commitEach(lane < Count, accessHeader(head, place.launch, lap), slotAt(constants, first + lane),
             constants.counters->sums + place.counter, storesAsOne || lane == 0, place.cursor,
             Cursor{place.own.next + Count, place.own.roomAndLap - Count});
  return true;
}

template <unsigned Count>
static __device__ __forceinline__ void profileAll(const DeviceUnit& unit, const LaneAccesses<Count>& all) {
  const unsigned int mask = __activemask();
  if (compilesProfile && hasJointWay && mask == 0xffffffffu && profileWhole<Count, false>(unit, all)) return;
  profileEach(unit, mask, all);
}
/// Where entries are others', as in a launch's beginning: as recordWholeAnew().
template <unsigned Count>
__device__ __noinline__ void profileWholeAnew(const DeviceUnit& unit, LaneAccesses<Count> all) {
  claimEntries(contextOf(unit), all.of);
  if (!profileWhole<Count, true>(unit, all)) profileEach(unit, 0xffffffffu, all);
}
template <unsigned Count>
static __device__ __forceinline__ bool recordTogether(const DeviceUnit& unit,
                                                      const LaneAccesses<Count>& all) {
  return hasJointWay && __activemask() == 0xffffffffu && recordWhole<Count, false>(unit, all);
}
/// Where chunk or counts are not ready: sees to them, then together all the same. Counts in both places of
/// which others' are go one by one, in places that none of the others wants. By value, which is in local
/// memory, where it does no harm in what is slow.
template <unsigned Count>
__device__ __noinline__ void recordWholeAnew(const DeviceUnit& unit, LaneAccesses<Count> all) {
  const unsigned int lane = laneIndex(), site = accessOf(all.of, lane).key >> keyShift;
  const RecorderConstants constants = constantsOf(unit);
  const Place place = findPlace<true>(constants, site, 0);
  if (mustClaim(place, 0xffffffffu)) claimEach(lane < Count, constants, place, site);
  CUI_SLOW_PATH(makeReady)(contextOf(unit), 0xffffffffu, all.of[0].key >> keyShift, Count);
  if (!recordWhole<Count, true>(unit, all)) recordEach(unit, all);
}
template <int>
__device__ __noinline__ void twoInMode(const DeviceUnit& unit, unsigned int keyA, unsigned long long a,
                                       unsigned int keyB, unsigned long long b, unsigned int bytes) {
  profileAll(unit, twoAccesses(keyA, a, keyB, b, bytes));
}
template <int>
__device__ __noinline__ void threeInMode(const DeviceUnit& unit, unsigned int keyA, unsigned long long a,
                                         unsigned int keyB, unsigned long long b, unsigned int keyC,
                                         unsigned long long c, unsigned int bytes) {
  profileAll(unit, threeAccesses(keyA, a, keyB, b, keyC, c, bytes));
}
template <int>
__device__ __noinline__ void recordTwo(const DeviceUnit& unit, unsigned int keyA, unsigned long long a,
                                       unsigned int keyB, unsigned long long b, unsigned int bytes) {
  if (!sitesAskForMode && hasMode(keyA)) return twoInMode(unit, keyA, a, keyB, b, bytes);
  const LaneAccesses<2> all = twoAccesses(keyA, a, keyB, b, bytes);
  if (!recordTogether(unit, all)) recordEach(unit, all);
}
template <int>
__device__ __noinline__ void recordThree(const DeviceUnit& unit, unsigned int keyA, unsigned long long a,
                                         unsigned int keyB, unsigned long long b, unsigned int keyC,
                                         unsigned long long c, unsigned int bytes) {
  if (!sitesAskForMode && hasMode(keyA)) return threeInMode(unit, keyA, a, keyB, b, keyC, c, bytes);
  const LaneAccesses<3> all = threeAccesses(keyA, a, keyB, b, keyC, c, bytes);
  if (!recordTogether(unit, all)) recordEach(unit, all);
}

}  // namespace backend
}  // namespace cui
