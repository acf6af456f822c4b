// Device side of profile mode, the general way: accesses of any lanes to any addresses (profile.h has the
// short way, and says how totals are kept).
#pragma once

#include "cuinstrument/backend/cuda/lane_cost.h"
#include "cuinstrument/backend/cuda/profile_warp_sums.h"

namespace cui {
namespace backend {

/// As addToProfile() takes it, of memory that is not shared.
static __device__ __forceinline__ unsigned int siteOnly(unsigned int key) {
  return key >> keyShift << 1;
}

/// addToProfile(), without a call where a step of the module can do with what it has.
static __device__ __forceinline__ void addChange(const DeviceUnit& unit, unsigned int lanes,
                                                 unsigned int siteAndShared, unsigned int bytes,
                                                 const ProfileChange& change) {
#if defined(CUI_RECORDER_MODULE)
  if (lanes == 0xffffffffu) return addToEntry(unit, siteAndShared >> 1, (siteAndShared & 1u) != 0, change);
#endif
  addToProfile(unit, lanes, siteAndShared, bytes, change.excess, change.idealDelta, change.uselessBytes,
               change.low, change.high);
}

static __device__ __forceinline__ void addGroup(const DeviceUnit& unit, const LaneGroup& group,
                                                unsigned int siteAndShared, unsigned int excess,
                                                int idealDelta, unsigned int uselessBytes,
                                                unsigned long long low, unsigned long long high) {
  const unsigned int count = static_cast<unsigned int>(__popc(group.lanes));
  addChange(unit, group.lanes, siteAndShared, group.bytes,
            {count * group.bytes, excess, 32 - count, idealDelta, uselessBytes, low, high});
}

// The functions below pass a group on as their last step, in pieces (see recordSlowly(), addToProfile()).
/// Adds an access of `lanes`, which agree on site and space.
CUI_OF_ANY_MODE
__device__ CUI_STEP void profileShared(const DeviceUnit& unit, unsigned int mask, unsigned int lanes,
                                       unsigned long long address, unsigned int bytes, unsigned int key) {
  const LaneGroup group = {mask, lanes, address, bytes};
  const GroupCost cost = costInWavefronts(group);
  addGroup(unit, group, siteOnly(key) | 1u, cost.cost - cost.ideal, static_cast<int>(cost.ideal) - 1, 0,
           cost.low, cost.high);
}
/// Requests of constant memory, which has no sectors: the site's sums of shared memory count them
/// (format/profile.h). Of one lane.
static __device__ __forceinline__ void countConstant(const DeviceUnit& unit, unsigned int site,
                                                     unsigned long long requests) {
  const ProfileTable& table = contextOf(unit)->profile;
  const unsigned int launch = launchKey();
  addNow(&tableSums(table, launch, site, true)->uselessBytes, requests);
  noteInTable(table, launch, site, notedLaunch(table, launch), true);
}
/// Adds an access to constant memory.
CUI_OF_ANY_MODE
__device__ __noinline__ void addConstant(const DeviceUnit& unit, unsigned int lanes,
                                         unsigned int siteAndShared, unsigned int bytes,
                                         unsigned long long low, unsigned long long high) {
  if (laneIndex() == lowestLane(lanes)) countConstant(unit, siteAndShared >> 1, 1);
  const unsigned int all = static_cast<unsigned int>(__popc(lanes)) * bytes;
  addToProfile(unit, lanes, siteAndShared, bytes, 0, -static_cast<int>(all), all, low, high);
}
static __device__ __forceinline__ void addMemory(const DeviceUnit& unit, const LaneGroup& group,
                                                 unsigned int key, const GroupCost& cost) {
  const unsigned int bytes = static_cast<unsigned int>(__popc(group.lanes)) * group.bytes;
  const unsigned int ideal = (cost.usefulBytes + 31) / 32;
  if (spaceOf(key) == format::Space::constant)
    return addConstant(unit, group.lanes, siteOnly(key), group.bytes, cost.low, cost.high);
  addGroup(unit, group, siteOnly(key), cost.cost - ideal, static_cast<int>(32 * ideal - bytes),
           bytes - cost.usefulBytes, cost.low, cost.high);
}
/// Lanes in any order that may overlap in part.
CUI_OF_ANY_MODE
__device__ __noinline__ void profileOverlapping(const DeviceUnit& unit, unsigned int mask, unsigned int lanes,
                                                unsigned long long address, unsigned int bytes,
                                                unsigned int key) {
  const LaneGroup group = {mask, lanes, address, bytes};
  GroupCost cost;
  unsigned long long before = 0;
  const bool follows = findPredecessor(group, before, cost);
  addBeyond(group, follows, false, before, cost);
  addMemory(unit, group, key, cost);
}
static __device__ __forceinline__ void addInOrder(const DeviceUnit& unit, const LaneGroup& group,
                                                  unsigned int key, const LaneOrder& order) {
  if (order.up || order.down) {
    GroupCost cost;
    addBeyond(group, order.follows, !order.up, order.before, cost);
    cost.low = order.up ? order.first : order.last;
    cost.high = (order.up ? order.last : order.first) + group.bytes - 1;
    addMemory(unit, group, key, cost);
  } else if (order.aligned) {
    addMemory(unit, group, key, costOfAligned(group, order.first));
  } else {
    profileOverlapping(unit, group.mask, group.lanes, group.address, group.bytes, key);
  }
}
CUI_OF_ANY_MODE
__device__ CUI_STEP void profileMemory(const DeviceUnit& unit, unsigned int mask, unsigned int lanes,
                                       unsigned long long address, unsigned int bytes, unsigned int key) {
  addInOrder(unit, {mask, lanes, address, bytes}, key, orderOf({mask, lanes, address, bytes}, true));
}

/// Lanes that met here from different sites, or with generic pointers into different spaces.
CUI_OF_ANY_MODE
__device__ __noinline__ void profileMixed(const DeviceUnit& unit, unsigned int mask, unsigned int key,
                                          unsigned long long address, unsigned int bytes) {
  // In local memory for the same reason as SavedAccess.
  volatile struct {
    const DeviceUnit* unit;
    unsigned long long address;
    unsigned int mask, remaining, key, bytes;
  } saved;
  saved.unit = &unit;
  saved.address = address;
  saved.mask = mask;
  saved.remaining = mask;
  saved.key = key;
  saved.bytes = bytes;
  while (saved.remaining != 0) {
    const unsigned int first = lowestLane(saved.remaining);
    const unsigned int common = __shfl_sync(saved.mask, saved.key, first);
    const unsigned int lanes = __ballot_sync(saved.mask, common == saved.key) & saved.remaining;
    const unsigned int size = __shfl_sync(saved.mask, saved.bytes, first);
    saved.remaining = saved.remaining & ~lanes;
    if (spaceOf(common) == format::Space::shared)
      profileShared(*saved.unit, saved.mask, lanes, saved.address, size, common);
    else
      profileMemory(*saved.unit, saved.mask, lanes, saved.address, size, common);
  }
  __syncwarp(saved.mask);
}

/// Adds an access of any lanes to any memory.
CUI_OF_ANY_MODE
__device__ CUI_STEP void profileLanes(const DeviceUnit& unit, unsigned int mask, unsigned int key,
                                      unsigned long long address, unsigned int bytes) {
  const unsigned int common = __shfl_sync(mask, key, lowestLane(mask));
#if defined(CUI_RECORDER_MODULE)
  if (mask != 0xffffffffu) {  // it asks all it may have to know at once, see orderOf()
    const LaneGroup group = {mask, mask, address, bytes};
    const LaneOrder order = orderOf(group, common == key);
    if (!order.fits)
      profileMixed(unit, mask, key, address, bytes);
    else if (spaceOf(key) == format::Space::shared)
      profileShared(unit, mask, mask, address, bytes, key);
    else
      addInOrder(unit, group, key, order);
    return;
  }
#endif
  if (!__all_sync(mask, common == key))
    profileMixed(unit, mask, key, address, bytes);
  else if (spaceOf(key) == format::Space::shared)
    profileShared(unit, mask, mask, address, bytes, key);
  else
    profileMemory(unit, mask, mask, address, bytes, key);
}

}  // namespace backend
}  // namespace cui
