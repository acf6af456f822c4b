// Device side: turns what a warp does at one site into one record in the pool.
//
// The entry point is out of line: a kernel with hundreds of sites stays small, and the recorder's registers
// do not add to the kernel's own. It is one straight piece of code for nearly all accesses, with a single
// branch; what that does not take goes the general way (general.h). The lanes that come in together stay
// together: see ring.h on why no leader branches away from its warp.
#pragma once

#include "cuinstrument/backend/cuda/place.h"
#include "cuinstrument/backend/cuda/profile.h"

namespace cui {
namespace backend {

/// A record without payload, of all lanes of `mask`.
template <bool Whole>
static __device__ __forceinline__ bool emitShort(const DeviceUnit& unit, unsigned int mask,
                                                 const RecordHead& head, const Place& place) {
  const bool claims = mustClaim(place, mask);
  if (!isReady(place, mask, head.site, 1)) return false;
  emitAt<Whole>(unit, place, mask, head, 1, claims);
  return true;
}

/// A record with the offset or the address of each lane. The lanes agree on site and space.
template <bool Whole>
static __device__ __forceinline__ bool emitTable(const DeviceUnit& unit, unsigned int mask, unsigned int key,
                                                 unsigned long long address, unsigned int bytes,
                                                 RecordHead head, const Place& place) {
  const unsigned long long offset = address - head.address;
  const bool wide = !__all_sync(mask, offset == static_cast<unsigned long long>(static_cast<int>(offset)));
  const unsigned int slots = wide ? 9 : 5;
  const bool claims = mustClaim(place, mask);
  if (!isReady(place, mask, head.site, slots)) return false;
  const unsigned int first = 1 + ofLeader(mask, place.own.next);
  unsigned char* const table = slotAt(constantsOf(unit), first);
  if (wide)
    reinterpret_cast<unsigned long long*>(table)[laneIndex()] = address;
  else
    reinterpret_cast<unsigned int*>(table)[laneIndex()] = static_cast<unsigned int>(offset);
  head.maskWord = mask;
  head.stride = 0;
  head.shape = makeShape(bytes, wide ? format::AddressForm::full64 : format::AddressForm::offsets32,
                         spaceOf(key), false);
  emitAt<Whole>(unit, place, mask, head, slots, claims);
  return true;
}

// With -rdc=true a function has the registers that the calling convention gives it, and one that does all
// would take more than the 64 that a kernel of 1,024 threads has: there the place is looked for in a function
// of its own, which does the rest.
#if defined(CUI_FEW_REGISTERS)
CUI_OF_MODES
__device__ __noinline__ void findPlaceAndEmit(const DeviceUnit& unit, unsigned int mask, RecordHead head) {
  if (!emitShort<false>(unit, mask, head, findPlace<true>(constantsOf(unit), head.site, lowestLane(mask))))
    emitAffine(contextOf(unit), mask, head);
}
#endif

/// `Whole`: `lanes` are all 32, which makes the code a third shorter: masks that are constant cost nothing.
/// False if nothing was done, since count or chunk are not ready, or the lanes do not agree on site and
/// space; not with `Last`, which goes the general way then. Without it nothing is called: see recordSlowly().
template <bool Whole, bool Last>
static __device__ __forceinline__ bool recordShort(const DeviceUnit& unit, unsigned int lanes,
                                                   unsigned int key, unsigned long long address,
                                                   unsigned int bytes) {
  const unsigned int mask = Whole ? 0xffffffffu : lanes;
  const unsigned int lane = laneIndex();
  const unsigned int leader = Whole ? 0 : lowestLane(mask);
#if !defined(CUI_FEW_REGISTERS)
  const Place place = findPlace<Last>(constantsOf(unit), key >> keyShift, leader);  // first: it takes longest
#endif
  const unsigned int low = static_cast<unsigned int>(address);
  // All questions to other lanes are asked together: each group of them costs a test for lanes that have
  // parted.
  const unsigned int others = mask & (mask - 1);
  const unsigned int second = others != 0 ? lowestLane(others) : leader;
  RecordHead head;
  head.address = __shfl_sync(mask, address, leader);
  const unsigned int secondLow = __shfl_sync(mask, low, second);
  const bool same = __shfl_sync(mask, key, leader) == key;
  head.maskWord = mask;
  head.site = key >> keyShift;
  // Affine in the lane, or in column and row of a narrow block. Where the distance between the first two
  // lanes is no power of two that is not found out: it would take a division.
  const unsigned int firstLow = static_cast<unsigned int>(head.address);
  head.stride = static_cast<int>(secondLow - firstLow) >> (lowestLane(second - leader) & 31u);
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
  const bool follows = address == head.address + static_cast<unsigned long long>(offset);
  if (!__all_sync(mask, follows & same)) {
#if !defined(CUI_FEW_REGISTERS)
    if (__all_sync(mask, same) && emitTable<Whole>(unit, mask, key, address, bytes, head, place)) return true;
#endif
    if (!Last) return false;
    recordGeneral(contextOf(unit), mask, key, address, bytes, nullptr);
    return true;
  }

  head.address = format::addressWithRows(head.address, rowBits);
  const format::AddressForm form = rowBits != 0 ? format::AddressForm::rows : format::AddressForm::affine;
  head.shape = makeShape(bytes, form, spaceOf(key), false);
#if defined(CUI_FEW_REGISTERS)
  findPlaceAndEmit(unit, mask, head);
#else
  if (!emitShort<Whole>(unit, mask, head, place)) {
    if (!Last) return false;
    emitAffine(contextOf(unit), mask, head);
  }
#endif
  return true;
}

#if !defined(CUI_FEW_REGISTERS)
/// recordShort() of a whole warp. Whether it follows a rule and whether its place is ready is asked at once,
/// as nearly always both are so, and narrow blocks take no branch of their own: a branch takes a warp that
/// runs by itself as long as ten instructions.
static __device__ __forceinline__ bool recordWholeShort(const DeviceUnit& unit, unsigned int key,
                                                        unsigned long long address, unsigned int bytes) {
  constexpr unsigned int mask = 0xffffffffu;
  const Place place = findPlace<false>(constantsOf(unit), key >> keyShift, 0);  // first: it takes longest
  const unsigned int lane = laneIndex(), low = static_cast<unsigned int>(address), width = rowWidth();
  RecordHead head;
  head.address = __shfl_sync(mask, address, 0);
  const unsigned int secondLow = __shfl_sync(mask, low, 1);
  const unsigned int rowLow =
      __shfl_sync(mask, low, static_cast<int>(width & 31u));  // the first, if there is one row
  const bool same = __shfl_sync(mask, key, 0) == key;
  head.site = key >> keyShift;
  const unsigned int firstLow = static_cast<unsigned int>(head.address), rowBits = lowestLane(width);
  head.stride = static_cast<int>(secondLow - firstLow);
  const int rowStride = static_cast<int>(rowLow - firstLow);
  const long long offset = static_cast<long long>(head.stride) * static_cast<int>(lane & (width - 1)) +
                           static_cast<long long>(rowStride) * static_cast<int>(lane >> rowBits);
  const bool follows = address == head.address + static_cast<unsigned long long>(offset);
  const bool claims = mustClaim(place, mask);
  if (__all_sync(mask, follows & same & isReadyHere(place, mask, head.site, 1))) {
    const bool hasRows = (width < 32) & (rowStride != head.stride << rowBits);
    head.maskWord = hasRows ? static_cast<unsigned int>(rowStride) : mask;
    head.address = format::addressWithRows(head.address, hasRows ? rowBits : 0);
    head.shape = makeShape(bytes, hasRows ? format::AddressForm::rows : format::AddressForm::affine,
                           spaceOf(key), false);
    emitAt<true>(unit, place, mask, head, 1, claims);
    return true;
  }
  return __all_sync(mask, same) && emitTable<true>(unit, mask, key, address, bytes, head, place);
}
#endif

/// What recordShort() leaves. The short ways end in calls like this one, and make no others: a function that
/// uses a value behind a call saves registers for it wherever it is entered, and of a hot one that takes more
/// time than its work.
CUI_OF_MODES
__device__ __noinline__ void recordSlowly(const DeviceUnit& unit, unsigned int mask, unsigned int key,
                                          unsigned long long address, unsigned int bytes) {
  // Lanes from several sites can have met here: of these, recordGeneral() sees to what each site needs.
  const unsigned int leaders = __shfl_sync(mask, key, lowestLane(mask));
  makeReady(contextOf(unit), mask, leaders >> keyShift, 9);
  recordShort<false, true>(unit, mask, key, address, bytes);
}

// What the short ways leave to others is called through pointers. Where there is such a call, ptxas compiles
// by the calling convention: whoever is called saves the registers that it takes. Otherwise it gives every
// function of the chain registers of its own, on top of the kernel's, and spills the kernel's. With -rdc=true
// that convention is in force anyway.
#if !defined(CUI_SLOW_PATH)
struct SlowPaths {
  void (*recordGeneral)(DeviceContext*, unsigned int, unsigned int, unsigned long long, unsigned int,
                        const void*);
  void (*recordFact)(DeviceContext*, unsigned int, format::RecordType, unsigned int, unsigned long long,
                     unsigned int, unsigned int, int);
  void (*recordSlowly)(const DeviceUnit&, unsigned int, unsigned int, unsigned long long, unsigned int);
  void (*makeReady)(DeviceContext*, unsigned int, unsigned int, unsigned int);
  void (*passBarrier)(DeviceContext*, unsigned int, bool);
  unsigned int (*beginRun)(DeviceContext*, unsigned int);
  void (*tellTime)(DeviceContext*, unsigned int);
};
// What only traces need has no address where they are not compiled: then it is not compiled either.
static CUI_CONSTANT SlowPaths slowPaths = {
    compilesTrace ? &recordGeneral<> : nullptr, &recordFact<>,
    compilesTrace ? &recordSlowly<> : nullptr,  compilesTrace ? &makeReady<> : nullptr,
    compilesTrace ? &passBarrier<> : nullptr,   compilesTrace ? &beginRun<> : nullptr,
    compilesTrace ? &tellTime<> : nullptr};
#define CUI_SLOW_PATH(function) slowPaths.function
#endif

/// An access of the lanes of `mask`, in trace mode.
template <bool Whole>
static __device__ __forceinline__ void recordLanes(const DeviceUnit& unit, unsigned int mask,
                                                   unsigned int key, unsigned long long address,
                                                   unsigned int bytes) {
  if (!recordShort<Whole, false>(unit, mask, key, address, bytes))
    CUI_SLOW_PATH(recordSlowly)(unit, mask, key, address, bytes);
}

CUI_OF_MODES
__device__ CUI_STEP void recordPart(const DeviceUnit& unit, unsigned int mask, unsigned int key,
                                    unsigned long long address, unsigned int bytes) {
  recordLanes<false>(unit, mask, key, address, bytes);
}

/// Where not all warps are recorded, or records tell their times.
CUI_OF_MODES
__device__ __noinline__ void recordSelected(const DeviceUnit& unit, unsigned int keyAndMode,
                                            unsigned long long address, unsigned int bytes) {
  const unsigned int mask = __activemask(), key = keyAndMode & ~modeBits;
  if (!isSampledWarp(contextOf(unit))) return;
  if (isProfiled(keyAndMode)) return profileWarp(unit, mask, key, address, bytes);
  if ((keyAndMode & timeBit) != 0) CUI_SLOW_PATH(tellTime)(contextOf(unit), mask);
  recordPart(unit, mask, key, address, bytes);  // which takes whole warps, too
}

#if defined(CUI_RECORDER_MODULE)
template <int>
__device__ __noinline__ void profileOtherwise(const DeviceUnit& unit, unsigned int mask,
                                              unsigned int keyAndMode, unsigned long long address,
                                              unsigned int bytes) {
  if ((keyAndMode & warpSampleBit) != 0) return recordSelected(unit, keyAndMode, address, bytes);
  const LaneAccess own = {address, keyAndMode, bytes};
  if (beginEntry(unit, teamOf(mask), own) && addTeam<false>(unit, teamOf(mask), own)) {
    if (__all_sync(mask, mask == 0xffffffffu)) claimRuleless(unit, own.key);
    return;
  }
  profileGenerally(unit, mask, keyAndMode & ~modeBits, address, bytes);
}
#endif

/// Adds an access of the calling lanes to the profile, or records what is selected of it.
template <int>
__device__ __noinline__ void warpInMode(const DeviceUnit& unit, unsigned int keyAndMode,
                                        unsigned long long address, unsigned int bytes) {
#if defined(CUI_RECORDER_MODULE)
  if (!compilesProfile) return recordSelected(unit, keyAndMode, address, bytes);
  addAccess<true>(unit, __activemask(), keyAndMode, address, bytes);
#else
  if ((keyAndMode & warpSampleBit) != 0) return recordSelected(unit, keyAndMode, address, bytes);
  if (compilesProfile) addAccess<false>(unit, __activemask(), keyAndMode & ~modeBits, address, bytes);
#endif
}

/// Records an access of the calling lanes, without values.
template <int>
__device__ __noinline__ void recordWarp(const DeviceUnit& unit, unsigned int keyAndMode,
                                        unsigned long long address, unsigned int bytes) {
  const unsigned int mask = __activemask();
  if (!sitesAskForMode && hasMode(keyAndMode)) {
    if ((keyAndMode & warpSampleBit) != 0) return recordSelected(unit, keyAndMode, address, bytes);
    if (compilesProfile) profileWarp(unit, mask, keyAndMode & ~modeBits, address, bytes);
  } else if (mask == 0xffffffffu) {
#if defined(CUI_FEW_REGISTERS)
    recordLanes<true>(unit, mask, keyAndMode, address, bytes);
#else
    if (!recordWholeShort(unit, keyAndMode, address, bytes))
      CUI_SLOW_PATH(recordSlowly)(unit, mask, keyAndMode, address, bytes);
#endif
  } else {
    recordPart(unit, mask, keyAndMode, address, bytes);
  }
}

}  // namespace backend
}  // namespace cui
