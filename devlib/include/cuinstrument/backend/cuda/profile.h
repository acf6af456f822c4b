// Device side of profile mode: what each access costs is computed at once and added to the totals of its
// launch and site. The formulas are those of docs/metrics.md; db/store/metrics.cpp is the reference that the
// tests on a GPU compare with. This is the short way, for whole warps; profile_lanes.h takes the rest.
#pragma once

#include "cuinstrument/backend/cuda/profile_lanes.h"

namespace cui {
namespace backend {

/// Addresses that are affine in a lane's number, of `lanes` lanes; the other lanes of the warp repeat them.
struct StrideForm {
  unsigned long long address;  ///< of the first
  int stride;
  unsigned int lanes;
};

/// What an access of `threads` lanes costs, in closed form where there is one. Of a part of a warp the lanes
/// are neighbours.
static __device__ __forceinline__ bool costOfStride(const StrideForm& form, unsigned int bytes, bool shared,
                                                    ProfileChange& change, unsigned int threads = 32) {
  const unsigned int step = static_cast<unsigned int>(form.stride < 0 ? -form.stride : form.stride);
  const unsigned int last = form.lanes - 1;
  const unsigned int places = step | static_cast<unsigned int>(form.address);
  change.bytes = threads * bytes;
  change.idleLanes = 32 - threads;
  change.excess = change.uselessBytes = 0;
  change.idealDelta = 0;
  change.low =
      form.address + static_cast<long long>(form.stride < 0 ? form.stride : 0) * static_cast<int>(last);
  change.high = change.low + static_cast<unsigned long long>(step) * last + bytes - 1;
  if (shared) {
    if (bytes == 4 && (places & 3u) == 0) {
      // Lanes step through the banks in a cycle of 32 / gcd(words, 32) banks.
      const unsigned int words = step / 4 | 32u;
      const unsigned int divisor = words & (0u - words);
      change.excess = step == 0 ? 0 : (form.lanes * divisor + 31) / 32 - 1;
      return true;
    }
    // Eight and sixteen bytes are served for a half and a quarter of the warp at a time.
    const bool oneEach = threads == 32 && (step == 0 || (step == bytes && form.lanes == 32));
    if ((bytes != 8 && bytes != 16) || (places & (bytes - 1)) != 0 || !oneEach) return false;
    change.idealDelta = static_cast<int>(bytes / 4) - 1;
    return true;
  }
  // Up to a gap of 31 bytes no sector of the span is left out; beyond, every lane has its own.
  const bool dense = step < bytes + 32;
  const bool aligned = (bytes & (bytes - 1)) == 0 && bytes <= 32 && (places & (bytes - 1)) == 0;
  if (!dense && !aligned) return false;
  const unsigned int sectors =
      dense ? static_cast<unsigned int>((change.high >> 5) - (change.low >> 5)) + 1 : form.lanes;
  const unsigned int useful = last * min(step, bytes) + bytes;
  const unsigned int ideal = (useful + 31) / 32;
  change.excess = sectors - ideal;
  change.idealDelta = static_cast<int>(32 * ideal - change.bytes);
  change.uselessBytes = change.bytes - useful;
  return true;
}

/// Adds an access of a whole warp that is not the simplest; false if it has no closed form.
CUI_OF_ANY_MODE
__device__ CUI_STEP bool profileStride(const DeviceUnit& unit, unsigned int key, unsigned long long first,
                                       int stride, unsigned int bytes) {
  const StrideForm form = {first, stride, 32};
  const bool shared = spaceOf(key) == format::Space::shared;
  ProfileChange change;
  if (!costOfStride(form, bytes, shared, change)) return false;
  addToEntry(unit, key >> keyShift, shared, change);
  return true;
}

/// A block narrower than a warp has several rows in it. Where all of them ask for the same, or each for one
/// address, that is affine, too. False if it is not.
CUI_OF_ANY_MODE
__device__ CUI_STEP bool profileRows(const DeviceUnit& unit, unsigned int key, unsigned long long address,
                                     unsigned int bytes) {
  const bool shared = spaceOf(key) == format::Space::shared;
  const unsigned int width = rowWidth(), lane = laneIndex();
  const unsigned int low = static_cast<unsigned int>(address);
  StrideForm form;
  form.address = __shfl_sync(0xffffffffu, address, 0);
  const unsigned int first = static_cast<unsigned int>(form.address);
  const int stride = static_cast<int>(__shfl_sync(0xffffffffu, low, 1) - first);
  const int rowStride = static_cast<int>(__shfl_sync(0xffffffffu, low, width & 31u) - first);
  const unsigned int log2Width = lowestLane(width);
  const unsigned int number = rowStride == 0 ? lane & (width - 1) : lane >> log2Width;
  form.stride = rowStride == 0 ? stride : rowStride;
  form.lanes = rowStride == 0 ? width : 32u >> log2Width;
  const bool follows =
      width < 32 && (rowStride == 0 || stride == 0) &&
      address == form.address + static_cast<unsigned long long>(static_cast<long long>(form.stride) *
                                                                static_cast<int>(number));
  ProfileChange change;
  if (!__all_sync(0xffffffffu, follows) || !costOfStride(form, bytes, shared, change)) return false;
  addToEntry(unit, key >> keyShift, shared, change);
  return true;
}

/// Adds an access of a whole warp; false if its lanes follow no rule.
static __device__ __forceinline__ bool addWhole(const DeviceUnit& unit, unsigned int key,
                                                unsigned long long address, unsigned int bytes) {
  constexpr unsigned int mask = 0xffffffffu;
  const bool shared = spaceOf(key) == format::Space::shared;
  const bool hasForm = shared | (spaceOf(key) == format::Space::global);
  const unsigned long long first = __shfl_sync(mask, address, 0);
  const int stride = static_cast<int>(__shfl_sync(mask, static_cast<unsigned int>(address), 1) -
                                      static_cast<unsigned int>(first));
  const bool together = (__shfl_sync(mask, key, 0) == key) & hasForm;
  const bool follows = address == first + static_cast<unsigned long long>(static_cast<long long>(stride) *
                                                                          static_cast<int>(laneIndex()));
  if (!__all_sync(mask, together & follows))
    return blockDim.x < 32 && __all_sync(mask, together) && profileRows(unit, key, address, bytes);
  const bool conflictFree = (bytes <= 4) & (bytes != 3) & ((static_cast<unsigned int>(first) & 3u) == 0);
  const bool simple = (static_cast<unsigned int>(stride) == bytes) & (!shared | conflictFree);
  if (!simple) return profileStride(unit, key, first, stride, bytes);
  const bool oneMore = !shared & ((first & 31u) != 0);
  const ProfileChange change = {32 * bytes, oneMore ? 1u : 0u, 0, 0, 0, first, first + 32 * bytes - 1};
  addToEntry(unit, key >> keyShift, shared, change);
  return true;
}
/// Adds an access of neighbours, as at the end of an array or where a block's threads become fewer; false if
/// its lanes are not that, or follow no rule.
CUI_OF_ANY_MODE
__device__ CUI_STEP bool profilePart(const DeviceUnit& unit, unsigned int mask, unsigned int key,
                                     unsigned long long address, unsigned int bytes) {
  const unsigned int leader = lowestLane(mask), threads = static_cast<unsigned int>(__popc(mask));
  const unsigned int run = mask >> leader;
  if ((run & (run + 1)) != 0) return false;
  const bool shared = spaceOf(key) == format::Space::shared;
  const bool hasForm = shared | (spaceOf(key) == format::Space::global);
  const unsigned long long first = __shfl_sync(mask, address, leader);
  const unsigned int second =
      __shfl_sync(mask, static_cast<unsigned int>(address), leader + (threads > 1 ? 1 : 0));
  const bool together = (__shfl_sync(mask, key, leader) == key) & hasForm;
  const int stride = static_cast<int>(second - static_cast<unsigned int>(first));
  const bool follows =
      address == first + static_cast<unsigned long long>(static_cast<long long>(stride) *
                                                         static_cast<int>(laneIndex() - leader));
  ProfileChange change;
  const StrideForm form = {first, stride, threads};
  if (!__all_sync(mask, together & follows) || !costOfStride(form, bytes, shared, change, threads))
    return false;
  addToProfile(unit, mask, key >> keyShift << 2 | (shared ? 1u : 0u), bytes, change.excess, change.idealDelta,
               change.uselessBytes, change.low, change.high);
  return true;
}

/// Adds an access of the lanes of `mask`.
static __device__ __forceinline__ void addAccess(const DeviceUnit& unit, unsigned int mask, unsigned int key,
                                                 unsigned long long address, unsigned int bytes) {
  const bool added = mask == 0xffffffffu ? addWhole(unit, key, address, bytes)
                                         : hasPartForms && profilePart(unit, mask, key, address, bytes);
  if (!added) profileLanes(unit, mask, key, address, bytes);
}
CUI_OF_ANY_MODE
__device__ __noinline__ void profileWarp(const DeviceUnit& unit, unsigned int mask, unsigned int key,
                                         unsigned long long address, unsigned int bytes) {
  addAccess(unit, mask, key, address, bytes);
}

}  // namespace backend
}  // namespace cui
