// Device side, in the module: loops that a part of a warp goes round, as at the edge of an array (loop.h has
// whole warps). What counts here is little code: it is for few warps, but without it each of these would be
// slower than all the others together.
#pragma once

#include "cuinstrument/backend/cuda/profile_loop.h"
#include "cuinstrument/backend/cuda/together.h"
#include "cuinstrument/device/accessed.h"

namespace cui {
namespace backend {

/// Counts the accesses that lanes make in a loop at a site.
CUI_OF_MODES
__device__ __noinline__ void countLoop(DeviceContext* context, unsigned int mask, unsigned int site,
                                       unsigned int times) {
  const unsigned int leader = lowestLane(mask);
  CounterSums* const sums = counterOf(context, mask, leader, site);
  if (sums == nullptr) return;
  const bool leads = laneIndex() == leader;
  const unsigned long long idle = 32ull - static_cast<unsigned int>(__popc(mask));
  addIf(leads, &sums->requests, static_cast<unsigned long long>(times));
  addIf(leads && idle != 0, &sums->idleLanes, idle * times);
}

/// What is a loop's header in a record of the calling lanes'; its tags are as they were.
static __device__ __forceinline__ void makeLoopHeader(format::WarpRecord& record, unsigned int mask,
                                                      unsigned int count, unsigned int times) {
  record.address = times;
  record.activeMask = mask;
  record.warpAndBytes = format::makeWarpAndBytes(linearThread() / 32, count);
  record.flags = format::markFlags(format::Mark::loop);
  record.launch = launchKey();
  record.block = blockOfProgram();
  record.stride = 0;
}

/// Whether a loop is left out, or is to be recorded access by access; else it is for one of its
/// records.
enum class LoopChoice { none, each, one };
static __device__ __forceinline__ LoopChoice chooseLoop(const DeviceUnit& unit) {
  if ((unit.firstKey & warpSampleBit) == 0) return LoopChoice::one;
  if (!isSampledWarp(contextOf(unit))) return LoopChoice::none;
  return (unit.firstKey & timeBit) != 0 ? LoopChoice::each : LoopChoice::one;  // each access has a time
}

#if defined(CUI_RECORDER_MODULE)
/// An access of a loop as the calling lane knows it, which advances evenly.
struct EvenAccess {
  unsigned long long address;  ///< the first time round
  int step;                    ///< bytes from one time round to the next
  unsigned int key, bytes;
};
static __device__ __forceinline__ EvenAccess evenAccess(const DeviceUnit&, const EvenAccess& access,
                                                        unsigned int, bool&) {
  return access;
}
static __device__ __forceinline__ EvenAccess evenAccess(const DeviceUnit& unit, const LoopPlace& place,
                                                        unsigned int times, bool& even) {
  even &= advancesEvenly(place, times);
  const LaneAccess own = laneAccess(unit, Accessed{place.site, place.bytes, place.cuiFirst});
  return {own.address, static_cast<int>(stepOf(place)), own.key & ~modeBits, place.bytes};
}

/// A rule that the calling lanes' addresses follow, counted from the lowest of them.
struct PartForm {
  unsigned long long first;
  int stride;
  bool follows;  ///< the calling lane
};
static __device__ __forceinline__ PartForm partForm(unsigned int mask, const EvenAccess& own) {
  const unsigned int leader = lowestLane(mask), others = mask & (mask - 1);
  const unsigned int second = others != 0 ? lowestLane(others) : leader;
  const int from = static_cast<int>(leader);
  PartForm form;
  form.first = __shfl_sync(mask, own.address, from);
  const unsigned int next =
      __shfl_sync(mask, static_cast<unsigned int>(own.address), static_cast<int>(second));
  const bool alike =
      (__shfl_sync(mask, own.key, from) == own.key) & (__shfl_sync(mask, own.step, from) == own.step);
  // As recordShort(): other distances than powers of two would take a division.
  form.stride =
      static_cast<int>(next - static_cast<unsigned int>(form.first)) >> (lowestLane(second - leader) & 31u);
  form.follows =
      alike &
      (own.address == form.first + static_cast<unsigned long long>(static_cast<long long>(form.stride) *
                                                                   static_cast<int>(laneIndex() - leader)));
  return form;
}

/// Adds all times round of an access to the table: there are no entries for as many times of a part.
CUI_OF_ANY_MODE
__device__ __noinline__ void profilePartTimes(const DeviceUnit& unit, unsigned int mask, EvenAccess own,
                                              unsigned int times) {
  const PartForm form = partForm(mask, own);
  const unsigned int threads = static_cast<unsigned int>(__popc(mask)), run = mask >> lowestLane(mask);
  LoopCost cost;
  const LoopAccess access = {{form.first, form.stride, 0, 0}, own.step, own.key, own.bytes};
  const bool neighbours = (run & (run + 1)) == 0;
  if (__all_sync(mask, form.follows & neighbours & costOfTimes(access, times, 0, 1, cost, threads))) {
    const unsigned long long requests = times;
    if (laneIndex() == lowestLane(mask))
      addSums(contextOf(unit)->profile, launchKey(), own.key >> keyShift,
              spaceOf(own.key) == format::Space::shared,
              {requests, requests * threads * own.bytes, cost.excess, requests * (32 - threads),
               cost.idealDelta, cost.uselessBytes, cost.high, ~cost.low});
    __syncwarp(mask);
    return;
  }
#pragma unroll 1
  for (unsigned int time = 0; time < times; ++time)
    profileWarp(unit, mask, own.key,
                own.address + static_cast<unsigned long long>(static_cast<long long>(own.step) * time),
                own.bytes);
}

/// Writes the record of a loop of the lanes of `mask`, whose accesses all follow a rule.
template <class Place>
__device__ __noinline__ void emitPartLoop(const DeviceUnit& unit, unsigned int mask, const Place* places,
                                          unsigned int count, unsigned int times) {
  SavedAccess saved;
  saved.context = contextOf(unit);
  saved.mask = mask;
  saved.group = mask;
  takeSlots(&saved, 1 + count);
  const bool leads = laneIndex() == lowestLane(mask);
  bool even = true;
#pragma unroll 1
  for (unsigned int i = 0; i < count; ++i) {
    const EvenAccess own = evenAccess(unit, places[i], times, even);
    const PartForm form = partForm(mask, own);
    countLoop(saved.context, mask, own.key >> keyShift, times);
    const RecordHead head = {form.first, mask, own.key >> keyShift,
                             makeShape(own.bytes, format::AddressForm::affine, spaceOf(own.key), false),
                             form.stride};
    if (saved.slots != nullptr)
      writeHeader(placeOf(&saved, (1 + i) * format::slotBytes), leads,
                  accessHeader(head, static_cast<unsigned int>(own.step), 0));
  }
  if (saved.slots == nullptr) {  // counted as one record
    addIf(leads, &saved.context->state.dropped, static_cast<unsigned long long>(count) * times - 1);
    return;
  }
  if (saved.inRing) {
    __threadfence_system();  // payload before header, for a reader on the host
    __syncwarp(mask);
  }
  format::WarpRecord record;
  makeLoopHeader(record, mask, count, times);
  record.generationA = static_cast<unsigned char>(saved.tag);
  record.siteAndGeneration = saved.tag << 24;
  writeHeader(placeOf(&saved, 0), leads, record);
}

/// Of the lanes of `mask`; false if nothing was done.
template <class Place>
__device__ __noinline__ bool recordPartOfLoop(const DeviceUnit& unit, unsigned int mask, const Place* places,
                                              unsigned int count, unsigned int times) {
  const int leader = static_cast<int>(lowestLane(mask));
  const LoopChoice choice = chooseLoop(unit);
  if (choice != LoopChoice::one) return choice == LoopChoice::none;
  // Lanes from several loops can have met here.
  bool good = __shfl_sync(mask, times, leader) == times;
#pragma unroll 1
  for (unsigned int i = 0; i < count; ++i) {
    bool even = true;
    const EvenAccess own = evenAccess(unit, places[i], times, even);
    const bool alike = (__shfl_sync(mask, own.key, leader) ^ own.key) >> keyShift == 0;
    const bool follows = isProfiled(unit.firstKey) | partForm(mask, own).follows;
    good &= even & alike & follows & (own.bytes <= format::maxRecordBytes);
  }
  if (!__all_sync(mask, good)) return false;
  if (!isProfiled(unit.firstKey)) {
    emitPartLoop(unit, mask, places, count, times);
    __syncwarp(mask);
    return true;
  }
  bool even = true;
#pragma unroll 1
  for (unsigned int i = 0; i < count; ++i)
    profilePartTimes(unit, mask, evenAccess(unit, places[i], times, even), times);
  return true;
}

/// Those that are passed in registers, as a list.
template <unsigned Count>
struct EvenAccesses {
  EvenAccess of[Count];
};
template <unsigned Count>
static __device__ __forceinline__ EvenAccesses<Count> evenAccesses(const LoopAccesses<Count>& loop) {
  EvenAccesses<Count> all;
#pragma unroll
  for (unsigned int i = 0; i < Count; ++i)
    all.of[i] = {loop.of[i].address, loop.steps[i], loop.of[i].key & ~modeBits, loop.of[i].bytes};
  return all;
}
template <unsigned Count>
__device__ __noinline__ bool recordPartOfShortLoop(const DeviceUnit& unit, LoopAccesses<Count> loop) {
  return recordPartOfLoop(unit, __activemask(), evenAccesses(loop).of, Count, loop.times);
}
#else
// Each kernel would have a copy of all that: its lanes record access by access.
template <class Place>
static __device__ __forceinline__ bool recordPartOfLoop(const DeviceUnit&, unsigned int, const Place*,
                                                        unsigned int, unsigned int) {
  return false;
}
template <unsigned Count>
static __device__ __forceinline__ bool recordPartOfShortLoop(const DeviceUnit&, const LoopAccesses<Count>&) {
  return false;
}
#endif

}  // namespace backend
}  // namespace cui
