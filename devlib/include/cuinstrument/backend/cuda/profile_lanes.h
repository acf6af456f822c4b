// Device side of profile mode, the general way: accesses of any lanes to any addresses (profile.h has the
// short way, and says how totals are kept).
#pragma once

#include "cuinstrument/backend/cuda/profile_sums.h"

namespace cui {
namespace backend {

/// Sum and maximum over the lanes of `mask`.
static __device__ __forceinline__ unsigned int sumOf(unsigned int mask, unsigned int value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(mask, value);
#else
  unsigned int sum = 0;
  for (unsigned int lanes = mask; lanes != 0; lanes &= lanes - 1)
    sum += __shfl_sync(mask, value, lowestLane(lanes));
  return sum;
#endif
}
static __device__ __forceinline__ unsigned int maximumOf(unsigned int mask, unsigned int value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_max_sync(mask, value);
#else
  unsigned int most = 0;
  for (unsigned int lanes = mask; lanes != 0; lanes &= lanes - 1)
    most = max(most, __shfl_sync(mask, value, lowestLane(lanes)));
  return most;
#endif
}

/// Lanes of one site and class of memory, and what they ask for.
struct LaneGroup {
  unsigned int mask;   ///< the lanes that compute together
  unsigned int lanes;  ///< of which these are meant
  unsigned long long address;
  unsigned int bytes;
  __device__ __forceinline__ bool has(unsigned int lane) const { return (lanes >> lane & 1u) != 0; }
};

struct GroupCost {
  unsigned int cost;             ///< sectors or wavefronts
  unsigned int ideal;            ///< wavefronts
  unsigned int usefulBytes;      ///< of sectors
  unsigned long long low, high;  ///< first and last byte
};

static __device__ __forceinline__ unsigned int highestLane(unsigned int group) {
  return 31u - static_cast<unsigned int>(__clz(static_cast<int>(group)));
}

/// For each lane the greatest start among the lanes that come before it in the order of starts; `low` and
/// `high` are those of all. False for the first lane.
static __device__ __forceinline__ bool findPredecessor(const LaneGroup& group, unsigned long long& before,
                                                       GroupCost& cost) {
  const unsigned int lane = laneIndex();
  bool found = false;
  before = 0;
  cost.low = ~0ull;
  cost.high = 0;
#pragma unroll 1
  for (unsigned int rest = group.lanes; rest != 0; rest &= rest - 1) {
    const unsigned int other = lowestLane(rest);
    const unsigned long long start = __shfl_sync(group.mask, group.address, other);
    const bool precedes = start < group.address || (start == group.address && other < lane);
    found |= precedes;
    if (precedes && start > before) before = start;
    if (start < cost.low) cost.low = start;
    if (start > cost.high) cost.high = start;
  }
  cost.high += group.bytes - 1;
  return found;
}

/// Different numbers among the group's lanes.
static __device__ __forceinline__ unsigned int countDistinct(const LaneGroup& group, unsigned int number) {
  const unsigned int same = __match_any_sync(group.mask, number) & group.lanes;
  const bool first = group.has(laneIndex()) && (same & ((1u << laneIndex()) - 1)) == 0;
  return static_cast<unsigned int>(__popc(__ballot_sync(group.mask, first)));
}

/// What a lane asks for is aligned to its size, and at most a sector: each lies in one sector, and two lanes'
/// bytes are the same or disjoint. And less than 2 GiB from `first`: halves of addresses tell it from others.
static __device__ __forceinline__ bool isAligned(const LaneGroup& group, unsigned long long first) {
  return (group.bytes & (group.bytes - 1)) == 0 && group.bytes <= 32 &&
         (group.address & (group.bytes - 1)) == 0 && (group.address - first + (1u << 31)) >> 32 == 0;
}

/// Sectors and distinct bytes of lanes in any order, which isAligned() of all.
static __device__ __forceinline__ GroupCost costOfAligned(const LaneGroup& group, unsigned long long first) {
  const bool member = group.has(laneIndex());
  const unsigned int distance = static_cast<unsigned int>(group.address - first) + (1u << 31);
  const unsigned int most = maximumOf(group.mask, member ? distance : 0);
  const unsigned int least = ~maximumOf(group.mask, member ? ~distance : 0);
  GroupCost cost;
  cost.cost = countDistinct(group, static_cast<unsigned int>(group.address >> 5));
  cost.usefulBytes = static_cast<unsigned int>(__popc(group.lanes));
#if defined(CUI_FEW_REGISTERS)  // the branch would take more registers than there are (recorder.h)
  constexpr bool ask = true;
#else  // lanes in sectors of their own have bytes of their own
  const bool ask = cost.cost != cost.usefulBytes;
#endif
  if (ask) cost.usefulBytes = countDistinct(group, static_cast<unsigned int>(group.address));
  cost.usefulBytes *= group.bytes;
  cost.low = first + least - (1u << 31);
  cost.high = first + most - (1u << 31) + group.bytes - 1;
  return cost;
}

/// Sectors and distinct bytes that each lane adds, of intervals of one length in the order of their starts:
/// what lies beyond the one `before` it, if it follows one.
static __device__ __forceinline__ void addBeyond(const LaneGroup& group, bool follows, bool descends,
                                                 unsigned long long before, GroupCost& cost) {
  const unsigned long long first = group.address >> 5, end = ((group.address + group.bytes - 1) >> 5) + 1;
  unsigned int sectors = static_cast<unsigned int>(end - first), bytes = group.bytes;
  if (follows) {
    const unsigned long long distance = descends ? before - group.address : group.address - before;
    const unsigned long long beyond =
        descends ? (before >> 5) - first : end - (((before + group.bytes - 1) >> 5) + 1);
    if (distance < bytes) bytes = static_cast<unsigned int>(distance);
    if (beyond < sectors) sectors = static_cast<unsigned int>(beyond);
  }
  const bool member = group.has(laneIndex());
  cost.cost = sumOf(group.mask, member ? sectors : 0);
  cost.usefulBytes = sumOf(group.mask, member ? bytes : 0);
}

/// Passes through the banks. A piece of an access that is not aligned to its size, which the hardware does
/// not make, is taken to be in the unit where it begins.
static __device__ __forceinline__ GroupCost costInWavefronts(const LaneGroup& group) {
  const unsigned int lane = laneIndex();
  const bool member = group.has(lane);
  // The largest power of two up to 16 that divides the size: what one instruction moves a lane.
  unsigned int piece = group.bytes & (0u - group.bytes);
  if (piece > 16) piece = 16;
  const unsigned int shift = piece <= 4 ? 2 : piece == 8 ? 3 : 4;
  const unsigned int lanesOfPass = 128u >> shift;
  const unsigned int pass = lane / lanesOfPass;
  GroupCost cost;
  cost.cost = cost.ideal = 0;
  const unsigned int address = static_cast<unsigned int>(group.address);
#pragma unroll 1
  for (unsigned int offset = 0; offset < group.bytes; offset += piece) {
    const unsigned int unit = ((address + offset) >> shift & 0xffffffu) | pass << 24;
    const unsigned int bank = (unit & (lanesOfPass - 1)) | pass << 8;
    const unsigned int same = __match_any_sync(group.mask, unit) & group.lanes;
    const unsigned int ofBank = __match_any_sync(group.mask, bank);
    const bool counts = member && (same & ((1u << lane) - 1)) == 0;
    const unsigned int conflicting = ofBank & __ballot_sync(group.mask, counts);
    const unsigned int words = counts ? static_cast<unsigned int>(__popc(conflicting)) : 0;
#pragma unroll 1
    for (unsigned int first = 0; first < 32; first += lanesOfPass) {
      const unsigned int most = maximumOf(group.mask, pass == first / lanesOfPass ? words : 0);
      cost.cost += most;
      cost.ideal += most != 0 ? 1 : 0;
    }
  }
  const unsigned long long window = group.address - address;  // the same 4 GiB for all
  cost.high = window + maximumOf(group.mask, member ? address : 0) + group.bytes - 1;
  cost.low = window + ~maximumOf(group.mask, member ? ~address : 0);
  return cost;
}

/// As addToProfile() takes it, of memory that is not shared.
static __device__ __forceinline__ unsigned int siteAndMore(const LaneGroup& group, unsigned int key) {
  const bool mixed = hasPartForms && group.mask != group.lanes;
  return key >> keyShift << 2 | (mixed ? 2u : 0u);
}

/// addToProfile(), without a call where a step of the module knows that it is all lanes.
static __device__ __forceinline__ void addGroup(const DeviceUnit& unit, const LaneGroup& group,
                                                unsigned int siteAndMore, unsigned int excess, int idealDelta,
                                                unsigned int uselessBytes, unsigned long long low,
                                                unsigned long long high) {
#if defined(CUI_RECORDER_MODULE)
  if (group.lanes == 0xffffffffu)
    return addToEntry(unit, siteAndMore >> 2, (siteAndMore & 1u) != 0,
                      {32 * group.bytes, excess, 0, idealDelta, uselessBytes, low, high});
#endif
  addToProfile(unit, group.lanes, siteAndMore, group.bytes, excess, idealDelta, uselessBytes, low, high);
}

// The functions below pass a group on as their last step, in pieces (see recordSlowly(), addToProfile()).
/// Adds an access of `lanes`, which agree on site and space.
CUI_OF_ANY_MODE
__device__ CUI_STEP void profileShared(const DeviceUnit& unit, unsigned int mask, unsigned int lanes,
                                       unsigned long long address, unsigned int bytes, unsigned int key) {
  const LaneGroup group = {mask, lanes, address, bytes};
  const GroupCost cost = costInWavefronts(group);
  addGroup(unit, group, siteAndMore(group, key) | 1u, cost.cost - cost.ideal,
           static_cast<int>(cost.ideal) - 1, 0, cost.low, cost.high);
}
/// Adds an access to constant memory, which has no sectors; the site's sums of shared memory count such
/// requests (format/profile.h).
CUI_OF_ANY_MODE
__device__ __noinline__ void addConstant(const DeviceUnit& unit, unsigned int lanes, unsigned int siteAndMore,
                                         unsigned int bytes, unsigned long long low,
                                         unsigned long long high) {
  if (laneIndex() == lowestLane(lanes)) {
    const ProfileTable& table = contextOf(unit)->profile;
    const unsigned int launch = launchKey(), site = siteAndMore >> 2;
    addNow(&tableSums(table, launch, site, true)->uselessBytes, 1);
    noteInTable(table, launch, site, notedLaunch(table, launch), true);
  }
  const unsigned int all = static_cast<unsigned int>(__popc(lanes)) * bytes;
  addToProfile(unit, lanes, siteAndMore, bytes, 0, -static_cast<int>(all), all, low, high);
}
static __device__ __forceinline__ void addMemory(const DeviceUnit& unit, const LaneGroup& group,
                                                 unsigned int key, const GroupCost& cost) {
  const unsigned int bytes = static_cast<unsigned int>(__popc(group.lanes)) * group.bytes;
  const unsigned int ideal = (cost.usefulBytes + 31) / 32;
  if (spaceOf(key) == format::Space::constant)
    return addConstant(unit, group.lanes, siteAndMore(group, key), group.bytes, cost.low, cost.high);
  addGroup(unit, group, siteAndMore(group, key), cost.cost - ideal, static_cast<int>(32 * ideal - bytes),
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
CUI_OF_ANY_MODE
__device__ CUI_STEP void profileMemory(const DeviceUnit& unit, unsigned int mask, unsigned int lanes,
                                       unsigned long long address, unsigned int bytes, unsigned int key) {
  const LaneGroup group = {mask, lanes, address, bytes};
  const unsigned int lane = laneIndex();
  const unsigned int earlier = lanes & ((1u << lane) - 1);
  // All questions to other lanes are asked together: each group of them costs a test for lanes that have
  // parted.
  const unsigned long long before = __shfl_sync(mask, address, earlier != 0 ? highestLane(earlier) : lane);
  const unsigned long long first = __shfl_sync(mask, address, lowestLane(lanes));
  const unsigned long long last = __shfl_sync(mask, address, highestLane(lanes));
  const bool member = group.has(lane), free = !member || earlier == 0;
  const bool up = __all_sync(mask, free || address >= before);
  const bool down = __all_sync(mask, free || address <= before);
  const bool aligned = __all_sync(mask, !member || isAligned(group, first));
  if (up || down) {
    GroupCost cost;
    addBeyond(group, earlier != 0, !up, before, cost);
    cost.low = up ? first : last;
    cost.high = (up ? last : first) + bytes - 1;
    addMemory(unit, group, key, cost);
  } else if (aligned) {
    addMemory(unit, group, key, costOfAligned(group, first));
  } else {
    profileOverlapping(unit, mask, lanes, address, bytes, key);
  }
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
  if (!__all_sync(mask, __shfl_sync(mask, key, lowestLane(mask)) == key))
    profileMixed(unit, mask, key, address, bytes);
  else if (spaceOf(key) == format::Space::shared)
    profileShared(unit, mask, mask, address, bytes, key);
  else
    profileMemory(unit, mask, mask, address, bytes, key);
}

}  // namespace backend
}  // namespace cui
