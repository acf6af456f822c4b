// Device side of profile mode: what accesses of any lanes to any addresses cost. The formulas are those of
// docs/metrics.md.
#pragma once

#include "cuinstrument/backend/cuda/identity.h"

namespace cui {
namespace backend {

/// What `combine` makes of the values of the lanes of `mask`, where no instruction does.
template <class Combine>
static __device__ __forceinline__ unsigned int combined(unsigned int mask, unsigned int value,
                                                        const Combine& combine) {
  unsigned int all = 0;
  for (unsigned int lanes = mask; lanes != 0; lanes &= lanes - 1)
    all = combine(all, __shfl_sync(mask, value, lowestLane(lanes)));
  return all;
}
/// Sum, maximum and union of bits over the lanes of `mask`.
static __device__ __forceinline__ unsigned int sumOf(unsigned int mask, unsigned int value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(mask, value);
#else
  return combined(mask, value, [](unsigned int a, unsigned int b) { return a + b; });
#endif
}
static __device__ __forceinline__ unsigned int maximumOf(unsigned int mask, unsigned int value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_max_sync(mask, value);
#else
  return combined(mask, value, [](unsigned int a, unsigned int b) { return max(a, b); });
#endif
}
static __device__ __forceinline__ unsigned int unionOf(unsigned int mask, unsigned int bits) {
#if __CUDA_ARCH__ >= 800
  return __reduce_or_sync(mask, bits);
#else
  return combined(mask, bits, [](unsigned int a, unsigned int b) { return a | b; });
#endif
}

static __device__ __forceinline__ unsigned int minimumOf(unsigned int mask, unsigned int value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_min_sync(mask, value);
#else
  return ~maximumOf(mask, ~value);
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
  const unsigned int least = minimumOf(group.mask, member ? distance : ~0u);
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
  const unsigned int pass = lane >> (7 - shift);  // no division
  // In one word, the ideal ones above: a register less. There is room for objects of 8,191 bytes, of 65,535
  // if they are aligned to 16.
  constexpr unsigned int idealShift = 18;
  unsigned int both = 0;
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
      const unsigned int most = maximumOf(group.mask, lane - first < lanesOfPass ? words : 0);
      both += most | (most != 0 ? 1u << idealShift : 0);
    }
  }
  GroupCost cost;
  cost.cost = both & ((1u << idealShift) - 1);
  cost.ideal = both >> idealShift;
  const unsigned long long window = group.address - address;  // the same 4 GiB for all
  cost.high = window + maximumOf(group.mask, member ? address : 0) + group.bytes - 1;
  cost.low = window + ~maximumOf(group.mask, member ? ~address : 0);
  return cost;
}

/// How the addresses of a group go from lane to lane.
struct LaneOrder {
  unsigned long long before;       ///< of the lane before this one, if it `follows` one
  unsigned long long first, last;  ///< of the lowest and the highest lane
  bool follows, up, down, aligned;
  bool fits;
};
/// `fits`: something else to be known of all lanes. All questions to other lanes are asked together: each
/// group of them costs a test for lanes that have parted.
static __device__ __forceinline__ LaneOrder orderOf(const LaneGroup& group, bool fits) {
  const unsigned int lane = laneIndex(), earlier = group.lanes & ((1u << lane) - 1);
  LaneOrder order;
  order.follows = earlier != 0;
  order.before = __shfl_sync(group.mask, group.address, order.follows ? highestLane(earlier) : lane);
  order.first = __shfl_sync(group.mask, group.address, lowestLane(group.lanes));
  order.last = __shfl_sync(group.mask, group.address, highestLane(group.lanes));
  const bool member = group.has(lane), free = !member || !order.follows;
  order.up = __all_sync(group.mask, free || group.address >= order.before);
  order.down = __all_sync(group.mask, free || group.address <= order.before);
  order.aligned = __all_sync(group.mask, !member || isAligned(group, order.first));
  order.fits = __all_sync(group.mask, fits);
  return order;
}

}  // namespace backend
}  // namespace cui
